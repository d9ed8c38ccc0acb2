// SPDX-License-Identifier: MIT
#include <census/measure_common.hpp>

#include <gmock/gmock.h>

#include <limits>

namespace census {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

// Gives fixed outputs; a copy beyond the list gives the first.
class FixedInstance : public Instance {
 public:
  FixedInstance(std::vector<std::vector<float>> outputs, std::vector<float> reference)
      : outputs_(std::move(outputs)), reference_(std::move(reference)) {}
  void launch(Stream, int) override {}
  std::vector<float> output(int copy) override { return outputs_.at(static_cast<std::size_t>(copy)); }
  std::vector<float> reference(int) override { return reference_; }

 private:
  std::vector<std::vector<float>> outputs_;
  std::vector<float> reference_;
};

TEST(MeasureCommon, GivesTheDateInUtc) {
  EXPECT_THAT(utc_date(),
              testing::MatchesRegex("20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z"));
}

TEST(MeasureCommon, NamesAnOccasionByBootAndDevice) {
  Device device;
  device.uuid = "GPU-1";
  EXPECT_THAT(occasion_of(device), testing::EndsWith("/GPU-1"));
  EXPECT_GT(occasion_of(device).size(), std::string("/GPU-1").size());
}

TEST(MeasureCommon, BeginsARunWithTheModesInForce) {
  KernelCase row;
  row.id = "bf16.test";
  row.cold_bytes = Bytes{64};
  row.resident = true;
  MeasureOptions options;
  options.hot = true;
  options.stream_launch = true;
  const RowRun run = begin_run(row, Device{}, options);
  EXPECT_EQ(run.row, "bf16.test");
  EXPECT_EQ(run.cache_mode, "hot");
  EXPECT_EQ(run.launch_mode, "stream");
  EXPECT_EQ(run.cold_bytes, Bytes{64});
  EXPECT_TRUE(run.resident);
}

TEST(MeasureCommon, SummarisesASeriesAndKeepsItsSamples) {
  const Series series = series_of({5, 1, 3, 2, 4});
  EXPECT_DOUBLE_EQ(series.q1_us, 2);
  EXPECT_DOUBLE_EQ(series.median_us, 3);
  EXPECT_DOUBLE_EQ(series.q3_us, 4);
  EXPECT_THAT(series.samples_us, ElementsAre(5, 1, 3, 2, 4));
}

TEST(MeasureCommon, KeepsPhasesInTheirOrder) {
  RowRun run;
  {
    PhaseClock phases(run);
    phases.begin("make");
    phases.begin("check");
  }
  ASSERT_EQ(run.phases.size(), 2U);
  EXPECT_EQ(run.phases[0].first, "make");
  EXPECT_EQ(run.phases[1].first, "check");
  EXPECT_GE(run.wall_seconds, run.phases[0].second + run.phases[1].second);
}

TEST(MeasureCommon, FindsTheFirstElementThatIsNotFinite) {
  EXPECT_EQ(first_not_finite({1, -inf, nan}), 1U);
  EXPECT_EQ(first_not_finite({1, 2}), std::nullopt);
}

TEST(MeasureCommon, ComparesBitsAndNotValues) {
  EXPECT_EQ(first_difference({1.0F, 0.0F}, {1.0F, -0.0F}), 1U);
  EXPECT_EQ(first_difference({nan}, {nan}), std::nullopt);
  EXPECT_EQ(first_difference({1, 2}, {1, 2, 3}), 2U);
}

TEST(MeasureCommon, LetsACorrectRowBeTimed) {
  RowRun run;
  FixedInstance instance({{1, 2}, {3, 4}}, {1, 2});
  EXPECT_TRUE(check_outputs(instance, 2, true, run));
  EXPECT_TRUE(run.reference_checked);
  EXPECT_EQ(run.output_digest, output_digest({1, 2}));
}

TEST(MeasureCommon, CallsANeverWrittenOutputOfAnyCopyInvalid) {
  RowRun run;
  FixedInstance instance({{1, 2}, {3, nan}}, {1, 2});
  EXPECT_FALSE(check_outputs(instance, 2, true, run));
  EXPECT_EQ(run.status, RunStatus::invalid);
  EXPECT_THAT(run.reason, HasSubstr("output 1 of copy 1 is NaN"));
}

TEST(MeasureCommon, NamesTheFirstWrongElementWithBothBitPatterns) {
  RowRun run;
  FixedInstance instance({{1, 2, 9}}, {1, 4, 9});
  EXPECT_FALSE(check_outputs(instance, 1, true, run));
  EXPECT_EQ(run.status, RunStatus::incorrect);
  EXPECT_EQ(run.first_difference, 1U);
  EXPECT_EQ(run.reason, "output 1 of copy 0 is 0x40000000, the reference has 0x40800000");
}

TEST(MeasureCommon, ComputesOnlyTheDigestWithoutAReference) {
  RowRun run;
  FixedInstance instance({{1, 2}}, {7, 7});
  EXPECT_TRUE(check_outputs(instance, 1, false, run));
  EXPECT_FALSE(run.reference_checked);
  EXPECT_EQ(run.output_digest, output_digest({1, 2}));
}

}  // namespace
}  // namespace census
