// SPDX-License-Identifier: MIT
// The CPU's counterpart of an empty launch: waking all threads for a parallel region and waiting for them.
#include "extra_read_cpu.hpp"
#include "launch_empty/launch_empty.hpp"

#include <omp.h>

#include <limits>

namespace kernels {
namespace {

class LaunchEmptyCpu final : public census::Instance {
 public:
  explicit LaunchEmptyCpu(const census::InstanceRequest& request)
      : extra_(request.extra),
        y_(static_cast<std::size_t>(request.copies), std::numeric_limits<float>::quiet_NaN()) {}

  void launch(census::Stream, int copy) override {
    float& y = y_.at(static_cast<std::size_t>(copy));
#pragma omp parallel
    {
      read_extra(extra_, copy, omp_get_thread_num(), omp_get_num_threads());
      if (omp_get_thread_num() == 0) y = static_cast<float>(copy);
    }
  }

  std::vector<float> output(int copy) override {
    return {y_.at(static_cast<std::size_t>(copy))};
  }
  std::vector<float> reference(int copy) override {
    return {static_cast<float>(copy)};
  }

 private:
  const census::ExtraRead* extra_;
  std::vector<float> y_;  // [copies]
};

}  // namespace

std::unique_ptr<census::Instance> make_launch_empty_cpu(const census::InstanceRequest& request) {
  return std::make_unique<LaunchEmptyCpu>(request);
}

}  // namespace kernels
