// SPDX-License-Identifier: MIT
#include "samples.hpp"
#include <census/refresh.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace census {
namespace {

using samples::baseline;
using samples::baseline_row;
using samples::run;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Policy h200_policy = policy_for("nvidia-h200");
const Policy cpu_policy = policy_for("cpu-generic");

/// Three equal runs of each row in one occasion.
std::vector<RowRun> three(const std::string& row, double us, const std::string& occasion = "boot-9") {
  return {run(row, us, occasion), run(row, us, occasion), run(row, us, occasion)};
}

std::vector<RowRun> together(std::vector<RowRun> a, const std::vector<RowRun>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

RefreshPlan plan(const std::vector<RowRun>& runs, const Baseline* old = nullptr,
                 const RefreshRules& rules = {}) {
  return plan_refresh(runs, old, h200_policy, rules);
}

/// The refusals of three runs after `change` was made to the second.
template <class Change>
std::vector<std::string> refusals_when(Change change) {
  std::vector<RowRun> runs = three("a", 10);
  change(runs[1]);
  return plan(runs).refusals;
}

TEST(PlanRefresh, MakesARowFromTheMedianOfEachOccasion) {
  const std::vector<RowRun> runs{run("a", 10, "b1"), run("a", 10.2, "b1"), run("a", 9, "b1"),
                                 run("a", 40, "b2"), run("a", 41, "b2"),   run("a", 39, "b2")};
  const RefreshPlan made = plan(runs);
  EXPECT_THAT(made.refusals, IsEmpty());
  ASSERT_EQ(made.baseline.rows.size(), 1U);
  const BaselineRow& row = made.baseline.rows[0];
  EXPECT_EQ(row.us, 20);  // the geometric mean of 10 and 40
  EXPECT_EQ(row.tbs, 2);
  EXPECT_EQ(row.runs, 6);
  EXPECT_EQ(row.occasions.size(), 2U);
  EXPECT_NEAR(row.spread_occasion.value(), std::log(4.0) / std::sqrt(2.0), 1e-5);
  EXPECT_EQ(row.tolerance, 0.03);
  EXPECT_TRUE(row.provisional);
  EXPECT_EQ(row.registers, 40);
  EXPECT_EQ(row.shared_bytes, 1024);
  EXPECT_EQ(row.commit, std::string(40, 'a'));
  EXPECT_EQ(row.date, "2026-12-01");
  EXPECT_EQ(row.reason, "first measured");
  EXPECT_EQ(made.baseline.slug, "nvidia-h200");
  EXPECT_EQ(made.lines.at(0).action, "new");
}

TEST(PlanRefresh, MakesTheControlFromTheCeilingsOfEachOccasion) {
  std::vector<RowRun> runs = together(three("a", 10, "b1"), three("b", 20, "b2"));
  for (std::size_t i = 3; i < 6; ++i) runs[i].ceiling_tbs = 1.1;
  const RefreshPlan made = plan(runs);
  EXPECT_EQ(made.baseline.control.ceiling_tbs, 2.2);  // the geometric mean of 4.4 and 1.1
  EXPECT_EQ(made.baseline.control.probe_version, 1);
  EXPECT_EQ(made.baseline.control.occasions.size(), 2U);
}

TEST(PlanRefresh, ResidentRowsHaveNoBandwidth) {
  std::vector<RowRun> runs = three("a", 10);
  for (RowRun& each : three("quantize.4096", 2)) runs.push_back(samples::resident(each));
  const RefreshPlan made = plan(runs);
  EXPECT_THAT(made.refusals, IsEmpty());
  EXPECT_EQ(made.baseline.rows.at(1).tbs, std::nullopt);
}

TEST(PlanRefresh, RefusesWhatWasNotMeasuredSoundlyNamingTheRow) {
  EXPECT_THAT(refusals_when([](RowRun& r) { r.build.dirty = true; }), Contains(HasSubstr("row a: a run of")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.build.dirty = true; }),
              Contains(HasSubstr("uncommitted changes")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.build.commit = ""; }),
              Contains(HasSubstr("does not know its commit")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.environment = {"it is hot"}; }),
              Contains(HasSubstr("not sound: it is hot")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.plant = Plant{5, 5, 16}; }), Contains(HasSubstr("planted")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.fault = "nan"; }),
              Contains(HasSubstr("fault nan was planted")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.cache_mode = "hot"; }), Contains(HasSubstr("--cache hot")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.launch_mode = "stream"; }),
              Contains(HasSubstr("--launch stream")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.footprint_override = Bytes{1}; }),
              Contains(HasSubstr("footprint")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.row_series.samples_us.clear(); }),
              Contains(HasSubstr("no usable time")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.output_digest = ""; }), Contains(HasSubstr("not checked")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.ceiling_tbs.reset(); }), Contains(HasSubstr("no ceiling")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.row_series.median_us = 5; }),
              Contains(HasSubstr("physical peak")));
}

