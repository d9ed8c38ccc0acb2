// SPDX-License-Identifier: MIT
#include <census/code_digest.hpp>

#include <gmock/gmock.h>

#include <functional>

namespace census {
namespace {

using ::testing::HasSubstr;

LaunchedKernel kernel() {
  return {
      .name = "gemv", .registers = 40, .per_launch = 1, .attributes = "edge 1.0.1", .code_sha256 = "c0de"};
}

const LaunchSettings settings{.arm = "plain"};

std::string digest_of(const std::vector<LaunchedKernel>& kernels, const LaunchSettings& how = settings) {
  return code_digest(kernels, how).sha256.value_or("null");
}

TEST(CodeDigest, IsEqualForTheSameLaunchUnderAnotherName) {
  LaunchedKernel renamed = kernel();
  renamed.name = "moved to another file";
  EXPECT_EQ(digest_of({renamed}), digest_of({kernel()}));
  EXPECT_EQ(digest_of({kernel()}).size(), 64U);
}

TEST(CodeDigest, ChangesWithEveryPropertyOfTheLaunch) {
  const std::vector<std::function<void(LaunchedKernel&)>> changes{
      [](auto& k) { k.code_sha256 = "0ther"; },
      [](auto& k) { k.grid[1] = 2; },
      [](auto& k) { k.block[0] = 64; },
      [](auto& k) { k.cluster[0] = 2; },
      [](auto& k) { k.dynamic_shared_bytes = 16; },
      [](auto& k) { k.static_shared_bytes = 16; },
      [](auto& k) { k.registers = 41; },
      [](auto& k) { k.spill_bytes = 8; },
      [](auto& k) { k.attributes = "edge 0.0.0"; },
      [](auto& k) { k.per_launch = 2; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    LaunchedKernel changed = kernel();
    changes[i](changed);
    EXPECT_NE(digest_of({changed}), digest_of({kernel()})) << "change " << i;
  }
}

TEST(CodeDigest, ChangesWithArmLayoutTuningAndPlant) {
  const std::string usual = digest_of({kernel()});
  EXPECT_NE(digest_of({kernel()}, {.arm = "stream"}), usual);
  EXPECT_NE(digest_of({kernel()}, {.arm = "plain", .weight_layout = 2}), usual);
  EXPECT_NE(digest_of({kernel()}, {.arm = "plain", .tuning = "2 of 6 slots"}), usual);
  EXPECT_NE(digest_of({kernel()}, {.arm = "plain", .plant_percent = 5}), usual);
}

TEST(CodeDigest, DoesNotDependOnTheOrderOfTheKernels) {
  LaunchedKernel other = kernel();
  other.code_sha256 = "0ther";
  EXPECT_EQ(digest_of({kernel(), other}), digest_of({other, kernel()}));
  EXPECT_NE(digest_of({kernel(), other}), digest_of({kernel()}));
}

TEST(CodeDigest, IsUnknownWithTheReasonOfTheKernelWhoseCodeIs) {
  LaunchedKernel unknown = kernel();
  unknown.code_sha256.reset();
  unknown.code_reason = "compressed";
  const KernelCode digest = code_digest({kernel(), unknown}, settings);
  EXPECT_FALSE(digest.sha256);
  EXPECT_EQ(digest.reason, "kernel gemv: compressed");
  EXPECT_THAT(code_digest({}, settings).reason, HasSubstr("not known"));
}

}  // namespace
}  // namespace census
