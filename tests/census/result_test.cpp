// SPDX-License-Identifier: MIT
#include "samples.hpp"
#include <census/result.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace census {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(Result, StatusNamesGoBothWays) {
  for (const RunStatus status :
       {RunStatus::measured, RunStatus::checked_only, RunStatus::incorrect, RunStatus::invalid,
        RunStatus::environment, RunStatus::no_device, RunStatus::error}) {
    EXPECT_EQ(run_status_from(to_string(status)), status);
  }
  EXPECT_EQ(run_status_from("fine"), std::nullopt);
}

TEST(Result, FortyMegabytesInTenMicrosecondsAreFourTerabytesPerSecond) {
  EXPECT_DOUBLE_EQ(achieved_tbs(samples::run("a", 10)).value(), 4.0);
}

TEST(Result, AResidentOrUnmeasuredRunHasNoBandwidth) {
  EXPECT_EQ(achieved_tbs(samples::resident(samples::run("a", 10))), std::nullopt);
  RowRun failed = samples::run("a", 10);
  failed.status = RunStatus::error;
  EXPECT_EQ(achieved_tbs(failed), std::nullopt);
}

TEST(Facts, AreTheRunsNumbersBesideThePeakOfItsDevice) {
  const RunFacts made = facts(samples::run("a", 10));
  EXPECT_EQ(made.status, RunFacts::Status::measured);
  EXPECT_EQ(made.us, 10);
  EXPECT_DOUBLE_EQ(made.tbs.value(), 4.0);
  EXPECT_EQ(made.ceiling_tbs, 4.4);
  EXPECT_NEAR(made.peak_tbs.value(), 2 * 3201e6 * 6016 / 8 * 1e-12, 1e-9);
  EXPECT_EQ(made.probe_version, 1);
  EXPECT_EQ(made.output_digest, samples::digest);
  EXPECT_TRUE(made.gateable);
}

TEST(Facts, OfARunWithoutSamplesHaveNoTime) {
  RowRun run = samples::run("a", 10);
  run.row_series.samples_us.clear();
  EXPECT_TRUE(std::isnan(facts(run).us));
}

TEST(Facts, OfAHotOrEagerRunAreNeverGated) {
  RowRun hot = samples::run("a", 10);
  hot.cache_mode = "hot";
  EXPECT_FALSE(facts(hot).gateable);
  EXPECT_THAT(facts(hot).reason, HasSubstr("--cache hot"));
  RowRun eager = samples::run("a", 10);
  eager.launch_mode = "stream";
  EXPECT_FALSE(facts(eager).gateable);
}

TEST(Facts, LabelAFootprintSetByHand) {
  RowRun run = samples::run("a", 10);
  run.footprint_override = Bytes{1 << 20};
  EXPECT_TRUE(facts(run).gateable);
  EXPECT_THAT(facts(run).notices, Contains(HasSubstr("footprint set to 1.0 MiB")));
}

TEST(Facts, KeepTheReasonOfARunThatWasNotMeasured) {
  RowRun run = samples::run("a", 10);
  run.status = RunStatus::environment;
  run.reason = "locked by process 7";
  EXPECT_EQ(facts(run).status, RunFacts::Status::environment);
  EXPECT_EQ(facts(run).reason, "locked by process 7");
}

TEST(BaselineDevice, OfAGpuHasItsKeyAndTheDriversBranch) {
  const BaselineDevice made = baseline_device(samples::h200());
  EXPECT_TRUE(hard_differences(samples::h200_key(), made).empty());
  EXPECT_TRUE(soft_differences(samples::h200_key(), made).empty());
}

TEST(BaselineDevice, OfACpuIsGeneric) {
  EXPECT_EQ(baseline_device(samples::cpu()).name, generic_cpu_name);
}

}  // namespace
}  // namespace census
