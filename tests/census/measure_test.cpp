// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/measure.hpp>

#include <gmock/gmock.h>

#include <limits>

namespace census {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::int64_t mib = 1LL << 20;
constexpr std::int64_t gib = 1LL << 30;
constexpr Bytes plenty{100 * gib};
const Device h200{.name = "NVIDIA H200", .capability = 90, .last_level_cache = {60 * mib}};

KernelCase row_of(std::int64_t cold_bytes) {
  return {.id = "bf16.small.8x8", .cold_bytes = {cold_bytes}};
}

TEST(PlanCopies, FillsOneGibibyte) {
  EXPECT_EQ(plan_copies(row_of(100 * mib), h200, plenty, {}).copies, 11);
}

TEST(PlanCopies, FillsFourTimesALargeCache) {
  const Device device{.last_level_cache = {512 * mib}};
  EXPECT_EQ(plan_copies(row_of(100 * mib), device, plenty, {}).copies, 21);  // 2048 / 100
}

TEST(PlanCopies, MakesAtLeastTwo) {
  EXPECT_EQ(plan_copies(row_of(3 * gib), h200, plenty, {}).copies, 2);
}

TEST(PlanCopies, MakesAtMost256) {
  EXPECT_EQ(plan_copies(row_of(1 * mib), h200, plenty, {}).copies, 256);
}

TEST(PlanCopies, MakesSixteenOfAResidentRowWhateverItsSize) {
  KernelCase row = row_of(0);
  row.resident = true;
  row.other_bytes = {4096};
  EXPECT_EQ(plan_copies(row, h200, plenty, {}).copies, 16);
}

TEST(PlanCopies, MakesOneForAHotCache) {
  EXPECT_EQ(plan_copies(row_of(100 * mib), h200, plenty, {.hot = true}).copies, 1);
}

TEST(PlanCopies, FollowsAGivenFootprintIntoTheCache) {
  const CopyPlan plan = plan_copies(row_of(1 * mib), h200, plenty, {.footprint_override = Bytes{4 * mib}});
  EXPECT_EQ(plan.copies, 4);
  EXPECT_FALSE(plan.invalid);
}

TEST(PlanCopies, CallsARowInvalidWhoseMostCopiesLieInsideTheCacheRule) {
  const CopyPlan plan = plan_copies(row_of(mib / 2), h200, plenty, {});  // 128 MiB < 240 MiB
  EXPECT_TRUE(plan.invalid);
  EXPECT_THAT(plan.reason, HasSubstr("too small to be measured cold"));
}

TEST(PlanCopies, NoticesFewerCopiesWhereMemoryIsShort) {
  // The probe's buffer doubles each copy: 1200 MiB hold 6, enough for 4 x 60 MiB.
  const CopyPlan plan = plan_copies(row_of(100 * mib), h200, {1200 * mib}, {});
  EXPECT_EQ(plan.copies, 6);
  EXPECT_THAT(plan.notice, HasSubstr("6 copies instead of 11: free memory is"));
}

TEST(PlanCopies, CountsTheOtherBytesOfACopy) {
  KernelCase row = row_of(100 * mib);
  row.other_bytes = {100 * mib};
  EXPECT_EQ(plan_copies(row, h200, {1200 * mib}, {}).copies, 4);
}

TEST(PlanCopies, IsInvalidWhereMemoryCannotHoldFourTimesTheCache) {
  const CopyPlan plan =
      plan_copies(row_of(100 * mib), h200, {500 * mib}, {});  // 3 copies and the probe: 600 MiB
  EXPECT_TRUE(plan.invalid);
  EXPECT_EQ(plan.copies, 0);
  EXPECT_THAT(plan.reason, AllOf(HasSubstr("(629145600 B)"), HasSubstr("(524288000 B)")));
}

TEST(PlanCopies, SaysNothingWhereAllIsWell) {
  const CopyPlan plan = plan_copies(row_of(100 * mib), h200, plenty, {});
  EXPECT_EQ(plan.reason + plan.notice, "");
}

const KernelCase armed{
    .id = "bf16.head.8x8",
    .arms = {{.name = "stream", .minimum_capability = 90, .maximum_capability = 103, .needs = "sm_90"},
             {.name = "plain", .minimum_capability = 80, .needs = "sm_80"}}};

TEST(ChooseArm, TakesTheFirstThatTheDeviceRuns) {
  EXPECT_EQ(choose_arm(armed, h200, "").name, "stream");
}

TEST(ChooseArm, SkipsAnArmThatNeedsANewerDevice) {
  EXPECT_EQ(choose_arm(armed, Device{.capability = 80}, "").name, "plain");
}

TEST(ChooseArm, SkipsAnArmOfOlderDevices) {
  EXPECT_EQ(choose_arm(armed, Device{.capability = 120}, "").name, "plain");
}

TEST(ChooseArm, TakesTheForcedOne) {
  EXPECT_EQ(choose_arm(armed, h200, "plain").name, "plain");
}

TEST(ChooseArm, SaysWhatAForcedArmNeeds) {
  EXPECT_THAT(
      [] { (void)choose_arm(armed, Device{.name = "NVIDIA A100", .capability = 80}, "stream"); },
      ThrowsMessage<UsageError>(HasSubstr("arm 'stream' needs sm_90, NVIDIA A100 has capability 80")));
}

TEST(ChooseArm, ListsTheArmsWhenThereIsNoneOfThatName) {
  EXPECT_THAT([] { (void)choose_arm(armed, h200, "fast"); },
              ThrowsMessage<UsageError>(
                  HasSubstr("no arm 'fast'; there are stream (needs sm_90), plain (needs sm_80)")));
}

TEST(ChooseArm, SaysThatNoArmRunsHere) {
  EXPECT_THAT([] { (void)choose_arm(armed, Device{.name = "NVIDIA T4", .capability = 75}, ""); },
              ThrowsMessage<UsageError>(HasSubstr("no arm runs on NVIDIA T4 (capability 75)")));
}

TEST(OutputDigest, OfNothingIsTheOffsetBasis) {
  EXPECT_EQ(output_digest({}), "cbf29ce484222325");
}

TEST(OutputDigest, HashesLittleEndianBytes) {
  // The bytes 'a', 'b', 'c', 0 as one float: the published hash of "abc", one more step with a zero byte.
  const float abc = std::bit_cast<float>(0x00636261u);
  std::uint64_t expected = 0xe71fa2190541574bu;
  expected *= 0x100000001b3u;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(expected));
  EXPECT_EQ(output_digest({abc}), text);
}

TEST(OutputDigest, TellsTheZerosApart) {
  EXPECT_NE(output_digest({0.0f}), output_digest({-0.0f}));
}

TEST(OutputDigest, DependsOnTheOrder) {
  EXPECT_NE(output_digest({1.0f, 2.0f}), output_digest({2.0f, 1.0f}));
}

}  // namespace
}  // namespace census
