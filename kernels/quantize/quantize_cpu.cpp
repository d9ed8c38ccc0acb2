// SPDX-License-Identifier: MIT
// Quantises on the CPU: every thread takes a contiguous part of the blocks.
#include "extra_read_cpu.hpp"
#include "formats/f32.hpp"
#include "formats/fill_cpu.hpp"
#include "formats/q8_1.hpp"
#include "host_buffer.hpp"
#include "quantize/quantize.hpp"
#include "quantize/quantize_cpu_rows.hpp"

#include <omp.h>

#include <cstring>

namespace kernels {
namespace {

auto* blocks_of([[maybe_unused]] const std::string& arm) {
#ifdef CENSUS_HAVE_AVX2
  if (arm == "avx2") return avx2::quantize_blocks;
#endif
  return portable::quantize_blocks;
}

class QuantizeCpu final : public census::Instance {
 public:
  QuantizeCpu(const std::string& id, const QuantizeShape& shape, const census::InstanceRequest& request)
      : id_(id), shape_(shape), seed_(request.seed), extra_(request.extra), blocks_(blocks_of(request.arm)) {
    const auto copies = static_cast<std::size_t>(request.copies);
    x_ = HostBuffer<float>(copies * count());
    codes_ = HostBuffer<std::int8_t>(copies * count());
    scales_ = HostBuffer<float>(copies * count() / q8_1_columns);
    for (int copy = 0; copy < request.copies; ++copy) {
      fill(F32Activation{}, x_.data() + static_cast<std::size_t>(copy) * count(), count(),
           buffer_seed(id, "x", copy, seed_));
    }
    std::memset(codes_.data(), q8_1_unwritten, codes_.size());
    std::memset(scales_.data(), 0xFF, scales_.size() * sizeof(float));  // NaN
  }

  void launch(census::Stream, int copy) override {
    const QuantizeView view = view_of(copy);
    const auto blocks = static_cast<std::int64_t>(count() / q8_1_columns);
#pragma omp parallel
    {
      const std::int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
      blocks_(view, blocks * thread / threads, blocks * (thread + 1) / threads);
      read_extra(extra_, copy, static_cast<int>(thread), static_cast<int>(threads));
    }
  }

  std::vector<float> output(int copy) override {
    const QuantizeView view = view_of(copy);
    return quantize_output({view.codes, view.codes + count()},
                           {view.scales, view.scales + count() / q8_1_columns});
  }

  std::vector<float> reference(int copy) override {
    return quantize_reference(id_, shape_, copy, seed_);
  }

 private:
  // Elements of one copy.
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(shape_.rows) * static_cast<std::size_t>(shape_.columns);
  }

  [[nodiscard]] QuantizeView view_of(int copy) const {
    const std::size_t first = static_cast<std::size_t>(copy) * count();
    return {.x = x_.data() + first,
            .codes = codes_.data() + first,
            .scales = scales_.data() + first / q8_1_columns};
  }

  std::string id_;
  QuantizeShape shape_;
  std::uint64_t seed_;
  const census::ExtraRead* extra_;
  void (*blocks_)(const QuantizeView&, std::int64_t, std::int64_t);
  HostBuffer<float> x_;            // [copies, rows, columns]
  HostBuffer<std::int8_t> codes_;  // [copies, rows, columns]
  HostBuffer<float> scales_;       // [copies, rows, columns / 32]
};

}  // namespace

std::unique_ptr<census::Instance> make_quantize_cpu(const std::string& id, const QuantizeShape& shape,
                                                    const census::InstanceRequest& request) {
  check_shape(id, shape);
  return std::make_unique<QuantizeCpu>(id, shape, request);
}

}  // namespace kernels
