// SPDX-License-Identifier: MIT
// Everything that decides before times are compared, and comparing by time.
#include "samples.hpp"
#include <census/judge.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace census {
namespace {

using samples::baseline_row;
using samples::control;
using samples::run_facts;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Policy three_percent{.tolerance = 0.03};

Verdict judge_us(const std::vector<double>& first, const std::vector<double>& confirmation = {}) {
  const BaselineRow row = baseline_row("a", 10.0);
  const Control ceiling = control();
  return judge({run_facts(first), run_facts(confirmation)}, &row, &ceiling, three_percent);
}

/// The verdict on three slow runs, confirmed, after `change` was made to each run, the row and the control.
template <class Change>
Verdict judge_slow(Change change) {
  Runs runs{run_facts({11, 11, 11}), run_facts({11, 11, 11})};
  BaselineRow row = baseline_row("a", 10.0);
  Control ceiling = control();
  change(runs, row, ceiling);
  return judge(runs, &row, &ceiling, three_percent);
}

Verdict judge_with_status(RunFacts::Status status) {
  Runs runs{run_facts({10, 10, 10}), {}};
  runs.first[1].status = status;
  runs.first[1].reason = "because";
  const BaselineRow row = baseline_row("a", 10.0);
  const Control ceiling = control();
  return judge(runs, &row, &ceiling, three_percent);
}

TEST(Judge, MedianOfRunsBeyondToleranceIsARegressionToBeConfirmed) {
  const Runs runs{run_facts({11.0, 11.1, 11.0}), {}};
  const BaselineRow row = baseline_row("a", 10.0);
  const Verdict v = judge(runs, &row, nullptr, Policy{.tolerance = 0.05});
  EXPECT_EQ(v.kind, Kind::regressed);
  EXPECT_TRUE(v.needs_confirmation);
  EXPECT_EQ(v.reason, "median of 3 runs 11.00 us > 10.00 us + 5 %");
}

TEST(Judge, AConfirmedRegressionNamesBothMedians) {
  const Verdict v = judge_us({12.9, 12.8, 13.0}, {12.8, 12.7, 12.9});
  EXPECT_EQ(v.kind, Kind::regressed);
  EXPECT_FALSE(v.needs_confirmation);
  EXPECT_EQ(v.reason, "median of 3 runs 12.90 us > 10.00 us + 3 % (confirmed 12.80 us)");
}

TEST(Judge, AnUnconfirmedRegressionIsAPassWithANotice) {
  const Verdict v = judge_us({11, 11, 11}, {10.1, 10.1, 10.1});
  EXPECT_EQ(v.kind, Kind::pass);
  EXPECT_FALSE(v.needs_confirmation);
  EXPECT_THAT(v.notices, Contains(HasSubstr("10.10 us did not confirm it")));
}

TEST(Judge, AMedianAtTheLimitPasses) {
  EXPECT_EQ(judge_us({10.3, 10.3, 10.3}).kind, Kind::pass);
  EXPECT_EQ(judge_us({10.301, 10.301, 10.301}).kind, Kind::regressed);
}

TEST(Judge, APassNamesValueAndLimitAndCarriesTheNumbers) {
  const Verdict v = judge_us({10.1, 10.0, 10.2});
  EXPECT_EQ(v.reason, "median of 3 runs 10.10 us within 10.00 us + 3 %");
  EXPECT_EQ(v.us, 10.1);
  EXPECT_EQ(v.baseline_us, 10.0);
  EXPECT_DOUBLE_EQ(v.limit_us.value(), 10.3);
  EXPECT_DOUBLE_EQ(v.ratio.value(), 1.01);
  EXPECT_DOUBLE_EQ(v.tolerance_percent.value(), 3);
  EXPECT_NEAR(v.tbs.value(), 40 / 10.1, 1e-12);
  EXPECT_NEAR(v.ceiling_percent.value(), 100 * 40 / 10.1 / 4.4, 1e-9);
  EXPECT_NEAR(v.mde_percent.value(), 100 * (0.03 + 1.645 * 0.005 * std::sqrt(4.0 / 3)), 1e-9);
}

TEST(Judge, OneSlowRunOfThreeDoesNotMatter) {
  EXPECT_EQ(judge_us({10, 10.5, 10}).kind, Kind::pass);
}

TEST(Judge, FasterThanToleranceIsImproved) {
  const Verdict v = judge_us({9.6, 9.6, 9.6});
  EXPECT_EQ(v.kind, Kind::improved);
  EXPECT_EQ(v.reason, "median of 3 runs 9.600 us < 10.00 us - 3 %: the baseline is stale, refresh it");
  EXPECT_EQ(judge_us({9.7, 9.7, 9.7}).kind, Kind::pass);
}

TEST(Judge, ATimerTickNeverMakesAShortRowRed) {
  const BaselineRow row = baseline_row("launch.empty", 1.0);
  Runs runs{run_facts({1.04, 1.04, 1.04}), {}};
  for (RunFacts& run : runs.first) run.tbs.reset();
  EXPECT_EQ(judge(runs, &row, nullptr, three_percent).kind, Kind::pass);
  for (RunFacts& run : runs.first) run.us = 1.06;
  const Verdict v = judge(runs, &row, nullptr, three_percent);
  EXPECT_EQ(v.kind, Kind::regressed);
  EXPECT_THAT(v.reason, HasSubstr("1.060 us > 1.000 us + 0.05 us"));
}

TEST(Judge, AProvisionalRowUsesThePolicysToleranceAndAnotherItsOwn) {
  const Runs runs{run_facts({10.25, 10.25, 10.25}), {}};
  BaselineRow row = baseline_row("a", 10.0);
  row.tolerance = 0.02;
  EXPECT_EQ(judge(runs, &row, nullptr, three_percent).kind, Kind::pass);
  row.provisional = false;
  EXPECT_EQ(judge(runs, &row, nullptr, three_percent).kind, Kind::regressed);
}

TEST(Judge, RunsThatStraddleTheLimitWidelyAreInconclusive) {
  const Verdict v = judge_us({10.0, 10.2, 10.9});
  EXPECT_EQ(v.kind, Kind::inconclusive);
  EXPECT_TRUE(v.needs_confirmation);
  EXPECT_THAT(v.reason, HasSubstr("10.00 us to 10.90 us"));
}

TEST(Judge, RunsThatRangeOverLessThanTwoTolerancesAreNotInconclusive) {
  EXPECT_EQ(judge_us({10.0, 10.2, 10.55}).kind, Kind::pass);
}

TEST(Judge, RunsThatAreAllAboveTheLimitAreARegressionHoweverWideTheyRange) {
  EXPECT_EQ(judge_us({10.5, 11.0, 12.0}).kind, Kind::regressed);
}

TEST(Judge, InconclusiveRunsAreSettledByTheirConfirmation) {
  EXPECT_EQ(judge_us({10.0, 10.2, 10.9}, {10, 10, 10}).kind, Kind::pass);
  EXPECT_EQ(judge_us({10.0, 10.8, 10.9}, {11, 11, 11}).kind, Kind::regressed);
  EXPECT_EQ(judge_us({10.0, 10.2, 10.9}, {11, 11, 11}).kind, Kind::inconclusive);
  EXPECT_EQ(judge_us({10.0, 10.2, 10.9}, {10.0, 10.9, 10.9}).kind, Kind::inconclusive);
  EXPECT_EQ(judge_us({11, 11, 11}, {10.0, 10.9, 10.9}).kind, Kind::inconclusive);
}

TEST(Judge, AFindingInOneRunTurnsARegressionIntoTheEnvironmentsFault) {
  const Verdict v = judge_slow(
      [](Runs& runs, BaselineRow&, Control&) { runs.confirmation[2].environment = {"it is hot"}; });
  EXPECT_EQ(v.kind, Kind::environment);
  EXPECT_EQ(v.reason, "median of 3 runs 11.00 us > 10.00 us + 3 % (confirmed 11.00 us), but it is hot");
}

TEST(Judge, ASoundSlowRowIsRegressed) {
  EXPECT_EQ(judge_slow([](Runs&, BaselineRow&, Control&) {}).kind, Kind::regressed);
}

TEST(Judge, AFindingLeavesAPassAPassWithANotice) {
  Runs runs{run_facts({10, 10, 10}), {}};
  runs.first[0].environment = {"it is hot"};
  const BaselineRow row = baseline_row("a", 10.0);
  const Control ceiling = control();
  const Verdict v = judge(runs, &row, &ceiling, three_percent);
  EXPECT_EQ(v.kind, Kind::pass);
  EXPECT_THAT(v.notices, ElementsAre("it is hot"));
}

TEST(Judge, ACeilingThatFellTooIsTheEnvironmentsFault) {
  const Verdict v = judge_slow([](Runs&, BaselineRow&, Control& c) { c.ceiling_tbs = 4.4 / 0.95; });
  EXPECT_EQ(v.kind, Kind::environment);
  EXPECT_THAT(v.reason, HasSubstr("the ceiling is 5 % below the baseline's"));
}

TEST(Judge, ACeilingThatRoseExcusesNothing) {
  EXPECT_EQ(judge_slow([](Runs&, BaselineRow&, Control& c) { c.ceiling_tbs = 4.2; }).kind, Kind::regressed);
}

TEST(Judge, AControlOfTenOccasionsHasItsOwnTolerance) {
  const auto change = [](Runs&, BaselineRow&, Control& c) {
    c.occasions.resize(10);
    c.tolerance = 0.08;
    c.ceiling_tbs = 4.4 / 0.95;
  };
  EXPECT_EQ(judge_slow(change).kind, Kind::regressed);
}

// 10.4 us is above 10.3 us, but the ceiling is 2 % lower: 10.4 * 0.98 = 10.19 us.
TEST(Judge, RawAndControlNormalisedThatDisagreeAreNotARegression) {
  const auto change = [](Runs& runs, BaselineRow&, Control& c) {
    runs = {run_facts({10.4, 10.4, 10.4}), run_facts({10.4, 10.4, 10.4})};
    c.ceiling_tbs = 4.4 / 0.98;
  };
  const Verdict v = judge_slow(change);
  EXPECT_EQ(v.kind, Kind::environment);
  EXPECT_THAT(v.reason, HasSubstr("scaled by it the row takes 10.19 us"));
}

TEST(Judge, AResidentRowIsNotScaledByTheCeiling) {
  const auto change = [](Runs& runs, BaselineRow&, Control& c) {
    runs = {run_facts({10.4, 10.4, 10.4}), run_facts({10.4, 10.4, 10.4})};
    for (auto* group : {&runs.first, &runs.confirmation}) {
      for (RunFacts& run : *group) run.tbs.reset();
    }
    c.ceiling_tbs = 4.4 / 0.98;
  };
  EXPECT_EQ(judge_slow(change).kind, Kind::regressed);
}

// The ceiling is 2 % up and the row stayed: 10.2 * 1.02 = 10.40 us, above 10.3 us.
TEST(Judge, APassOnAFasterDeviceSaysThatItsShareFell) {
  const Runs runs{run_facts({10.2, 10.2, 10.2}), {}};
  const BaselineRow row = baseline_row("a", 10.0);
  Control ceiling = control();
  ceiling.ceiling_tbs = 4.4 / 1.02;
  const Verdict v = judge(runs, &row, &ceiling, three_percent);
  EXPECT_EQ(v.kind, Kind::pass);
  EXPECT_THAT(v.notices,
              ElementsAre("the ceiling is 2 % above the baseline's, and scaled by it the row takes 10.40 us, "
                          "above the limit"));
}

TEST(Judge, AnImprovementThatTheCeilingSharesIsNotCalledOne) {
  const Runs runs{run_facts({9.6, 9.6, 9.6}), {}};
  const BaselineRow row = baseline_row("a", 10.0);
  Control ceiling = control();
  ceiling.ceiling_tbs = 4.4 / 1.04;
  EXPECT_EQ(judge(runs, &row, &ceiling, three_percent).kind, Kind::pass);
}

TEST(Judge, AKnownEqualCodeDigestIsNotTheCodesFault) {
  const auto equal = [](Runs& runs, BaselineRow& row, Control&) {
    row.code_digest = "c0de";
    for (auto* group : {&runs.first, &runs.confirmation}) {
      for (RunFacts& run : *group) run.code_digest = "c0de";
    }
  };
  EXPECT_EQ(judge_slow(equal).kind, Kind::environment);
  EXPECT_THAT(judge_slow(equal).reason, HasSubstr("machine code is the same"));
  const auto one_differs = [&](Runs& runs, BaselineRow& row, Control& c) {
    equal(runs, row, c);
    runs.first[1].code_digest = "other";
  };
  EXPECT_EQ(judge_slow(one_differs).kind, Kind::regressed);
}

TEST(Judge, AnUnknownCodeDigestOnBothSidesIsNotAnEqualOne) {
  EXPECT_EQ(judge_slow([](Runs&, BaselineRow& row, Control&) { row.code_digest.reset(); }).kind,
            Kind::regressed);
}

TEST(Judge, InconclusiveRunsWithAFindingAreTheEnvironmentsFault) {
  const auto change = [](Runs& runs, BaselineRow&, Control&) {
    runs = {run_facts({10.0, 10.2, 10.9}), {}};
    runs.first[2].environment = {"another process"};
  };
  EXPECT_EQ(judge_slow(change).kind, Kind::environment);
}

TEST(Judge, WithoutAControlAPassSaysSo) {
  const Runs runs{run_facts({10, 10, 10}), {}};
  const BaselineRow row = baseline_row("a", 10.0);
  EXPECT_THAT(judge(runs, &row, nullptr, three_percent).notices, ElementsAre(HasSubstr("no ceiling")));
}

TEST(Judge, AStatusOfOneRunDecidesWithItsReason) {
  using Status = RunFacts::Status;
  for (const auto& [status, kind] : {std::pair{Status::error, Kind::error},
                                     {Status::incorrect, Kind::incorrect},
                                     {Status::invalid, Kind::invalid},
                                     {Status::no_device, Kind::no_device},
                                     {Status::environment, Kind::environment},
                                     {Status::checked_only, Kind::environment}}) {
    const Verdict v = judge_with_status(status);
    EXPECT_EQ(v.kind, kind) << to_string(kind);
    EXPECT_EQ(v.reason, "because");
  }
}

TEST(Judge, AnErrorOutweighsAWrongOutputAndThatOutweighsAnInvalidRun) {
  Runs runs{run_facts({10, 10, 10}), {}};
  runs.first[0].status = RunFacts::Status::invalid;
  runs.first[1].status = RunFacts::Status::incorrect;
  EXPECT_EQ(judge(runs, nullptr, nullptr, three_percent).kind, Kind::incorrect);
  runs.first[2].status = RunFacts::Status::error;
  EXPECT_EQ(judge(runs, nullptr, nullptr, three_percent).kind, Kind::error);
}

TEST(Judge, AnErrorInTheConfirmationIsAnError) {
  Runs runs{run_facts({11, 11, 11}), run_facts({11, 11, 11})};
  runs.confirmation[1].status = RunFacts::Status::error;
  const BaselineRow row = baseline_row("a", 10.0);
  EXPECT_EQ(judge(runs, &row, nullptr, three_percent).kind, Kind::error);
}

TEST(Judge, NoRunsAreInvalid) {
  const BaselineRow row = baseline_row("a", 10.0);
  EXPECT_EQ(judge({}, &row, nullptr, three_percent).kind, Kind::invalid);
}

TEST(Judge, AnotherOutputDigestThanTheBaselinesIsIncorrect) {
  BaselineRow row = baseline_row("a", 10.0);
  row.output_digest = "ffff";
  const Verdict v = judge({run_facts({10, 10, 10}), {}}, &row, nullptr, three_percent);
  EXPECT_EQ(v.kind, Kind::incorrect);
  EXPECT_THAT(v.reason, HasSubstr("numeric class changed"));
}

TEST(Judge, RunsWithDifferentOutputsAreIncorrectEvenWithoutABaseline) {
  Runs runs{run_facts({10, 10, 10}), {}};
  runs.first[2].output_digest = "ffff";
  EXPECT_EQ(judge(runs, nullptr, nullptr, three_percent).kind, Kind::incorrect);
}

TEST(Judge, AMeasuredRunWithoutAnOutputDigestIsNeverGreen) {
  Runs runs{run_facts({10, 10, 10}), {}};
  for (RunFacts& run : runs.first) run.output_digest.clear();
  const BaselineRow row = baseline_row("a", 10.0);
  EXPECT_EQ(judge(runs, &row, nullptr, three_percent).kind, Kind::invalid);
}

TEST(Judge, NotANumberAndZeroAreInvalid) {
  for (const double us :
       {std::numeric_limits<double>::quiet_NaN(), 0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(judge_us({10, us, 10}).kind, Kind::invalid) << us;
  }
}

// 40 MB in 8 us are 5 TB/s; the peak is 4.81.
TEST(Judge, AboveThePhysicalPeakIsInvalid) {
  const Verdict v = judge_us({8, 8, 8});
  EXPECT_EQ(v.kind, Kind::invalid);
  EXPECT_THAT(v.reason, HasSubstr("5.00 TB/s is above 4.81 TB/s, the physical peak"));
}

// 40 MB in 8.2 us are 4.88 TB/s; 1.10 x 4.4 is 4.84.
TEST(Judge, WithoutAPeakAboveTheCeilingPlusTenPercentIsInvalid) {
  Runs runs{run_facts({8.2, 8.2, 8.2}), {}};
  for (RunFacts& run : runs.first) run.peak_tbs.reset();
  EXPECT_EQ(judge(runs, nullptr, nullptr, three_percent).kind, Kind::invalid);
  runs.first = run_facts({8.4, 8.4, 8.4});
  for (RunFacts& run : runs.first) run.peak_tbs.reset();
  EXPECT_EQ(judge(runs, nullptr, nullptr, three_percent).kind, Kind::no_baseline);
}

TEST(Judge, ARunThatIsNeverGatedIsInvalidWithItsReason) {
  Runs runs{run_facts({10, 10, 10}), {}};
  for (RunFacts& run : runs.first) run.gateable = false;
  runs.first[0].reason = "measured with --cache hot, which is never gated";
  const BaselineRow row = baseline_row("a", 10.0);
  const Verdict v = judge(runs, &row, nullptr, three_percent);
  EXPECT_EQ(v.kind, Kind::invalid);
  EXPECT_THAT(v.reason, HasSubstr("--cache hot"));
}

TEST(Judge, WithoutABaselineTheRowsOwnNumbersAreStillGiven) {
  const Verdict v = judge({run_facts({10, 10, 10}), {}}, nullptr, nullptr, three_percent);
  EXPECT_EQ(v.kind, Kind::no_baseline);
  EXPECT_EQ(v.us, 10.0);
  EXPECT_DOUBLE_EQ(v.tbs.value(), 4.0);
}

TEST(Judge, ABaselineOfAnotherProbeVersionIsNone) {
  const BaselineRow row = baseline_row("a", 10.0);
  Control ceiling = control();
  ceiling.probe_version = 2;
  const Verdict v = judge({run_facts({10, 10, 10}), {}}, &row, &ceiling, three_percent);
  EXPECT_EQ(v.kind, Kind::no_baseline);
  EXPECT_THAT(v.reason, HasSubstr("probe version 2, here it is 1"));
}

TEST(Judge, NoticesOfTheRunsAreKeptOnce) {
  Runs runs{run_facts({10, 10, 10}), {}};
  for (RunFacts& run : runs.first) run.notices = {"fewer copies"};
  const BaselineRow row = baseline_row("a", 10.0);
  const Control ceiling = control();
  EXPECT_THAT(judge(runs, &row, &ceiling, three_percent).notices, ElementsAre("fewer copies"));
}

TEST(Judge, AnAdvisoryRowSaysSo) {
  const auto advisory = [](Runs&, BaselineRow& row, Control&) { row.advisory = true; };
  EXPECT_THAT(judge_slow(advisory).notices, Contains(HasSubstr("advisory")));
}

TEST(Kind, NamesGoBothWays) {
  for (const Kind kind :
       {Kind::pass, Kind::improved, Kind::regressed, Kind::incorrect, Kind::invalid, Kind::environment,
        Kind::inconclusive, Kind::no_baseline, Kind::removed, Kind::no_device, Kind::error}) {
    EXPECT_EQ(kind_from(to_string(kind)), kind);
  }
  EXPECT_EQ(kind_from("green"), std::nullopt);
}

TEST(PolicyFor, OnlyTheMeasuredDeviceHasThreePercent) {
  EXPECT_EQ(policy_for("nvidia-h200").tolerance, 0.03);
  EXPECT_EQ(policy_for("nvidia-h200-mig-1g.18gb").tolerance, 0.05);
  EXPECT_TRUE(policy_for("cpu-generic").one_sided_fraction);
  EXPECT_FALSE(policy_for("nvidia-h200").one_sided_fraction);
}

}  // namespace
}  // namespace census
