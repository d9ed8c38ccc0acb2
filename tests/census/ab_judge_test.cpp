// SPDX-License-Identifier: MIT
#include "samples.hpp"
#include <census/ab.hpp>
#include <census/ab_measure.hpp>

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace census {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<RowRun> runs_of(const std::string& row, std::size_t count, double us) {
  return std::vector<RowRun>(count, samples::run(row, us));
}

/// A row of six pairs whose control is steady.
PairedRuns pairs_of(const std::string& row, double base_us, double head_us) {
  return {.row = row,
          .base = runs_of(row, 6, base_us),
          .control = runs_of(row, 6, base_us),
          .head = runs_of(row, 6, head_us)};
}

AbReport judged(const std::vector<PairedRuns>& rows, const AbPolicy& policy = {}) {
  AbReport report;
  judge_pairs({.rows = rows}, policy, report);
  return report;
}

TEST(AbJudge, BlocksASlowRowAndNoOther) {
  const AbReport report = judged({pairs_of("a", 10, 10.3), pairs_of("b", 10, 10)});
  EXPECT_EQ(report.rows[0].kind, AbKind::slower);
  EXPECT_EQ(report.rows[1].kind, AbKind::pass);
  EXPECT_EQ(exit_code(report), 1);
}

TEST(AbJudge, HasNoAnswerWithoutANullControl) {
  PairedRuns row = pairs_of("a", 10, 10.3);
  row.control.clear();
  const AbReport report = judged({row});
  EXPECT_EQ(report.rows[0].kind, AbKind::inconclusive);
  EXPECT_THAT(report.inconclusive, HasSubstr("no null control"));
}

TEST(AbJudge, TakesAControlThatIsFasterForMovedToo) {
  PairedRuns row = pairs_of("a", 10, 10);
  row.control = runs_of("a", 6, 9.5);
  const AbReport report = judged({row});
  EXPECT_TRUE(report.controls[0].flagged);
  EXPECT_EQ(exit_code(report), 3);
}

TEST(AbJudge, KeepsAWrongOutputRedWhenTheControlMoved) {
  PairedRuns moved = pairs_of("a", 10, 10);
  moved.control = runs_of("a", 6, 9.5);
  PairedRuns wrong = pairs_of("b", 10, 10);
  wrong.head[0].status = RunStatus::incorrect;
  const AbReport report = judged({moved, wrong});
  EXPECT_EQ(report.rows[0].kind, AbKind::inconclusive);
  EXPECT_EQ(report.rows[1].kind, AbKind::incorrect);
  EXPECT_EQ(exit_code(report), 1);
}

TEST(AbJudge, CallsAnOutputThatChangesFromProcessToProcessIncorrect) {
  PairedRuns row = pairs_of("a", 10, 10);
  row.head[3].output_digest = "feed";
  const AbReport report = judged({row});
  EXPECT_EQ(report.rows[0].kind, AbKind::incorrect);
  EXPECT_THAT(report.rows[0].reason, HasSubstr("head's process of pair 4"));
}

TEST(AbJudge, ShowsANumericChangeBesideASlowdown) {
  PairedRuns row = pairs_of("a", 10, 10.3);
  for (auto& run : row.head) run.output_digest = "feed";
  const AbReport report = judged({row});
  EXPECT_EQ(report.rows[0].kind, AbKind::slower);
  ASSERT_EQ(report.rows[0].notices.size(), 1U);
  EXPECT_THAT(report.rows[0].notices[0], HasSubstr("numeric class changed"));
}

TEST(AbJudge, SaysThatTheArmsDiffer) {
  PairedRuns row = pairs_of("a", 10, 10);
  for (auto& run : row.head) run.arm = "stream";
  EXPECT_THAT(judged({row}).rows[0].notices[0], HasSubstr("base runs the arm plain, head stream"));
}

TEST(AbJudge, LetsAFindingOfEveryRunStandForTheDevice) {
  PairedRuns row = pairs_of("a", 10, 10.3);
  for (auto* runs : {&row.base, &row.head}) {
    for (auto& run : *runs) run.environment = {"power capped"};
  }
  EXPECT_EQ(judged({row}).rows[0].kind, AbKind::slower);
}

TEST(AbJudge, FailsEveryRowWhenAProcessBroke) {
  AbReport report;
  judge_pairs({.rows = {pairs_of("a", 10, 10)}, .failure = "head's process of pair 2: killed"}, {}, report);
  EXPECT_EQ(report.rows[0].kind, AbKind::failed);
  EXPECT_EQ(exit_code(report), 2);
}

TEST(AbJudge, CountsEqualCodeAsSameAfterOnePair) {
  PairedRuns row{.row = "a", .base = runs_of("a", 1, 10), .head = runs_of("a", 1, 11)};
  row.base[0].code_digest = row.head[0].code_digest = "c0de";
  const AbReport report = judged({row});
  EXPECT_EQ(report.rows[0].kind, AbKind::same_code);
  EXPECT_EQ(exit_code(report), 0);
}

TEST(AbJudge, GivesTheSlowdownThatThePlantReached) {
  PairedRuns row = pairs_of("a", 10, 10.3);
  for (auto& run : row.head) run.plant = Plant{3, 2.9, 16};
  EXPECT_DOUBLE_EQ(*judged({row}).rows[0].planted_percent, 2.9);
}

TEST(AbReport, OfNoRowsIsAnError) {
  EXPECT_EQ(exit_code(AbReport{}), 2);
}

TEST(AbReport, ReadsBackWhatItWrote) {
  AbReport report = judged({pairs_of("a", 10, 9.7)});
  report.base_file = "/base";
  const AbReport read = parse_ab_report(json_report(report), "ab.json");
  EXPECT_EQ(read.base_file, "/base");
  EXPECT_EQ(read.rows[0].kind, AbKind::faster);
  EXPECT_DOUBLE_EQ(*read.rows[0].shift_percent, *report.rows[0].shift_percent);
  EXPECT_EQ(read.rows[0].head_run_us, report.rows[0].head_run_us);
  EXPECT_EQ(read.controls[0].flagged, false);
}

TEST(AbReport, KeepsItsTextOnAPage) {
  const std::string text = text_report(judged({pairs_of("a", 10, 10.3)}));
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    EXPECT_LE(end - start, 80U) << text.substr(start, end - start);
    start = end + 1;
  }
}

}  // namespace
}  // namespace census
