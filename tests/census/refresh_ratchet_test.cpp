// SPDX-License-Identifier: MIT
// What a refresh may not do without saying so.
#include "samples.hpp"
#include <census/refresh.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using samples::baseline;
using samples::baseline_row;
using samples::run;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* other_driver = "590.10";

/// Three runs of each of these rows at these times, whose kernels are new unless `code` is given.
std::vector<RowRun> runs_of(const std::vector<std::pair<std::string, double>>& times,
                            const std::string& driver = "580.159.03", const std::string& code = "new") {
  std::vector<RowRun> runs;
  for (const auto& [row, us] : times) {
    for (int i = 0; i < 3; ++i) {
      runs.push_back(run(row, us, "boot-9"));
      runs.back().device.driver = driver;
      runs.back().code_digest = code;
    }
  }
  return runs;
}

/// Rows a, b and c at 10, 20 and 30 us, all of the code "old".
Baseline old_baseline() {
  Baseline old = baseline({baseline_row("a", 10), baseline_row("b", 20), baseline_row("c", 30)});
  for (BaselineRow& row : old.rows) row.code_digest = "old";
  return old;
}

RefreshPlan plan(const std::vector<RowRun>& runs, const Baseline& old, const RefreshRules& rules = {}) {
  return plan_refresh(runs, &old, policy_for("nvidia-h200"), rules);
}

RefreshRules because(const std::string& reason, std::vector<std::string> accepted = {}) {
  RefreshRules rules;
  rules.reason = reason;
  rules.accepted_losses = std::move(accepted);
  return rules;
}

TEST(RefreshRatchet, ALossBesideAGainMustBeNamed) {
  const auto mixed = runs_of({{"a", 9.4}, {"b", 21}, {"c", 30}});
  EXPECT_THAT(
      plan(mixed, old_baseline(), because("faster a")).refusals,
      ElementsAre(HasSubstr("rows gain (a) while others lose (b): refresh the gains alone with --row, "
                            "or name the losses with --accept-loss b")));
  EXPECT_THAT(plan(mixed, old_baseline(), because("faster a", {"b"})).refusals, IsEmpty());
}

TEST(RefreshRatchet, NamingALossDoesNotReplaceTheReason) {
  EXPECT_THAT(plan(runs_of({{"a", 9.4}, {"b", 21}}), old_baseline(), because("", {"b"})).refusals,
              ElementsAre(HasSubstr("row b: slower than before, 20.00 us -> 21.00 us; give a --reason")));
}

TEST(RefreshRatchet, AGlobOverTheGainsNamesNothing) {
  EXPECT_THAT(
      plan(runs_of({{"a", 9.4}, {"b", 21}}), old_baseline(), because("faster a", {"*"})).refusals,
      ElementsAre(HasSubstr("--accept-loss * names a as well, which gains; name the losing rows: b")));
}

TEST(RefreshRatchet, ANameWithoutALossIsANotice) {
  EXPECT_THAT(plan(runs_of({{"a", 9.4}}), old_baseline(), because("", {"c"})).notices,
              Contains(HasSubstr("--accept-loss c names no row that loses")));
}

TEST(RefreshRatchet, MoreOccasionsOfTheSameKernelsDifferBothWaysByChance) {
  Baseline old = old_baseline();
  for (BaselineRow& row : old.rows) row.code_digest.reset();
  const RefreshPlan made = plan(runs_of({{"a", 9.75}, {"b", 20.5}}), old, because("a third card"));
  EXPECT_THAT(made.refusals, IsEmpty());  // -0.6 % and +0.6 % in the mean
}

TEST(RefreshRatchet, LossesAloneNeedAReasonAlone) {
  EXPECT_THAT(plan(runs_of({{"a", 11}, {"b", 21}}), old_baseline(), because("less shared memory")).refusals,
              IsEmpty());
}

TEST(RefreshRatchet, RefusesAMeasurementThatWasTooShort) {
  auto few = runs_of({{"a", 10}});
  few[1].row_series.samples_us.resize(19);
  EXPECT_THAT(plan(few, old_baseline()).refusals,
              Contains(HasSubstr("too short: 19 samples, 20 are needed")));
  auto cut = runs_of({{"a", 10}});
  cut[1].replays_per_sample = 1;  // 27 launches of 10 us
  EXPECT_THAT(plan(cut, old_baseline()).refusals, Contains(HasSubstr("too short: a sample took 270 us")));
}

TEST(RefreshRatchet, AnotherDriverBranchIsARefreshOfItsOwn) {
  EXPECT_THAT(
      plan(runs_of({{"a", 10}}, other_driver, "old"), old_baseline()).refusals,
      ElementsAre(HasSubstr("the baseline is of driver branch 580, the runs of 590; that is a refresh of "
                            "its own: all rows at once, --reason driver")));
}

TEST(RefreshRatchet, ADriverChangeNeedsAllRows) {
  EXPECT_THAT(plan(runs_of({{"a", 10}}, other_driver, "old"), old_baseline(), because("driver")).refusals,
              ElementsAre("a change of the machine needs all rows of the baseline; measure these too: b, c"));
}

