// SPDX-License-Identifier: MIT
#include "samples.hpp"
#include <census/binomial.hpp>
#include <census/error.hpp>
#include <census/selftest.hpp>

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace census {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

SelftestTry equal_try(int unit, const std::string& row, const std::string& verdict) {
  return {.part = "aa", .unit = unit, .row = row, .verdict = verdict};
}

SelftestTry planted_try(double percent, double achieved, const std::string& verdict) {
  return {.part = "plant",
          .row = "a",
          .requested_percent = percent,
          .achieved_percent = achieved,
          .verdict = verdict};
}

SelftestSession session_of(const std::string& id, std::vector<SelftestTry> tries) {
  SelftestSession session{.id = id, .census = "c"};
  session.device = samples::h200();
  session.tries = std::move(tries);
  return session;
}

Rate rate_named(const Selftest& selftest, const std::string& part) {
  for (const auto& rate : rates(selftest)) {
    if (rate.name.find(part) != std::string::npos) return rate;
  }
  return {.name = "none"};
}

TEST(SelftestRates, CountWholeCallsAndRowsApart) {
  const Selftest selftest{{session_of("s", {equal_try(0, "a", "pass"), equal_try(0, "b", "regressed"),
                                            equal_try(0, "c", "regressed"), equal_try(1, "a", "pass")})}};
  const Rate calls = rate_named(selftest, "whole runs");
  EXPECT_EQ(calls.seen, 1);
  EXPECT_EQ(calls.tries, 2);
  EXPECT_DOUBLE_EQ(calls.bound, proportion_at_most(1, 2));
  const Rate rows = rate_named(selftest, "rows regressed");
  EXPECT_EQ(rows.seen, 2);
  EXPECT_EQ(rows.tries, 4);
}

TEST(SelftestRates, KeepCallsOfTheSameNumberInTwoSessionsApart) {
  const Selftest selftest{
      {session_of("s", {equal_try(0, "a", "pass")}), session_of("t", {equal_try(0, "a", "pass")})}};
  EXPECT_EQ(rate_named(selftest, "whole runs").tries, 2);
}

TEST(SelftestRates, CountEveryOtherVerdictAgainstAPlant) {
  const Selftest selftest{{session_of("s", {planted_try(5, 5.1, "regressed"), planted_try(5, 4.9, "pass"),
                                            planted_try(5, 5, "environment")})}};
  const Rate rate = rate_named(selftest, "5 % planted");
  EXPECT_EQ(rate.seen, 1);
  EXPECT_EQ(rate.tries, 3);
  EXPECT_EQ(rate.others, "1 environment, 1 pass");
  EXPECT_DOUBLE_EQ(rate.bound, proportion_at_least(1, 3));
}

TEST(SelftestRates, LeaveOutPlantsThatMissedTheirRequestAndSaySo) {
  const Selftest selftest{
      {session_of("s", {planted_try(5, 5.1, "regressed"), planted_try(5, 9, "regressed")})}};
  const Rate rate = rate_named(selftest, "5 % planted");
  EXPECT_EQ(rate.tries, 1);
  EXPECT_EQ(rate.left_out, 1);
}

TEST(SelftestRates, KeepPercentagesApart) {
  const Selftest selftest{{session_of("s", {planted_try(3, 3, "pass"), planted_try(5, 5, "regressed")})}};
  EXPECT_THAT(rates(selftest), SizeIs(2));
}

TEST(SelftestExit, IsOneForAFalseAlarmOrAWrongVerdictOnAFault) {
  EXPECT_EQ(exit_code(Selftest{{session_of("s", {equal_try(0, "a", "pass")})}}), 0);
  EXPECT_EQ(exit_code(Selftest{{session_of("s", {equal_try(0, "a", "regressed")})}}), 1);
  const auto fault = [](const std::string& verdict) {
    return Selftest{{session_of(
        "s", {{.part = "fault", .row = "a", .fault = "nan", .verdict = verdict, .expected = "invalid"}})}};
  };
  EXPECT_EQ(exit_code(fault("invalid")), 0);
  EXPECT_EQ(exit_code(fault("pass")), 1);
}

TEST(SelftestExit, IsThreeWhenNothingWasTried) {
  EXPECT_EQ(exit_code(Selftest{}), 3);
}

TEST(SelftestExit, DoesNotJudgePower) {
  EXPECT_EQ(exit_code(Selftest{{session_of("s", {planted_try(2, 2, "pass")})}}), 0);
}

TEST(SelftestMerge, AddsUp) {
  const Selftest one{{session_of("s", {equal_try(0, "a", "pass")})}};
  const Selftest two{{session_of("t", {equal_try(0, "a", "pass"), equal_try(1, "a", "pass")})}};
  EXPECT_EQ(rate_named(merge({one, two}), "whole runs").tries, 3);
}

TEST(SelftestMerge, RefusesTheSameSessionTwice) {
  const Selftest one{{session_of("s", {equal_try(0, "a", "pass")})}};
  EXPECT_THROW((void)merge({one, one}), UsageError);
}

TEST(SelftestMerge, RefusesTwoKindsOfDevice) {
  const Selftest one{{session_of("s", {})}};
  Selftest other{{session_of("t", {})}};
  other.sessions[0].device = samples::cpu();
  EXPECT_THROW((void)merge({one, other}), UsageError);
}

TEST(SelftestFile, ReadsBackWhatItWrote) {
  SelftestTry one = planted_try(5, 4.9, "regressed");
  one.run_us = {10.5, 10.6, 10.5, 10.7};
  one.first_runs = 3;
  one.baseline_us = 10;
  one.shift_percent = -1.5;
  const Selftest read = parse_selftest(json_report(Selftest{{session_of("s", {one})}}), "selftest.json");
  ASSERT_THAT(read.sessions, SizeIs(1));
  EXPECT_EQ(read.sessions[0].id, "s");
  EXPECT_EQ(read.sessions[0].device.name, "NVIDIA H200");
  const SelftestTry& back = read.sessions[0].tries.at(0);
  EXPECT_EQ(back.run_us, one.run_us);
  EXPECT_EQ(back.first_runs, 3);
  EXPECT_EQ(back.shift_percent, -1.5);
  EXPECT_EQ(back.requested_percent, 5);
}

/// A try as gate 1 records it: three runs, judged against 10 us.
SelftestTry recorded(std::vector<double> first, std::vector<double> confirmation = {}) {
  SelftestTry one{.part = "aa", .row = "a"};
  one.first_runs = static_cast<int>(first.size());
  one.run_us = std::move(first);
  one.run_us.insert(one.run_us.end(), confirmation.begin(), confirmation.end());
  one.ceiling_tbs = std::vector<double>(one.run_us.size(), 4.4);
  one.baseline_us = 10;
  one.baseline_ceiling_tbs = 4.4;
  one.tolerance_percent = 3;
  one.cold_bytes = samples::cold_bytes;
  return one;
}

TEST(JudgeAgain, GivesTheVerdictOfTheRecordedRuns) {
  const Policy policy = policy_for("nvidia-h200");
  EXPECT_EQ(judge_again(recorded({10, 10.1, 10}), policy).kind, Kind::pass);
  EXPECT_EQ(judge_again(recorded({10.5, 10.5, 10.5}, {10.5, 10.5, 10.5}), policy).kind, Kind::regressed);
  EXPECT_EQ(judge_again(recorded({10.5, 10.5, 10.5}, {10, 10, 10}), policy).kind, Kind::pass);
}

TEST(JudgeAgain, TriesANewPolicyOnOldRuns) {
  SelftestTry one = recorded({10.5, 10.5, 10.5}, {10.5, 10.5, 10.5});
  one.tolerance_percent.reset();
  EXPECT_EQ(judge_again(one, {.tolerance = 0.03}).kind, Kind::regressed);
  EXPECT_EQ(judge_again(one, {.tolerance = 0.08}).kind, Kind::pass);
}

TEST(JudgeAgain, BlamesTheDeviceWhenTheRecordedCeilingFell) {
  SelftestTry one = recorded({11, 11, 11}, {11, 11, 11});
  one.ceiling_tbs = std::vector<double>(6, 4.0);
  EXPECT_EQ(judge_again(one, policy_for("nvidia-h200")).kind, Kind::environment);
}

TEST(SelftestReport, NamesCountsAndBounds) {
  const Selftest selftest{{session_of("s", {equal_try(0, "a", "pass"), planted_try(5, 5, "pass")})}};
  EXPECT_THAT(text_report(selftest), HasSubstr("0 of 1, at most 95.0 %"));
  EXPECT_THAT(markdown_report(selftest),
              HasSubstr("| gate, 5 % planted: rows regressed | 0 of 1 | at least 0.0 % |"));
}

}  // namespace
}  // namespace census
