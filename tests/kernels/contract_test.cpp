// SPDX-License-Identifier: MIT
// The contract that every row of the census keeps, on every backend and arm, at two copies.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <sstream>

#include "census.hpp"

#ifdef CENSUS_HAVE_CUDA
#include <cuda_runtime_api.h>
#endif

namespace census {

// What a failure, and ctest's list, show of a row.
void PrintTo(const KernelCase& row, std::ostream* out) { *out << row.id; }

}  // namespace census

namespace kernels {
namespace {

using census::Arm;
using census::Backend;
using census::Instance;
using census::KernelCase;

constexpr int copies = 2;

// Arm::minimum_capability of this machine; nullopt with the reason where the backend is not there.
std::optional<int> capability(Backend backend, std::string& reason) {
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

std::string bits(float value) {
  std::ostringstream text;
  text << value << " (0x" << std::hex << std::bit_cast<std::uint32_t>(value) << ")";
  return text.str();
}

// Bit for bit; names the first index that differs.
testing::AssertionResult same_bits(const std::vector<float>& expected, const std::vector<float>& actual) {
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
void synchronise([[maybe_unused]] Backend backend) {
#ifdef CENSUS_HAVE_CUDA
  if (backend == Backend::cpu) return;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
#endif
}

std::vector<float> launch(Instance& instance, Backend backend, int copy) {
  instance.launch(nullptr, copy);
  synchronise(backend);
  return instance.output(copy);
}

bool all_nan(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isnan(v); });
}

class Contract : public testing::TestWithParam<KernelCase> {
 protected:
  void check_arm(const Arm& arm) {
    SCOPED_TRACE("arm " + arm.name);
    const KernelCase& row = GetParam();
    const auto instance = row.make({.copies = copies, .arm = arm.name});
    for (int copy = 0; copy < copies; ++copy)
      EXPECT_TRUE(all_nan(instance->output(copy))) << "before the first launch";
    const std::vector<float> first = launch(*instance, row.backend, 0);
    EXPECT_TRUE(all_nan(instance->output(1))) << "a launch of copy 0 wrote copy 1";
    if (expected_.empty()) expected_ = instance->reference(0);
    EXPECT_TRUE(same_bits(expected_, first)) << "against the reference";
    EXPECT_TRUE(std::all_of(first.begin(), first.end(), [](float v) { return std::isfinite(v); }));
    EXPECT_TRUE(same_bits(first, launch(*instance, row.backend, 0))) << "second launch";
    EXPECT_FALSE(same_bits(first, launch(*instance, row.backend, 1))) << "copies are alike";
  }

  std::vector<float> expected_;  // of copy 0, made once for all arms
};

TEST_P(Contract, EveryArmGivesTheBitsOfTheReference) {
  const KernelCase& row = GetParam();
  std::string reason;
  const std::optional<int> here = capability(row.backend, reason);
  if (!here) GTEST_SKIP() << reason;
  ASSERT_TRUE(row.make);
  int checked = 0;
  for (const Arm& arm : row.arms) {
    if (*here < arm.minimum_capability || *here > arm.maximum_capability) continue;
    check_arm(arm);
    ++checked;
  }
  if (checked == 0) GTEST_SKIP() << "no arm for capability " << *here;
}

// "cuda_bf16_head_4096x64448": the build gives names that start with cuda the label gpu.
std::string test_name(const testing::TestParamInfo<KernelCase>& info) {
  std::string name = std::string(info.param.backend == Backend::cuda ? "cuda_" : "cpu_") + info.param.id;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Rows, Contract, testing::ValuesIn(decode_kernel_census().rows), test_name);

}  // namespace

}  // namespace kernels