TEST(RefreshRatchet, ADriverChangeMakesEveryRowAnewAndKeepsTheOldControlToShow) {
  auto runs = runs_of({{"a", 10.2}, {"b", 20.4}, {"c", 29}}, other_driver, "old");
  for (RowRun& each : runs) each.ceiling_tbs = 4.3;
  const RefreshPlan made = plan(runs, old_baseline(), because("driver 590.10"));
  EXPECT_THAT(made.refusals, IsEmpty());  // b lost and c gained, but the code is the same: the driver's doing
  for (const BaselineRow& row : made.baseline.rows) {
    EXPECT_EQ(row.occasions.size(), 1U);
    EXPECT_EQ(row.reason, "driver 590.10");
  }
  EXPECT_EQ(made.old_control.value().ceiling_tbs, 4.4);
  EXPECT_EQ(made.baseline.control.ceiling_tbs, 4.3);
  EXPECT_EQ(made.baseline.control.occasions.size(), 1U);
  EXPECT_EQ(made.baseline.device.driver_branch, "590");
}

TEST(RefreshRatchet, TheDriverIsNoExcuseForNewCodeOrNewNumbers) {
  auto runs = runs_of({{"a", 10}, {"b", 20}, {"c", 30}}, other_driver, "old");
  for (std::size_t i = 0; i < 3; ++i) runs[i].code_digest = "new";
  for (std::size_t i = 3; i < 6; ++i) runs[i].output_digest = "ffff";
  EXPECT_THAT(
      plan(runs, old_baseline(), because("driver")).refusals,
      ElementsAre(HasSubstr("row a: its code changed as well"), HasSubstr("row b: its outputs changed")));
}

TEST(RefreshRatchet, TheDriverAsAReasonMustBeTrue) {
  EXPECT_THAT(
      plan(runs_of({{"a", 11}, {"b", 20}, {"c", 30}}, "580.159.03", "old"), old_baseline(), because("driver"))
          .refusals,
      ElementsAre(HasSubstr("--reason driver, but the runs are of the baseline's own driver 580.159.03")));
}

TEST(RefreshRatchet, AnotherToolkitIsARefreshOfItsOwn) {
  Baseline old = old_baseline();
  for (BaselineRow& row : old.rows) {
    for (Occasion& occasion : row.occasions) occasion.toolkit = "12.8";
  }
  EXPECT_THAT(plan(runs_of({{"a", 10}}), old).refusals,
              ElementsAre(HasSubstr("the baseline is of toolkit 12.8, the runs of 13.0")));
  const auto all = runs_of({{"a", 10}, {"b", 20}, {"c", 30}});
  const RefreshPlan made = plan(all, old, because("toolkit: 13.0"));
  EXPECT_THAT(made.refusals, IsEmpty());
  EXPECT_EQ(made.baseline.rows.at(0).occasions.at(0).toolkit, "13.0");
}

TEST(RefreshRatchet, RunsOfTwoDriverBranchesAreRefused) {
  auto runs = runs_of({{"a", 10}});
  runs[2].device.driver = other_driver;
  EXPECT_THAT(plan(runs, old_baseline()).refusals, Contains(HasSubstr("two driver branches, 580 and 590")));
}

TEST(RefreshRatchet, ARenamedRowKeepsItsOccasionsAndTakesItsNextDigest) {
  RefreshRules rules;
  rules.renames = {{"a", "z"}};
  const RefreshPlan alone = plan({}, old_baseline(), rules);
  EXPECT_THAT(alone.refusals, IsEmpty());
  const BaselineRow& row = alone.baseline.rows.at(2);
  EXPECT_EQ(row.id, "z");
  EXPECT_THAT(row.aliases, ElementsAre("a"));
  EXPECT_EQ(row.occasions.size(), 3U);
  EXPECT_EQ(row.output_digest, "");
  EXPECT_EQ(alone.lines.at(2).was, "a");

  auto runs = runs_of({{"z", 10}}, "580.159.03", "old");
  for (RowRun& each : runs) each.output_digest = "ffff";
  const RefreshPlan next = plan(runs, alone.baseline);
  EXPECT_THAT(next.refusals, IsEmpty());
  EXPECT_EQ(next.baseline.rows.at(2).output_digest, "ffff");
  EXPECT_EQ(next.baseline.rows.at(2).occasions.size(), 4U);
}

TEST(RefreshRatchet, ARowCannotTakeTheNameOfAnother) {
  RefreshRules rules;
  rules.renames = {{"a", "b"}};
  EXPECT_THAT(plan({}, old_baseline(), rules).refusals,
              ElementsAre("row a: cannot become b, which the baseline "
                          "has already"));
}

TEST(RefreshRatchet, ADroppedRowIsInTheLinesAndNotInTheBaseline) {
  RefreshRules rules;
  rules.drops = {"b"};
  const RefreshPlan made = plan({}, old_baseline(), rules);
  ASSERT_EQ(made.baseline.rows.size(), 2U);
  EXPECT_EQ(made.lines.at(1).row, "b");
  EXPECT_EQ(made.lines.at(1).action, "dropped");
  EXPECT_EQ(made.lines.at(1).new_us, std::nullopt);
}

TEST(RefreshRatchet, ARowThatIsMeasuredIsNotDropped) {
  RefreshRules rules;
  rules.drops = {"a"};
  EXPECT_THAT(plan(runs_of({{"a", 10}}, "580.159.03", "old"), old_baseline(), rules).refusals,
              ElementsAre(HasSubstr("row a: is to be dropped, yet the results have runs of it")));
}

}  // namespace
}  // namespace census
