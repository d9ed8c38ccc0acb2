// SPDX-License-Identifier: MIT
// An empty kernel: one warp that stores one float.
#include "launch_cuda.cuh"
#include "launch_empty/launch_empty.hpp"

namespace kernels {
namespace {

// y: [1]. grid 1, block 32. Moves 4 B.
__global__ void launch_empty_kernel(float* y, float value, census::DeviceExtraRead extra) {
  census::read_extra(extra);
  if (threadIdx.x == 0) *y = value;
}

class LaunchEmptyCuda final : public census::Instance {
 public:
  explicit LaunchEmptyCuda(const census::InstanceRequest& request)
      : extra_(request.extra), y_(static_cast<std::size_t>(request.copies)) {
    census::check(cudaMemset(y_.data(), 0xFF, y_.bytes()), "fill the output with NaN");
    census::check(cudaDeviceSynchronize(), "fill the output with NaN");
  }

  void launch(census::Stream stream, int copy) override {
    launch_kernel("launch_empty_kernel", launch_empty_kernel, LaunchShape{1, 32}, stream, y_.data() + copy,
                  static_cast<float>(copy), census::extra_of(extra_, copy));
  }

  std::vector<float> output(int copy) override { return y_.to_host(static_cast<std::size_t>(copy), 1); }
  std::vector<float> reference(int copy) override { return {static_cast<float>(copy)}; }

 private:
  const census::ExtraRead* extra_;
  census::DeviceBuffer<float> y_;  // [copies]
};

}  // namespace

std::unique_ptr<census::Instance> make_launch_empty_cuda(const census::InstanceRequest& request) {
  return std::make_unique<LaunchEmptyCuda>(request);
}

}  // namespace kernels
