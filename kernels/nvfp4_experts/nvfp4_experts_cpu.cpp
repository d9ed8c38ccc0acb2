// SPDX-License-Identifier: MIT
// The chosen experts on the CPU: every thread takes a contiguous part of the rows of all of them.
#include "extra_read_cpu.hpp"
#include "formats/fill_cpu.hpp"
#include "formats/q8_1.hpp"
#include "host_buffer.hpp"
#include "nvfp4_experts/nvfp4_experts.hpp"
#include "nvfp4_experts/nvfp4_experts_cpu_rows.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>

namespace kernels {
namespace {

auto* rows_of([[maybe_unused]] const std::string& arm) {
#ifdef CENSUS_HAVE_AVX2
  if (arm == "avx2") return avx2::nvfp4_rows;
#endif
  return portable::nvfp4_rows;
}

class Nvfp4ExpertsCpu final : public census::Instance {
 public:
  Nvfp4ExpertsCpu(const std::string& id, const Nvfp4ExpertsShape& shape,
                  const census::InstanceRequest& request)
      : id_(id), shape_(shape), seed_(request.seed), extra_(request.extra), rows_(rows_of(request.arm)) {
    const int banks = (request.copies + lists_of_bank - 1) / lists_of_bank;
    for (int bank = 0; bank < banks; ++bank) {
      // Experts that no list chooses stay untouched, so they take no memory.
      banks_.emplace_back(static_cast<std::size_t>(shape.matrices) * bank_experts * matrix_blocks());
      tensor_scales_.push_back(tensor_scales(id, shape.matrices, bank, seed_));
    }
    const int x_columns = shape.x_per_expert ? chosen_experts * shape.columns : shape.columns;
    for (int copy = 0; copy < request.copies; ++copy) {
      lists_.push_back(expert_list(id, copy, seed_));
      check_experts(id, lists_.back());
      fill_copy(copy);
      x_.push_back(random_q8_1(buffer_seed(id, "x", copy, seed_), x_columns));
    }
    y_ = HostBuffer<float>(static_cast<std::size_t>(request.copies) * outputs());
    std::memset(y_.data(), 0xFF, y_.size() * sizeof(float));  // NaN
  }

  void launch(census::Stream, int copy) override {
#pragma omp parallel
    {
      const std::int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
      const auto rows = static_cast<std::int64_t>(outputs());
      multiply(copy, rows * thread / threads, rows * (thread + 1) / threads);
      read_extra(extra_, copy, static_cast<int>(thread), static_cast<int>(threads));
    }
  }

  std::vector<float> output(int copy) override {
    const float* y = y_.data() + static_cast<std::size_t>(copy) * outputs();
    return {y, y + outputs()};
  }

  std::vector<float> reference(int copy) override {
    return nvfp4_experts_reference(id_, shape_, copy, seed_);
  }

 private:
  [[nodiscard]] std::size_t matrix_blocks() const {
    return static_cast<std::size_t>(shape_.rows) *
           static_cast<std::size_t>(shape_.columns / Nvfp4Block::columns);
  }
  // Of one copy.
  [[nodiscard]] std::size_t outputs() const {
    return static_cast<std::size_t>(chosen_experts) * static_cast<std::size_t>(shape_.matrices * shape_.rows);
  }

  [[nodiscard]] Nvfp4Block* matrix(int bank, int m, int expert) const {
    return banks_[static_cast<std::size_t>(bank)].data() +
           static_cast<std::size_t>(m * bank_experts + expert) * matrix_blocks();
  }

  void fill_copy(int copy) {
    const int bank = copy / lists_of_bank;
    for (const int expert : lists_.back()) {
      for (int m = 0; m < shape_.matrices; ++m) {
        Nvfp4Block* blocks = matrix(bank, m, expert);
        fill(Nvfp4Weight{}, blocks, matrix_blocks(), expert_seed(id_, m, expert, bank, seed_));
        check_scales(id_, {blocks, matrix_blocks()});
      }
    }
  }

  // What one chosen expert's matrix is multiplied with and where to.
  [[nodiscard]] Nvfp4View view_of(int copy, std::int64_t slot, int m) const {
    const auto c = static_cast<std::size_t>(copy);
    const int bank = copy / lists_of_bank;
    const int expert = lists_[c][static_cast<std::size_t>(slot)];
    const std::int64_t first = shape_.x_per_expert ? slot * shape_.columns : 0;
    return {.weights = matrix(bank, m, expert),
            .codes = x_[c].codes.data() + first,
            .scales = x_[c].scales.data() + first / q8_1_columns,
            .y = y_.data() + c * outputs() + (slot * shape_.matrices + m) * shape_.rows,
            .tensor_scale = tensor_scales_[static_cast<std::size_t>(bank)]
                                          [static_cast<std::size_t>(m * bank_experts + expert)],
            .columns = shape_.columns};
  }

  // Rows [first, end) of the concatenation of all chosen matrices.
  void multiply(int copy, std::int64_t first, std::int64_t end) const {
    const std::int64_t rows = shape_.rows;
    while (first < end) {
      const std::int64_t segment = first / rows;
      const std::int64_t segment_end = std::min(end, (segment + 1) * rows);
      rows_(view_of(copy, segment / shape_.matrices, static_cast<int>(segment % shape_.matrices)),
            first - segment * rows, segment_end - segment * rows);
      first = segment_end;
    }
  }

  std::string id_;
  Nvfp4ExpertsShape shape_;
  std::uint64_t seed_;
  const census::ExtraRead* extra_;
  void (*rows_)(const Nvfp4View&, std::int64_t, std::int64_t);
  std::vector<HostBuffer<Nvfp4Block>> banks_;      // each [matrices, 288, rows, columns / 64]
  std::vector<std::vector<float>> tensor_scales_;  // by bank: [matrices, 288]
  std::vector<std::vector<int>> lists_;            // [copies][8]
  std::vector<Q8_1Activation> x_;                  // [copies]
  HostBuffer<float> y_;                            // [copies, 8, matrices, rows]
};

}  // namespace

std::unique_ptr<census::Instance> make_nvfp4_experts_cpu(const std::string& id,
                                                         const Nvfp4ExpertsShape& shape,
                                                         const census::InstanceRequest& request) {
  check_shape(id, shape);
  return std::make_unique<Nvfp4ExpertsCpu>(id, shape, request);
}

}  // namespace kernels
