// SPDX-License-Identifier: MIT
#include "samples.hpp"
#include <census/baseline.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace census {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Baseline, FindsARowByItsId) {
  const Baseline baseline = samples::baseline({samples::baseline_row("a", 1), samples::baseline_row("b", 2)});
  ASSERT_NE(find_row(baseline, "b"), nullptr);
  EXPECT_EQ(find_row(baseline, "b")->us, 2);
  EXPECT_EQ(find_row(baseline, "c"), nullptr);
}

TEST(Baseline, ARenamedRowKeepsItsBaselineThroughAnAlias) {
  Baseline baseline = samples::baseline({samples::baseline_row("old", 1)});
  baseline.rows[0].aliases = {"new"};
  EXPECT_EQ(find_row(baseline, "new"), &baseline.rows[0]);
}

TEST(Baseline, AnIdBeatsAnAliasOfAnEarlierRow) {
  Baseline baseline = samples::baseline({samples::baseline_row("a", 1), samples::baseline_row("b", 2)});
  baseline.rows[0].aliases = {"b"};
  EXPECT_EQ(find_row(baseline, "b"), &baseline.rows[1]);
}

TEST(Baseline, TheSameDeviceHasNoDifferences) {
  EXPECT_THAT(hard_differences(samples::h200_key(), samples::h200_key()), IsEmpty());
  EXPECT_THAT(soft_differences(samples::h200_key(), samples::h200_key()), IsEmpty());
}

TEST(Baseline, EveryHardFieldThatDiffersIsNamedWithBothValues) {
  BaselineDevice here = samples::h200_key();
  here.name = "NVIDIA H100 PCIe";
  here.pci_device_id = 0x233110de;
  here.sm_count = 114;
  here.memory_bytes = 80LL << 30;
  here.bus_width_bits = 5120;
  here.mig_profile = "1g.10gb";
  EXPECT_THAT(
      hard_differences(samples::h200_key(), here),
      ElementsAre("name NVIDIA H200, here NVIDIA H100 PCIe", "pci_device_id 0x233510de, here 0x233110de",
                  "sm_count 132, here 114", "memory 139.81 GiB, here 80.00 GiB",
                  "bus_width_bits 6016, here 5120", "mig_profile none, here 1g.10gb"));
}

TEST(Baseline, MemoryThatDiffersByADriversReserveIsTheSame) {
  BaselineDevice here = samples::h200_key();
  here.memory_bytes -= 500LL << 20;
  EXPECT_THAT(hard_differences(samples::h200_key(), here), IsEmpty());
}

TEST(Baseline, EverySoftFieldThatDiffersIsNamedWithBothValues) {
  BaselineDevice here = samples::h200_key();
  here.ecc = false;
  here.power_cap_percent = 54.3;
  here.driver_branch = "590";
  EXPECT_THAT(soft_differences(samples::h200_key(), here),
              ElementsAre("ecc on, here off", "power_cap 100 %, here 54 %", "driver_branch 580, here 590"));
}

TEST(Baseline, ASoftFieldThatCannotBeReadIsUnknown) {
  BaselineDevice here = samples::h200_key();
  here.power_cap_percent.reset();
  EXPECT_THAT(soft_differences(samples::h200_key(), here), ElementsAre("power_cap 100 %, here unknown"));
}

TEST(Baseline, TheGenericCpuMatchesEveryCpu) {
  const BaselineDevice any{.name = generic_cpu_name};
  BaselineDevice here{.name = generic_cpu_name};
  here.sm_count = 64;
  EXPECT_THAT(hard_differences(any, here), IsEmpty());
  EXPECT_FALSE(hard_differences(any, samples::h200_key()).empty());
}

TEST(Tolerance, BelowTenOccasionsIsThePolicyNumberAndProvisional) {
  const Tolerance tolerance = tolerance_for(9, 0.001, 0.03, false);
  EXPECT_EQ(tolerance.value, 0.03);
  EXPECT_TRUE(tolerance.provisional);
}

// t(0.999, 9) = 4.297, times 0.006, times sqrt(1.1) = 1.0488.
TEST(Tolerance, FromTenOccasionsOnIsTheFormula) {
  const Tolerance tolerance = tolerance_for(10, 0.006, 0.03, false);
  EXPECT_NEAR(tolerance.value, 4.297 * 0.006 * 1.0488, 1e-5);
  EXPECT_FALSE(tolerance.provisional);
  EXPECT_FALSE(tolerance.advisory);
}

TEST(Tolerance, IsNeverBelowTwoPercent) {
  EXPECT_EQ(tolerance_for(20, 0.0001, 0.03, false).value, 0.02);
}

// The formula asks for 4.297 * 0.01 * 1.0488 = 4.5 %.
TEST(Tolerance, ExceedsThePolicyNumberOnlyWhenLoosened) {
  EXPECT_EQ(tolerance_for(10, 0.01, 0.03, false).value, 0.03);
  EXPECT_NEAR(tolerance_for(10, 0.01, 0.03, true).value, 0.04507, 1e-5);
}

// The formula asks for 9.0 %.
TEST(Tolerance, ARowThatNeedsMoreThanEightPercentIsAdvisory) {
  const Tolerance tolerance = tolerance_for(10, 0.02, 0.03, true);
  EXPECT_EQ(tolerance.value, 0.08);
  EXPECT_TRUE(tolerance.advisory);
}

// 0.03 + 1.645 * 0.006 * sqrt(1 + 1/3).
TEST(MinimumDetectableEffect, AddsThePowerQuantileToTheTolerance) {
  BaselineRow row = samples::baseline_row("a", 10);
  row.tolerance = 0.03;
  row.spread_occasion = 0.006;
  row.occasions.resize(3);
  EXPECT_NEAR(minimum_detectable_effect(row).value(), 0.03 + 1.645 * 0.006 * std::sqrt(4.0 / 3.0), 1e-12);
}

TEST(MinimumDetectableEffect, OfFewerThanThreeOccasionsIsUnknown) {
  BaselineRow row = samples::baseline_row("a", 10);
  row.spread_occasion = 0.006;
  row.occasions.resize(2);
  EXPECT_EQ(minimum_detectable_effect(row), std::nullopt);
}

}  // namespace
}  // namespace census