TEST(PlanRefresh, RefusesAFailedCheck) {
  const auto incorrect = [](RowRun& r) {
    r.status = RunStatus::incorrect;
    r.reason = "element 7 differs";
  };
  EXPECT_THAT(refusals_when(incorrect), Contains(HasSubstr("it ended as incorrect: element 7 differs")));
  std::vector<RowRun> unchecked = three("a", 10);
  for (RowRun& each : unchecked) each.reference_checked = false;
  EXPECT_THAT(plan(unchecked).refusals,
              ElementsAre(HasSubstr("no run compared its output with the reference")));
}

TEST(PlanRefresh, RefusesTooFewRunsOnAnyOccasion) {
  std::vector<RowRun> runs = three("a", 10, "b1");
  runs.push_back(run("a", 10, "b2"));
  runs.push_back(run("a", 10, "b2"));
  EXPECT_THAT(plan(runs).refusals,
              ElementsAre(HasSubstr("row a: 2 runs on the occasion of 2026-12-01 (b2) are too few")));
}

TEST(PlanRefresh, RefusesMixedDevicesProbesOutputsAndKernels) {
  EXPECT_THAT(refusals_when([](RowRun& r) { r.device.sm_count = 114; }),
              Contains(HasSubstr("two kinds of device: sm_count")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.probe_version = 2; }),
              Contains(HasSubstr("two probe versions")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.output_digest = "ffff"; }),
              Contains(HasSubstr("different outputs")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.arm = "stream"; }), Contains(HasSubstr("different kernels")));
  EXPECT_THAT(refusals_when([](RowRun& r) { r.kernels[0].registers = 64; }),
              Contains(HasSubstr("different kernels")));
}

TEST(PlanRefresh, AcceptsTwoCommitsOfOneKernel) {
  std::vector<RowRun> runs = three("a", 10);
  runs[2].build.commit = std::string(40, 'b');
  runs[2].date = "2026-12-02T10:00:00Z";
  const RefreshPlan made = plan(runs);
  EXPECT_THAT(made.refusals, IsEmpty());
  EXPECT_EQ(made.baseline.rows.at(0).commit, std::string(40, 'b'));
}

TEST(PlanRefresh, SkipsRowsThatHadNoDevice) {
  std::vector<RowRun> runs = three("a", 10);
  runs.push_back(run("b", 10));
  runs.back().status = RunStatus::no_device;
  EXPECT_THAT(plan(runs).refusals, IsEmpty());
  EXPECT_THAT(plan({runs.back()}).refusals, ElementsAre(HasSubstr("no measured run")));
}

TEST(PlanRefresh, OccasionsOfTheSameKernelAccumulate) {
  const Baseline old = baseline({baseline_row("a", 10)});
  const RefreshPlan made = plan(three("a", 10.02), &old);
  EXPECT_THAT(made.refusals, IsEmpty());
  const BaselineRow& row = made.baseline.rows.at(0);
  EXPECT_EQ(row.occasions.size(), 4U);
  EXPECT_EQ(row.runs, 12);
  EXPECT_NEAR(row.us, 10 * std::pow(1.002, 0.25), 1e-4);
  EXPECT_EQ(made.baseline.control.occasions.size(), 4U);
  EXPECT_EQ(made.lines.at(0).action, "accumulated");
  EXPECT_EQ(row.reason, "first measured");
}

TEST(PlanRefresh, AnOccasionIsNeverCountedTwice) {
  const Baseline old = baseline({baseline_row("a", 10)});
  const RefreshPlan made = plan(three("a", 10.1, "boot-2"), &old);
  EXPECT_EQ(made.baseline.rows.at(0).occasions.size(), 3U);
  EXPECT_EQ(made.baseline.rows.at(0).us, 10);
  EXPECT_EQ(made.lines.at(0).action, "already counted");
}

