// SPDX-License-Identifier: MIT
// Each machine start of a baseline judged against the others.
#include "samples.hpp"
#include <census/find_baseline.hpp>
#include <census/selftest.hpp>

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace census {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A row of one start for each of these times, three equal runs in each.
BaselineRow row_of_starts(const std::vector<double>& us) {
  BaselineRow row = samples::baseline_row("a", 10);
  row.occasions.resize(us.size(), row.occasions[0]);
  for (std::size_t i = 0; i < us.size(); ++i) {
    row.occasions[i].id = "boot-" + std::to_string(i + 1);
    row.occasions[i].us = us[i];
    row.occasions[i].run_us = {us[i], us[i], us[i]};
  }
  return row;
}

std::vector<SelftestTry> tries(const BaselineRow& row, const std::vector<double>& percents = {}) {
  return leave_one_out(samples::baseline({row}), percents).tries;
}

std::vector<std::string> verdicts(const std::vector<SelftestTry>& tries) {
  std::vector<std::string> words;
  for (const auto& one : tries) words.push_back(one.verdict);
  return words;
}

TEST(LeaveOneOut, FindsEqualStartsEqual) {
  EXPECT_THAT(verdicts(tries(row_of_starts({10, 10, 10}))), ElementsAre("pass", "pass", "pass"));
}

TEST(LeaveOneOut, JudgesAStartByTheOthersAlone) {
  const auto all = tries(row_of_starts({10, 10.4, 10}));
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_DOUBLE_EQ(all[1].baseline_us.value(), 10);
  EXPECT_NEAR(all[1].shift_percent.value(), 4, 1e-9);
  EXPECT_THAT(verdicts(all), ElementsAre("pass", "regressed", "pass"));
}

// The code is what the baseline knows, which in a gate would excuse the start.
TEST(LeaveOneOut, LetsNoDigestExcuseAStart) {
  BaselineRow row = row_of_starts({10, 10.4, 10});
  row.code_digest = std::string(64, 'c');
  EXPECT_EQ(tries(row)[1].verdict, "regressed");
}

TEST(LeaveOneOut, AddsPlantsToWhatWasRecorded) {
  const auto all = tries(row_of_starts({10, 10, 10}), {2, 5});
  ASSERT_THAT(all, SizeIs(9));
  EXPECT_EQ(all[3].part, "left_out_plant");
  EXPECT_DOUBLE_EQ(all[3].run_us[0], 10.2);
  EXPECT_THAT(verdicts({all.begin() + 3, all.begin() + 6}), Each("pass"));
  EXPECT_THAT(verdicts({all.begin() + 6, all.end()}), Each("regressed"));
}

TEST(LeaveOneOut, PlantsInLargeRowsOnly) {
  BaselineRow row = row_of_starts({10, 10, 10});
  row.tbs = 1.9;  // of 10 us: 19 MB
  EXPECT_THAT(tries(row, {5}), SizeIs(3));
  row.tbs.reset();
  EXPECT_THAT(tries(row, {5}), SizeIs(3));
}

TEST(LeaveOneOut, TakesTheSecondLookFromRunsThatAreThere) {
  BaselineRow row = row_of_starts({10, 10, 10});
  row.occasions[1].run_us = {10.5, 10.5, 10.5, 10, 10, 10};
  EXPECT_EQ(tries(row)[1].verdict, "pass");
  row.occasions[1].run_us = {10.5, 10.5, 10.5, 10};
  EXPECT_EQ(tries(row)[1].verdict, "regressed");
}

TEST(LeaveOneOut, BlamesTheDeviceForAStartWithALowCeiling) {
  BaselineRow row = row_of_starts({10, 10.5, 10});
  row.occasions[1].ceiling_tbs = 4.1;
  EXPECT_EQ(tries(row)[1].verdict, "environment");
}

TEST(LeaveOneOut, LeavesOutRowsOfFewStarts) {
  EXPECT_THAT(tries(row_of_starts({10, 10}), {5}), IsEmpty());
}

TEST(LeaveOneOut, IsNotForBoundsOfTheCeiling) {
  Baseline baseline = samples::baseline({row_of_starts({10, 10, 10})});
  baseline.slug = "cpu-generic";
  baseline.device.name = generic_cpu_name;
  EXPECT_THAT(leave_one_out(baseline, {5}).tries, IsEmpty());
}

TEST(LeaveOneOut, CountsAStartOnceForAllItsRows) {
  BaselineRow other = row_of_starts({10, 10, 10});
  other.id = "b";
  Selftest selftest{{leave_one_out(samples::baseline({row_of_starts({10, 10.4, 10}), other}), {5})}};
  EXPECT_THAT(text_report(selftest),
              HasSubstr("recorded starts, nothing planted: whole runs with a row regressed: 1 of 3"));
  EXPECT_THAT(text_report(selftest), HasSubstr("recorded starts, nothing planted: rows regressed: 1 of 6"));
  EXPECT_EQ(exit_code(selftest), 1);
}

TEST(LeaveOneOut, IsJudgedAgainFromItsRecord) {
  const Selftest made{{leave_one_out(samples::baseline({row_of_starts({10, 10.2, 10.1})}), {5})}};
  const Selftest read = parse_selftest(json_report(made), "s.json");
  ASSERT_THAT(read.sessions, SizeIs(1));
  ASSERT_THAT(read.sessions[0].tries, SizeIs(6));
  for (const auto& one : read.sessions[0].tries)
    EXPECT_EQ(to_string(judge_again(one, policy_for("nvidia-h200")).kind), one.verdict) << one.reason;
}

// What is checked in: no start of a device is red by the others, and every one finds a tenth more.
TEST(LeaveOneOut, OfTheBaselinesThatAreCheckedIn) {
  int judged = 0;
  for (const auto& [file, baseline] : readable_baselines(PROJECT_SOURCE_DIR "/baselines")) {
    for (const auto& one : leave_one_out(baseline, {10}).tries) {
      EXPECT_EQ(one.verdict == "regressed", one.part == "left_out_plant")
          << file << " " << one.row << ": " << one.reason;
      ++judged;
    }
  }
  EXPECT_GT(judged, 0);
}

}  // namespace
}  // namespace census
