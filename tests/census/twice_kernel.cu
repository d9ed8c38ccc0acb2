// SPDX-License-Identifier: MIT
// The smallest CUDA row: y = 2 x, one float in and out for each output, for the tests of the measurer.
#include "twice_kernel.hpp"
#include <census/cuda.hpp>

#include <limits>

namespace census::testing {
namespace {

__global__ void twice_kernel(const float* x, float* y, int count, DeviceExtraRead extra) {
  read_extra(extra);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] = 2 * x[i];
}

class TwiceInstance : public Instance {
 public:
  TwiceInstance(int count, Fault fault, const InstanceRequest& request)
      : count_(count), fault_(fault), extra_(request.extra) {
    for (int copy = 0; copy < request.copies; ++copy) {
      std::vector<float> x(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) x[static_cast<std::size_t>(i)] = static_cast<float>(i + copy);
      x_.emplace_back(x);
      y_.emplace_back(std::vector<float>(x.size(), std::numeric_limits<float>::quiet_NaN()));
    }
  }

  void launch(Stream stream, int copy) override {
    constexpr int threads = 128;
    const auto at = static_cast<std::size_t>(copy);
    const int written = fault_ == Fault::one_unwritten ? count_ - 1 : count_;
    float* y = fault_ == Fault::wild_store ? reinterpret_cast<float*>(16) : y_[at].data();
    twice_kernel<<<static_cast<unsigned>((count_ + threads - 1) / threads), threads, 0, stream>>>(
        x_[at].data(), y, written, extra_of(extra_, copy));
    check(cudaGetLastError(), "launch twice_kernel");
  }

  std::vector<float> output(int copy) override {
    return y_[static_cast<std::size_t>(copy)].to_host(0, static_cast<std::size_t>(count_));
  }

  std::vector<float> reference(int copy) override {
    std::vector<float> y(static_cast<std::size_t>(count_));
    for (int i = 0; i < count_; ++i) y[static_cast<std::size_t>(i)] = 2 * static_cast<float>(i + copy);
    if (fault_ == Fault::other_reference) y[3] = 7;
    return y;
  }

 private:
  int count_;
  Fault fault_;
  const ExtraRead* extra_;
  std::vector<DeviceBuffer<float>> x_, y_;
};

}  // namespace

KernelCase twice_case(int count, Fault fault) {
  KernelCase row;
  row.id = "test.twice";
  row.backend = Backend::cuda;
  row.op = "y = 2 x";
  row.cold_bytes = Bytes{count * std::int64_t{sizeof(float)}};
  row.other_bytes = row.cold_bytes;
  row.flops = count;
  row.arms = {{.name = "plain", .needs = "any device"}};
  row.make = [count, fault](const InstanceRequest& request) {
    return std::make_unique<TwiceInstance>(count, fault, request);
  };
  return row;
}

}  // namespace census::testing