TEST(PlanRefresh, AChangedKernelReplacesItsOldOccasions) {
  const Baseline old = baseline({baseline_row("a", 10)});
  std::vector<RowRun> runs = three("a", 8.5);
  for (RowRun& each : runs) each.kernels[0].registers = 64;
  const RefreshPlan made = plan(runs, &old);
  EXPECT_THAT(made.refusals, IsEmpty());
  EXPECT_EQ(made.baseline.rows.at(0).us, 8.5);
  EXPECT_EQ(made.baseline.rows.at(0).occasions.size(), 1U);
  EXPECT_EQ(made.lines.at(0).action, "replaced");
}

TEST(PlanRefresh, TheSameKernelAtAnotherSpeedMustBeExplained) {
  const Baseline old = baseline({baseline_row("a", 10)});
  EXPECT_THAT(plan(three("a", 9), &old).refusals, ElementsAre(HasSubstr("say --replace")));
  const RefreshPlan made = plan(three("a", 9), &old, {.replace = true});
  EXPECT_THAT(made.refusals, IsEmpty());
  EXPECT_EQ(made.baseline.rows.at(0).us, 9);
}

TEST(PlanRefresh, ALossNeedsAReasonAndRecordsIt) {
  const Baseline old = baseline({baseline_row("a", 10)});
  EXPECT_THAT(plan(three("a", 10.06), &old, {.replace = true}).refusals,
              ElementsAre(HasSubstr("row a: slower than before, 10.00 us -> 10.06 us; give a --reason")));
  EXPECT_THAT(plan(three("a", 10.04), &old, {.replace = true}).refusals, IsEmpty());
  const RefreshPlan made = plan(three("a", 10.06), &old, {.reason = "fewer registers", .replace = true});
  EXPECT_THAT(made.refusals, IsEmpty());
  EXPECT_EQ(made.baseline.rows.at(0).reason, "fewer registers");
}

TEST(PlanRefresh, ALooserToleranceNeedsAReason) {
  Baseline old = baseline({baseline_row("a", 10)});
  old.rows[0].tolerance = 0.02;
  EXPECT_THAT(plan(three("a", 10), &old).refusals, ElementsAre(HasSubstr("a looser tolerance, 2 % -> 3 %")));
  EXPECT_THAT(plan(three("a", 10), &old, {.reason = "more occasions"}).refusals, IsEmpty());
}

TEST(PlanRefresh, ANewNumericClassNeedsAReason) {
  const Baseline old = baseline({baseline_row("a", 10)});
  std::vector<RowRun> runs = three("a", 10);
  for (RowRun& each : runs) each.output_digest = "ffff";
  EXPECT_THAT(plan(runs, &old).refusals, ElementsAre(HasSubstr("the numeric class changed")));
  EXPECT_THAT(plan(runs, &old, {.reason = "numeric class 2"}).refusals, IsEmpty());
}

TEST(PlanRefresh, LooseningNeedsAReason) {
  EXPECT_THAT(plan(three("a", 10), nullptr, {.loosen = true}).refusals,
              ElementsAre(HasSubstr("needs a --reason")));
}

TEST(PlanRefresh, RowsOutsideOfTheNewDataStayAsTheyAre) {
  const Baseline old = baseline({baseline_row("a", 10), baseline_row("b", 20)});
  const RefreshPlan made = plan(three("a", 10), &old);
  ASSERT_EQ(made.baseline.rows.size(), 2U);
  EXPECT_EQ(made.baseline.rows[1].us, 20);
  EXPECT_EQ(made.baseline.rows[1].occasions.size(), 3U);
  EXPECT_EQ(made.lines.at(1).action, "kept");
}

TEST(PlanRefresh, AnotherDevicesBaselineIsRefused) {
  Baseline old = baseline({baseline_row("a", 10)});
  old.device.sm_count = 114;
  EXPECT_THAT(plan(three("a", 10), &old).refusals,
              ElementsAre(HasSubstr("another device's: sm_count 114, here 132")));
}

TEST(PlanRefresh, ANewProbeVersionNeedsAllRowsAtOnce) {
  const Baseline old = baseline({baseline_row("a", 10), baseline_row("b", 20)});
  std::vector<RowRun> runs = together(three("a", 10), three("b", 20));
  for (RowRun& each : runs) each.probe_version = 2;
  EXPECT_THAT(plan({runs[0], runs[1], runs[2]}, &old).refusals, ElementsAre(HasSubstr("refresh all rows")));
  const RefreshPlan made = plan(runs, &old);
  EXPECT_THAT(made.refusals, IsEmpty());
  EXPECT_EQ(made.baseline.control.probe_version, 2);
  EXPECT_EQ(made.baseline.control.occasions.size(), 1U);
}

