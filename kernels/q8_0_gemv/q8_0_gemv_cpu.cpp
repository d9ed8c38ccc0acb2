// SPDX-License-Identifier: MIT
// y = W x with q8_0 weights on the CPU: every thread takes a contiguous part of the rows.
#include "extra_read_cpu.hpp"
#include "formats/fill_cpu.hpp"
#include "formats/q8_0.hpp"
#include "formats/q8_1.hpp"
#include "host_buffer.hpp"
#include "q8_0_gemv/q8_0_gemv.hpp"
#include "q8_0_gemv/q8_0_gemv_cpu_rows.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>

namespace kernels {
namespace {

auto* rows_of([[maybe_unused]] const std::string& arm) {
#ifdef CENSUS_HAVE_AVX2
  if (arm == "avx2") return avx2::q8_0_gemv_rows;
#endif
  return portable::q8_0_gemv_rows;
}

class Q8_0GemvCpu final : public census::Instance {
 public:
  Q8_0GemvCpu(const std::string& id, const Q8_0GemvShape& shape, const census::InstanceRequest& request)
      : id_(id), shape_(shape), seed_(request.seed), extra_(request.extra), rows_(rows_of(request.arm)) {
    const auto copies = static_cast<std::size_t>(request.copies);
    weights_ = HostBuffer<Q8_0Block>(copies * blocks());
    y_ = HostBuffer<float>(copies * static_cast<std::size_t>(shape.rows));
    for (int copy = 0; copy < request.copies; ++copy) {
      fill(Q8_0Weight{}, weights_.data() + static_cast<std::size_t>(copy) * blocks(), blocks(),
           buffer_seed(id, "w", copy, seed_));
      x_.push_back(random_q8_1(buffer_seed(id, "x", copy, seed_), shape.columns));
    }
    std::memset(y_.data(), 0xFF, y_.size() * sizeof(float));  // NaN
  }

  void launch(census::Stream, int copy) override {
    const Q8_0GemvView view = view_of(copy);
#pragma omp parallel
    {
      const std::int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
      rows_(view, shape_.rows * thread / threads, shape_.rows * (thread + 1) / threads);
      read_extra(extra_, copy, static_cast<int>(thread), static_cast<int>(threads));
    }
  }

  std::vector<float> output(int copy) override {
    const float* y = view_of(copy).y;
    return {y, y + shape_.rows};
  }

  std::vector<float> reference(int copy) override {
    return q8_0_gemv_reference(id_, shape_, copy, seed_);
  }

 private:
  // Of one copy.
  [[nodiscard]] std::size_t blocks() const {
    return static_cast<std::size_t>(shape_.rows) *
           static_cast<std::size_t>(shape_.columns / Q8_0Block::columns);
  }

  [[nodiscard]] Q8_0GemvView view_of(int copy) const {
    const auto c = static_cast<std::size_t>(copy);
    return {.weights = weights_.data() + c * blocks(),
            .codes = x_[c].codes.data(),
            .scales = x_[c].scales.data(),
            .y = y_.data() + c * static_cast<std::size_t>(shape_.rows),
            .columns = shape_.columns};
  }

  std::string id_;
  Q8_0GemvShape shape_;
  std::uint64_t seed_;
  const census::ExtraRead* extra_;
  void (*rows_)(const Q8_0GemvView&, std::int64_t, std::int64_t);
  HostBuffer<Q8_0Block> weights_;  // [copies, rows, columns / 32]
  std::vector<Q8_1Activation> x_;  // [copies]
  HostBuffer<float> y_;            // [copies, rows]
};

}  // namespace

std::unique_ptr<census::Instance> make_q8_0_gemv_cpu(const std::string& id, const Q8_0GemvShape& shape,
                                                     const census::InstanceRequest& request) {
  check_shape(id, shape);
  return std::make_unique<Q8_0GemvCpu>(id, shape, request);
}

}  // namespace kernels
