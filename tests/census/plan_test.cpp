// SPDX-License-Identifier: MIT
#include <census/plan.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

KernelCase row(const std::string& id, Backend backend, std::vector<Use> uses) {
  KernelCase made;
  made.id = id;
  made.backend = backend;
  made.cold_bytes = {1'000'000};
  made.uses = std::move(uses);
  return made;
}

RowRun run(const std::string& id, double us, std::optional<double> floor_us = std::nullopt) {
  RowRun made;
  made.row = id;
  made.status = RunStatus::measured;
  made.row_series.median_us = us;
  if (floor_us) made.floor = Series{{}, *floor_us, *floor_us, *floor_us};
  return made;
}

/// Two rows, of 10 and of 3 calls, both on the GPU; the second on the CPU, too.
Census two_rows() {
  Census census;
  census.plans = {"token"};
  census.rows = {row("a", Backend::cuda, {{"token", 10}}), row("b", Backend::cuda, {{"token", 3}}),
                 row("b", Backend::cpu, {{"token", 3}})};
  return census;
}

TEST(PlanSum, CountsEachRowsCalls) {
  const auto sum = plan_sum(two_rows(), "token", {run("a", 100), run("b", 1000)});
  EXPECT_DOUBLE_EQ(sum.measured_ms.value(), 4.0);  // 10 x 0.1 + 3 x 1
  EXPECT_EQ(sum.launches_per_token, 13);
}

TEST(PlanSum, BoundsTokensPerSecondByTheMeasuredTime) {
  EXPECT_DOUBLE_EQ(plan_sum(two_rows(), "token", {run("a", 100), run("b", 1000)}).tokens_per_s.value(),
                   250.0);
}

TEST(PlanSum, CountsTheBytesOfARowOnceThoughTwoBackendsHaveIt) {
  EXPECT_EQ(plan_sum(two_rows(), "token", {}).bytes_per_token.value, 13'000'000);
}

TEST(PlanSum, NamesARowThatWasNotMeasuredAndClaimsNoBound) {
  const auto sum = plan_sum(two_rows(), "token", {run("a", 100)});
  EXPECT_THAT(sum.missing, ElementsAre("b"));
  EXPECT_FALSE(sum.tokens_per_s.has_value());
}

TEST(PlanSum, CountsARowThatFailedAsMissing) {
  auto failed = run("b", 1000);
  failed.status = RunStatus::incorrect;
  EXPECT_THAT(plan_sum(two_rows(), "token", {run("a", 100), failed}).missing, ElementsAre("b"));
}

TEST(PlanSum, NamesARowThatHasNoKernelYet) {
  auto census = two_rows();
  census.planned = {{"c", {{"token", 1}}}, {"d", {{"other", 1}}}};
  EXPECT_THAT(plan_sum(census, "token", {run("a", 100), run("b", 1000)}).missing, ElementsAre("c"));
}

TEST(PlanSum, ListsARowOutsideTheSumsWithoutCountingIt) {
  auto census = two_rows();
  census.rows.push_back(row("extra", Backend::cuda, {{"token", 45, false}}));
  const auto sum = plan_sum(census, "token", {run("a", 100), run("b", 1000), run("extra", 1000)});
  EXPECT_EQ(sum.lines.size(), 3U);
  EXPECT_DOUBLE_EQ(sum.measured_ms.value(), 4.0);
  EXPECT_EQ(sum.bytes_per_token.value, 13'000'000);
}

TEST(PlanSum, MissesNoRowOutsideTheSums) {
  auto census = two_rows();
  census.rows.push_back(row("extra", Backend::cuda, {{"token", 45, false}}));
  EXPECT_THAT(plan_sum(census, "token", {run("a", 100), run("b", 1000)}).missing, IsEmpty());
}

TEST(PlanSum, LeavesWhatIsAboveTheFloorAsResidual) {
  const auto sum = plan_sum(two_rows(), "token", {run("a", 100, 80), run("b", 1000, 900)});
  EXPECT_DOUBLE_EQ(sum.floor_ms.value(), 3.5);  // 10 x 0.08 + 3 x 0.9
  EXPECT_DOUBLE_EQ(sum.residual_ms.value(), 0.5);
}

TEST(PlanSum, ShowsWhatEmptyLaunchesWouldTake) {
  auto census = two_rows();
  census.rows.push_back(row("launch.empty", Backend::cuda, {}));
  const auto sum = plan_sum(census, "token", {run("a", 100), run("b", 1000), run("launch.empty", 2)});
  EXPECT_DOUBLE_EQ(sum.launch_ms.value(), 0.026);  // 13 launches
}

TEST(PlanSum, HasNoTimeWhereNoRowWasMeasured) {
  const auto sum = plan_sum(two_rows(), "token", {});
  EXPECT_FALSE(sum.measured_ms.has_value());
}

TEST(PlanSum, TakesTheMedianOfSeveralRuns) {
  const auto sum =
      plan_sum(two_rows(), "token", {run("a", 90), run("a", 100), run("a", 500), run("b", 1000)});
  EXPECT_DOUBLE_EQ(sum.measured_ms.value(), 4.0);
}

}  // namespace
}  // namespace census