TEST(PlanRefresh, ARenamedRowKeepsItsOccasionsUnderTheNewName) {
  Baseline old = baseline({baseline_row("old", 10)});
  old.rows[0].aliases = {"new"};
  const RefreshPlan made = plan(three("new", 10), &old);
  ASSERT_EQ(made.baseline.rows.size(), 1U);
  EXPECT_EQ(made.baseline.rows[0].id, "new");
  EXPECT_THAT(made.baseline.rows[0].aliases, ElementsAre("old"));
  EXPECT_EQ(made.baseline.rows[0].occasions.size(), 4U);
}

TEST(PlanRefresh, AveragingOverDriversIsSaid) {
  const Baseline old = baseline({baseline_row("a", 10)});
  std::vector<RowRun> runs = three("a", 10);
  for (RowRun& each : runs) each.device.driver = "580.200";
  EXPECT_THAT(plan(runs, &old).notices, ElementsAre(HasSubstr("580.159.03, 580.200")));
}

TEST(PlanRefresh, TenOccasionsGiveTheFormulasTolerance) {
  std::vector<RowRun> runs;
  for (int i = 0; i < 10; ++i) {
    runs = together(runs, three("a", i % 2 == 0 ? 10.0 : 10.1, "boot-" + std::to_string(i)));
  }
  const BaselineRow row = plan(runs).baseline.rows.at(0);
  // Five each of two values d apart: S = d/2 * sqrt(10/9), and T = 4.2968 * S * sqrt(1.1).
  const double s = std::log(10.1 / 10.0) / 2 * std::sqrt(10.0 / 9);
  EXPECT_FALSE(row.provisional);
  EXPECT_NEAR(row.tolerance, 4.2968 * s * std::sqrt(1.1), 1e-5);
}

TEST(PlanRefreshOnCpu, TheBoundIsHalfTheLowestShareOfTwentyRuns) {
  std::vector<RowRun> runs;
  for (int i = 0; i < 19; ++i) runs.push_back(samples::cpu_run("a", 0.9));
  EXPECT_THAT(plan_refresh(runs, nullptr, cpu_policy, {}).refusals,
              ElementsAre(HasSubstr("19 runs are too few, 20")));
  runs.push_back(samples::cpu_run("a", 0.7));
  runs.back().environment = {"the machine is busy"};
  const RefreshPlan made = plan_refresh(runs, nullptr, cpu_policy, {});
  EXPECT_THAT(made.refusals, IsEmpty());
  EXPECT_EQ(made.baseline.slug, "cpu-generic");
  EXPECT_EQ(made.baseline.device.name, generic_cpu_name);
  EXPECT_EQ(made.baseline.rows.at(0).min_ceiling_fraction, 0.35);
  EXPECT_EQ(made.baseline.rows.at(0).runs, 20);
}

TEST(PlanRefreshOnCpu, ALowerBoundNeedsAReason) {
  std::vector<RowRun> runs(20, samples::cpu_run("a", 0.6));
  BaselineRow row = baseline_row("a", 1000);
  row.min_ceiling_fraction = 0.35;
  Baseline old = baseline({row});
  old.device = {.name = generic_cpu_name};
  EXPECT_THAT(plan_refresh(runs, &old, cpu_policy, {}).refusals,
              ElementsAre(HasSubstr("the bound falls, 0.350")));
  EXPECT_THAT(plan_refresh(runs, &old, cpu_policy, {.reason = "slower machines"}).refusals, IsEmpty());
}

TEST(PlanRefreshOnCpu, AResidentRowHasNoBound) {
  std::vector<RowRun> runs(20, samples::cpu_run("a", 0.6));
  for (int i = 0; i < 20; ++i) runs.push_back(samples::resident(samples::cpu_run("quantize", 0.6)));
  const RefreshPlan made = plan_refresh(runs, nullptr, cpu_policy, {});
  EXPECT_THAT(made.refusals, IsEmpty());
  EXPECT_EQ(made.baseline.rows.at(1).min_ceiling_fraction, std::nullopt);
}

}  // namespace
}  // namespace census
