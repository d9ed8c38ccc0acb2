// SPDX-License-Identifier: MIT
#include "samples.hpp"
#include <census/drift.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using samples::baseline;
using samples::baseline_row;
using testing::HasSubstr;

const RowDrift* find(const BaselineDrift& drift, const std::string& id) {
  for (const RowDrift& row : drift.rows) {
    if (row.row == id) return &row;
  }
  return nullptr;
}

TEST(Drift, AddsUpWhatEachRefreshLetSlip) {
  const Baseline then = baseline({baseline_row("a", 10), baseline_row("b", 20)});
  const Baseline now = baseline({baseline_row("a", 10.4), baseline_row("b", 18)});
  const BaselineDrift drift = drift_between(now, &then, "h200.json");
  EXPECT_EQ(drift_text(*find(drift, "a")), "10.00 us -> 10.40 us (+4.0 %)");
  EXPECT_EQ(drift_text(*find(drift, "b")), "20.00 us -> 18.00 us (-10.0 %)");
  const auto total = total_of(drift.rows);
  ASSERT_TRUE(total.has_value());
  EXPECT_EQ(total->worst, "a");
  EXPECT_NEAR(total->mean_percent, -3.253, 0.001);  // sqrt(1.04 * 0.9)
}

TEST(Drift, NamesRowsThatCameAndWent) {
  const Baseline then = baseline({baseline_row("a", 10)});
  const Baseline now = baseline({baseline_row("b", 20)});
  const BaselineDrift drift = drift_between(now, &then, "h200.json");
  EXPECT_EQ(drift_text(*find(drift, "a")), "gone, was 10.00 us");
  EXPECT_EQ(drift_text(*find(drift, "b")), "new, 20.00 us");
  EXPECT_EQ(total_of(drift.rows), std::nullopt);
}

TEST(Drift, FollowsARowThroughItsNewName) {
  const Baseline then = baseline({baseline_row("a", 10)});
  Baseline now = baseline({baseline_row("z", 11)});
  now.rows[0].aliases = {"a"};
  const BaselineDrift drift = drift_between(now, &then, "h200.json");
  ASSERT_EQ(drift.rows.size(), 1U);
  EXPECT_EQ(drift_text(drift.rows[0]), "10.00 us -> 11.00 us (+10.0 %), was a");
}

TEST(Drift, OfACpuRowIsThatOfItsBound) {
  Baseline then = baseline({baseline_row("a", 1000)});
  then.rows[0].min_ceiling_fraction = 0.4;
  Baseline now = baseline({baseline_row("a", 900)});
  now.rows[0].min_ceiling_fraction = 0.32;
  const BaselineDrift drift = drift_between(now, &then, "cpu.json");
  EXPECT_NEAR(loss_percent(drift.rows[0]).value(), 25, 1e-9);
  EXPECT_EQ(drift_text(drift.rows[0]), "bound 0.400 -> bound 0.320 (+25.0 % in the bound)");
}

TEST(Drift, SinceBeforeTheFileWasThereHasNewRowsOnly) {
  const DriftPage page{
      "v1", std::string(40, 'c'), {drift_between(baseline({baseline_row("a", 10)}), nullptr, "x.json")}, {}};
  EXPECT_THAT(text_report(page), HasSubstr("drift since v1 (commit cccccccccccc)"));
  EXPECT_THAT(text_report(page), HasSubstr("  a  new, 10.00 us"));
  EXPECT_THAT(json_report(page), HasSubstr("\"loss_percent\": null"));
  EXPECT_THAT(markdown_report(page), HasSubstr("| a | n/a | 10.00 | n/a | n/a | n/a |"));
}

TEST(Drift, ShowsTheControl) {
  const Baseline then = baseline({baseline_row("a", 10)});
  Baseline now = then;
  now.control.ceiling_tbs = 4.62;
  const DriftPage page{"v1", std::string(40, 'c'), {drift_between(now, &then, "x.json")}, {}};
  EXPECT_THAT(text_report(page), HasSubstr("control: ceiling 4.400 -> 4.620 TB/s (+5.0 %)"));
}

}  // namespace
}  // namespace census
