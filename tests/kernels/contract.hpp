// SPDX-License-Identifier: MIT
// What the contract suites share: which arms this machine can run, comparison bit by bit, and the checks of
// one arm.
#pragma once

#include <census/kernel_case.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#ifdef CENSUS_HAVE_CUDA
#include <census/cuda.hpp>
#endif

namespace census {

// What a failure, and ctest's list, show of a row.
inline void PrintTo(const KernelCase& row, std::ostream* out) {
  *out << row.id;
}

}  // namespace census

namespace kernels {

using census::Arm;
using census::Backend;
using census::Instance;
using census::KernelCase;

// Arm::minimum_capability of this machine; nullopt with the reason where the backend is not there.
inline std::optional<int> capability(Backend backend, std::string& reason) {
  if (backend == Backend::cpu) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c")
               ? 1
               : 0;
#else
    return 0;
#endif
  }
#ifdef CENSUS_HAVE_CUDA
  int count = 0, major = 0, minor = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    reason = std::string("no usable GPU: ") + cudaGetErrorString(status);
    return std::nullopt;
  }
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  return 10 * major + minor;
#else
  reason = "built without CUDA";
  return std::nullopt;
#endif
}

inline std::string bits(float value) {
  std::ostringstream text;
  text << value << " (0x" << std::hex << std::bit_cast<std::uint32_t>(value) << ")";
  return text.str();
}

// Bit for bit; names the first index that differs.
inline testing::AssertionResult same_bits(const std::vector<float>& expected,
                                          const std::vector<float>& actual) {
  if (expected.size() != actual.size()) {
    return testing::AssertionFailure()
           << "expected " << expected.size() << " elements, got " << actual.size();
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::bit_cast<std::uint32_t>(expected[i]) != std::bit_cast<std::uint32_t>(actual[i])) {
      return testing::AssertionFailure()
             << "element " << i << ": expected " << bits(expected[i]) << ", got " << bits(actual[i]);
    }
  }
  return testing::AssertionSuccess();
}

// A fault of the kernel shows here.
inline void synchronise([[maybe_unused]] Backend backend) {
#ifdef CENSUS_HAVE_CUDA
  if (backend == Backend::cpu) return;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
#endif
}

inline std::vector<float> launch(Instance& instance, Backend backend, int copy) {
  instance.launch(nullptr, copy);
  synchronise(backend);
  return instance.output(copy);
}

inline bool all_nan(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isnan(v); });
}

inline bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

// Memory for a planted read, where the backend's launches can read it.
class PlantedMemory {
 public:
  PlantedMemory(Backend backend, std::int64_t bytes) : host_(static_cast<std::size_t>(bytes)) {
#ifdef CENSUS_HAVE_CUDA
    if (backend == Backend::cuda) device_ = census::DeviceBuffer<char>(host_);
#endif
    on_host_ = backend == Backend::cpu;
  }
  [[nodiscard]] const void* data() const {
#ifdef CENSUS_HAVE_CUDA
    if (!on_host_) return device_.data();
#endif
    return host_.data();
  }

 private:
  std::vector<char> host_;
#ifdef CENSUS_HAVE_CUDA
  census::DeviceBuffer<char> device_;
#endif
  bool on_host_ = true;
};

// Two copies of a row on one arm: NaN before a launch, each copy apart, the reference's bits, the same again,
// planted or not.
inline void check_arm(const KernelCase& row, const Arm& arm) {
  SCOPED_TRACE("arm " + arm.name);
  constexpr int copies = 2;
  census::ExtraRead extra;
  census::InstanceRequest request;
  request.copies = copies;
  request.arm = arm.name;
  request.extra = &extra;
  const auto instance = row.make(request);
  for (int copy = 0; copy < copies; ++copy)
    EXPECT_TRUE(all_nan(instance->output(copy))) << "before the first launch";
  const std::vector<float> first = launch(*instance, row.backend, 0);
  EXPECT_TRUE(all_nan(instance->output(1))) << "a launch of copy 0 wrote copy 1";
  EXPECT_TRUE(all_finite(first));
  EXPECT_TRUE(same_bits(instance->reference(0), first)) << "against the reference";
  EXPECT_TRUE(same_bits(first, launch(*instance, row.backend, 0))) << "second launch";
  EXPECT_FALSE(same_bits(first, launch(*instance, row.backend, 1))) << "copies are alike";
  const PlantedMemory planted(row.backend,
                              copies * 4112);  // 257 chunks of 16 bytes: no multiple of any block
  extra = {planted.data(), 4112};
  EXPECT_TRUE(same_bits(first, launch(*instance, row.backend, 0))) << "planted";
}

// Every arm that this machine can run; skips with the reason where there is none.
inline void check_every_arm(const KernelCase& row) {
  std::string reason;
  const std::optional<int> here = capability(row.backend, reason);
  if (!here) GTEST_SKIP() << reason;
  ASSERT_TRUE(row.make);
  int checked = 0;
  for (const Arm& arm : row.arms) {
    if (*here < arm.minimum_capability || *here > arm.maximum_capability) continue;
    check_arm(row, arm);
    ++checked;
  }
  if (checked == 0) GTEST_SKIP() << "no arm for capability " << *here;
}

// "cuda_bf16_head_4096x64448": the build gives names that start with cuda the label gpu.
inline std::string contract_name(const testing::TestParamInfo<KernelCase>& info) {
  std::string name = std::string(census::to_string(info.param.backend)) + "_" + info.param.id;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

}  // namespace kernels
