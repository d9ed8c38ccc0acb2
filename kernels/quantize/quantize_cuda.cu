// SPDX-License-Identifier: MIT
// Quantises to q8_1, arm "plain": eight lanes per block of 32 columns, four columns each, on sm_80 and newer.
#include "dependent_launch_cuda.cuh"
#include "formats/f32.hpp"
#include "formats/fill_cuda.cuh"
#include "formats/q8_1.hpp"
#include "launch_cuda.cuh"
#include "quantize/quantize.hpp"
#include <census/cuda.hpp>

namespace kernels {
namespace {

using census::check;

constexpr int columns_of_lane = 4;  // one 16-byte load
constexpr int lanes_of_block = q8_1_columns / columns_of_lane;
constexpr int threads = 128;  // few, so that 4096 columns spread over eight multiprocessors

// x: [count] f32; codes: [count]; scales: [count / 32]. grid [count / 512, rounded up], block 128.
// Moves 5.125 B per element.
__global__ void __launch_bounds__(threads) quantize_kernel(const float* x, std::int8_t* codes, float* scales,
                                                           int count, census::DeviceExtraRead extra) {
  const int first =
      (static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x)) * columns_of_lane;
  census::read_extra(extra);
  allow_dependents();
  wait_for_predecessor();
  // Lanes beyond the end take part in the exchanges of their warp; a q8_1 block lies within the end or beyond
  // it.
  float4 v{};
  if (first < count) v = __ldcg(reinterpret_cast<const float4*>(x + first));
  float largest = fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
#pragma unroll
  for (int d = lanes_of_block / 2; d >= 1; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0U, largest, d));
  if (first >= count) return;
  const float scale = q8_1_scale(largest);
  *reinterpret_cast<char4*>(codes + first) =
      make_char4(q8_1_code(v.x, scale), q8_1_code(v.y, scale), q8_1_code(v.z, scale), q8_1_code(v.w, scale));
  if (first % q8_1_columns == 0) scales[first / q8_1_columns] = scale;
}

class QuantizeCuda final : public census::Instance {
 public:
  QuantizeCuda(const std::string& id, const QuantizeShape& shape, const census::InstanceRequest& request)
      : id_(id),
        shape_(shape),
        seed_(request.seed),
        extra_(request.extra),
        dependent_(has_dependent_launch()) {
    const auto copies = static_cast<std::size_t>(request.copies);
    x_ = census::DeviceBuffer<float>(copies * count());
    codes_ = census::DeviceBuffer<std::int8_t>(copies * count());
    scales_ = census::DeviceBuffer<float>(copies * count() / q8_1_columns);
    for (int copy = 0; copy < request.copies; ++copy) {
      fill_on_device(F32Activation{}, x_.data() + static_cast<std::size_t>(copy) * count(), count(),
                     buffer_seed(id, "x", copy, seed_));
    }
    check(cudaMemset(codes_.data(), q8_1_unwritten, codes_.bytes()), "mark the codes as unwritten");
    check(cudaMemset(scales_.data(), 0xFF, scales_.bytes()), "fill the scales with NaN");
    check(cudaDeviceSynchronize(), "fill the inputs of " + id);
  }

  void launch(census::Stream stream, int copy) override {
    const auto c = static_cast<std::size_t>(copy);
    const int elements = static_cast<int>(count());
    constexpr int columns_of_grid_block = threads * columns_of_lane;
    launch_kernel("quantize_kernel", quantize_kernel,
                  LaunchShape{.grid = (elements + columns_of_grid_block - 1) / columns_of_grid_block,
                              .block = threads,
                              .dependent = dependent_},
                  stream, x_.data() + c * count(), codes_.data() + c * count(),
                  scales_.data() + c * count() / q8_1_columns, elements, census::extra_of(extra_, copy));
  }

  std::vector<float> output(int copy) override {
    const auto c = static_cast<std::size_t>(copy);
    const std::size_t blocks = count() / q8_1_columns;
    return quantize_output(codes_.to_host(c * count(), count()), scales_.to_host(c * blocks, blocks));
  }

  std::vector<float> reference(int copy) override { return quantize_reference(id_, shape_, copy, seed_); }

 private:
  // Elements of one copy.
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(shape_.rows) * static_cast<std::size_t>(shape_.columns);
  }

  std::string id_;
  QuantizeShape shape_;
  std::uint64_t seed_;
  const census::ExtraRead* extra_;
  bool dependent_;
  census::DeviceBuffer<float> x_;            // [copies, rows, columns]
  census::DeviceBuffer<std::int8_t> codes_;  // [copies, rows, columns]
  census::DeviceBuffer<float> scales_;       // [copies, rows, columns / 32]
};

}  // namespace

std::unique_ptr<census::Instance> make_quantize_cuda(const std::string& id, const QuantizeShape& shape,
                                                     const census::InstanceRequest& request) {
  return std::make_unique<QuantizeCuda>(id, shape, request);
}

}  // namespace kernels
