// SPDX-License-Identifier: MIT
#include "samples.hpp"
#include <census/judge.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const Policy cpu_policy = policy_for("cpu-generic");

/// One run per share, of a ceiling of 0.04 TB/s.
std::vector<RunFacts> shares(const std::vector<double>& values) {
  std::vector<RunFacts> made;
  for (const double share : values) {
    RunFacts run;
    run.tbs = share * 0.04;
    run.us = 40 / *run.tbs;
    run.ceiling_tbs = 0.04;
    run.output_digest = samples::digest;
    made.push_back(run);
  }
  return made;
}

BaselineRow bounded(std::optional<double> bound) {
  BaselineRow row = samples::baseline_row("a", 1000);
  row.min_ceiling_fraction = bound;
  return row;
}

Verdict judge_shares(const std::vector<double>& first, const std::vector<double>& confirmation = {}) {
  const BaselineRow row = bounded(0.35);
  return judge({shares(first), shares(confirmation)}, &row, nullptr, cpu_policy);
}

TEST(JudgeFraction, AtLeastTheBoundPassesHoweverSlowTheMachine) {
  const Verdict v = judge_shares({0.35, 0.35, 0.35});
  EXPECT_EQ(v.kind, Kind::pass);
  EXPECT_EQ(v.reason, "median of 3 runs 0.35 of the ceiling >= 0.35");
  EXPECT_DOUBLE_EQ(v.bound_percent.value(), 35);
  EXPECT_THAT(v.notices, IsEmpty());
}

TEST(JudgeFraction, BelowTheBoundAsksForConfirmationAndThenIsRegressed) {
  EXPECT_TRUE(judge_shares({0.3, 0.3, 0.9}).needs_confirmation);
  const Verdict v = judge_shares({0.3, 0.3, 0.9}, {0.31, 0.31, 0.31});
  EXPECT_EQ(v.kind, Kind::regressed);
  EXPECT_FALSE(v.needs_confirmation);
  EXPECT_EQ(v.reason, "median of 3 runs 0.30 of the ceiling < 0.35 (confirmed 0.31)");
}

TEST(JudgeFraction, UnconfirmedIsAPassWithANotice) {
  const Verdict v = judge_shares({0.3, 0.3, 0.3}, {0.7, 0.7, 0.7});
  EXPECT_EQ(v.kind, Kind::pass);
  EXPECT_THAT(v.notices, Contains(HasSubstr("did not confirm it")));
}

TEST(JudgeFraction, AFindingExcusesALowShare) {
  Runs runs{shares({0.3, 0.3, 0.3}), {}};
  runs.first[0].environment = {"the machine is busy"};
  const BaselineRow row = bounded(0.35);
  const Verdict v = judge(runs, &row, nullptr, cpu_policy);
  EXPECT_EQ(v.kind, Kind::environment);
  EXPECT_THAT(v.reason, HasSubstr("but the machine is busy"));
}

TEST(JudgeFraction, ThereIsNoImprovedAndNoInconclusive) {
  EXPECT_EQ(judge_shares({1.0, 1.0, 1.0}).kind, Kind::pass);
  EXPECT_EQ(judge_shares({0.1, 0.5, 1.0}).kind, Kind::pass);
}

TEST(JudgeFraction, AboveTheCeilingIsANoticeAndAboveTwiceInvalid) {
  EXPECT_THAT(judge_shares({1.2, 1.2, 1.2}).notices, Contains(HasSubstr("more than 1.10")));
  EXPECT_EQ(judge_shares({1.2, 1.2, 2.5}).kind, Kind::pass);
  EXPECT_EQ(judge_shares({2.1, 2.1, 2.1}).kind, Kind::invalid);
}

TEST(JudgeFraction, AWrongOutputIsIncorrectHoweverFast) {
  BaselineRow row = bounded(0.35);
  row.output_digest = "ffff";
  EXPECT_EQ(judge({shares({0.9, 0.9, 0.9}), {}}, &row, nullptr, cpu_policy).kind, Kind::incorrect);
}

TEST(JudgeFraction, AResidentRowPassesAndSaysThatItsTimeWasNotJudged) {
  Runs runs{shares({0.5, 0.5, 0.5}), {}};
  for (RunFacts& run : runs.first) run.tbs.reset();
  const BaselineRow row = bounded(std::nullopt);
  const Verdict v = judge(runs, &row, nullptr, cpu_policy);
  EXPECT_EQ(v.kind, Kind::pass);
  EXPECT_THAT(v.notices, Contains(HasSubstr("time not judged: a resident row")));
}

TEST(JudgeFraction, WithoutACeilingABoundCannotBeJudged) {
  Runs runs{shares({0.5, 0.5, 0.5}), {}};
  for (RunFacts& run : runs.first) run.ceiling_tbs.reset();
  const BaselineRow row = bounded(0.35);
  EXPECT_EQ(judge(runs, &row, nullptr, cpu_policy).kind, Kind::invalid);
}

TEST(JudgeFraction, ACheckedOnlyRowIsNotGreen) {
  Runs runs{shares({0.5}), {}};
  runs.first[0].status = RunFacts::Status::checked_only;
  const BaselineRow row = bounded(0.35);
  EXPECT_EQ(judge(runs, &row, nullptr, cpu_policy).kind, Kind::environment);
}

}  // namespace
}  // namespace census
