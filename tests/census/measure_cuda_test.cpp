// SPDX-License-Identifier: MIT
// What a measurement on a real GPU records. Nothing here asserts on a time.
#include "twice_kernel.hpp"
#include <census/measure.hpp>
#include <census/probe.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using ::testing::Each;
using testing::Fault;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using testing::twice_case;

constexpr int floats = 1 << 18;  // 1 MiB

class MeasureCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto found = find_cuda_devices("");
    if (const auto* none = std::get_if<NoDevice>(&found)) GTEST_SKIP() << none->reason;
    device_ = std::get<std::vector<Device>>(found).front();
    measurer_ = make_cuda_measurer(device_);
    options_.footprint_override = Bytes{8 << 20};
  }

  RowRun measure(const KernelCase& row) { return measurer_->measure(row, options_); }

  Device device_;
  std::unique_ptr<Measurer> measurer_;
  MeasureOptions options_;
};

TEST_F(MeasureCuda, RecordsARowBesideItsCeilingAndFloors) {
  const RowRun run = measure(twice_case(floats));
  ASSERT_EQ(run.status, RunStatus::measured) << run.reason;
  EXPECT_EQ(run.copies, 8);
  EXPECT_EQ(run.launches_per_replay, 8);
  EXPECT_THAT(run.row_series.samples_us, SizeIs(20));
  EXPECT_THAT(run.row_series.samples_us, Each(Gt(0.0)));
  ASSERT_TRUE(run.floor && run.dependent_floor && run.ceiling_tbs);
  EXPECT_THAT(run.floor->samples_us, SizeIs(20));
  EXPECT_THAT(run.dependent_floor->samples_us, SizeIs(20));
  EXPECT_GT(*run.ceiling_tbs, 0);
  EXPECT_EQ(run.probe_version, probe_version);
  EXPECT_TRUE(run.reference_checked);
  EXPECT_EQ(run.output_digest, output_digest(twice_case(floats).make({.copies = 2})->reference(0)));
}

TEST_F(MeasureCuda, NamesTheKernelItReallyLaunched) {
  const RowRun run = measure(twice_case(floats));
  ASSERT_THAT(run.kernels, SizeIs(1)) << (run.notices.empty() ? "" : run.notices.front());
  EXPECT_THAT(run.kernels[0].name, HasSubstr("twice_kernel"));
  EXPECT_EQ(run.kernels[0].grid[0], floats / 128);
  EXPECT_EQ(run.kernels[0].block[0], 128);
  EXPECT_GT(run.kernels[0].registers, 0);
  EXPECT_GT(run.kernels[0].blocks_per_sm, 0);
}

TEST_F(MeasureCuda, DigestsTheCodeThatItLaunched) {
  const RowRun run = measure(twice_case(floats)), again = measure(twice_case(floats));
  ASSERT_TRUE(run.code_digest) << run.code_digest_reason;
  EXPECT_EQ(run.code_digest, again.code_digest);
  EXPECT_EQ(run.kernels.at(0).per_launch, 1);
  EXPECT_NE(measure(twice_case(2 * floats)).code_digest, run.code_digest) << "another grid";
  options_.plant_percent = 50;
  EXPECT_NE(measure(twice_case(floats)).code_digest, run.code_digest) << "planted";
}

TEST_F(MeasureCuda, TimesCublasBesideTheRowOrSaysWhyNot) {
  KernelCase row = twice_case(floats);
  row.bf16_matrix = {.rows = 256, .columns = 2048, .buffers = 4};
  options_.peers = true;
  const RowRun run = measure(row);
  ASSERT_EQ(run.status, RunStatus::measured) << run.reason;
  ASSERT_THAT(run.peers, SizeIs(1));
  const PeerRun& cublas = run.peers[0];
  if (!cublas.series) {
    EXPECT_THAT(cublas.reason, HasSubstr("no cuBLAS here"));
    GTEST_SKIP() << cublas.reason;
  }
  EXPECT_THAT(cublas.series->samples_us, SizeIs(20));
  EXPECT_THAT(cublas.call, HasSubstr("of cuBLAS"));
  EXPECT_THAT(cublas.call, HasSubstr("4 buffers"));
}

TEST_F(MeasureCuda, TimesTheOtherArmsBesideTheRow) {
  KernelCase row = twice_case(floats);
  row.arms.push_back({.name = "same again", .needs = "any device"});
  row.arms.push_back({.name = "elsewhere", .minimum_capability = 10'000, .needs = "no device of today"});
  options_.peers = true;
  const RowRun run = measure(row);
  ASSERT_THAT(run.peers, SizeIs(1));
  EXPECT_EQ(run.peers[0].name, "arm same again");
  EXPECT_TRUE(run.peers[0].series) << run.peers[0].reason;
  EXPECT_THAT(run.peers[0].kernels, SizeIs(1));
}

TEST_F(MeasureCuda, LooksAtTheClockBeforeDuringAndAfter) {
  const RowRun run = measure(twice_case(floats));
  EXPECT_GT(run.before.sm_clock_mhz.value, 0);
  EXPECT_GT(run.during.sm_clock_mhz.value, 0);
  EXPECT_GT(run.after.sm_clock_mhz.value, 0);
}

TEST_F(MeasureCuda, SaysWhereTheTimeWent) {
  const RowRun run = measure(twice_case(floats));
  std::vector<std::string> names;
  for (const auto& [name, seconds] : run.phases) {
    names.push_back(name);
    RecordProperty(name + "_ms", static_cast<int>(1e3 * seconds));
  }
  EXPECT_THAT(names, ::testing::ElementsAre("open", "make", "check", "warm", "floors", "time"));
  EXPECT_GT(run.wall_seconds, 0);
}

TEST_F(MeasureCuda, MeasuresAResidentRowWithoutFloors) {
  KernelCase row = twice_case(1024);
  row.resident = true;
  const RowRun run = measure(row);
  ASSERT_EQ(run.status, RunStatus::measured) << run.reason;
  EXPECT_EQ(run.copies, 16);
  EXPECT_FALSE(run.floor || run.dependent_floor);
  EXPECT_TRUE(run.ceiling_tbs);
}

TEST_F(MeasureCuda, LabelsTheHotCacheAndEagerLaunches) {
  options_.hot = true;
  options_.stream_launch = true;
  const RowRun run = measure(twice_case(floats));
  ASSERT_EQ(run.status, RunStatus::measured) << run.reason;
  EXPECT_EQ(run.cache_mode, "hot");
  EXPECT_EQ(run.launch_mode, "stream");
  EXPECT_FALSE(run.floor);
}

TEST_F(MeasureCuda, RecordsWhatAPlantAchieved) {
  options_.plant_percent = 50;
  const RowRun run = measure(twice_case(floats));
  ASSERT_EQ(run.status, RunStatus::measured) << run.reason;
  ASSERT_TRUE(run.plant);
  EXPECT_EQ(run.plant->requested_percent, 50);
  EXPECT_GT(run.plant->bytes_per_launch, 0);
  EXPECT_GT(run.plant->achieved_percent, 5) << "the planted bytes are not read";
}

TEST_F(MeasureCuda, NeverTimesARowWithAnUnwrittenOutput) {
  const RowRun run = measure(twice_case(floats, Fault::one_unwritten));
  EXPECT_EQ(run.status, RunStatus::invalid);
  EXPECT_THAT(run.reason, HasSubstr("output 262143 of copy 0 is NaN"));
  EXPECT_TRUE(run.row_series.samples_us.empty());
}

TEST_F(MeasureCuda, NeverTimesARowThatDiffersFromItsReference) {
  const RowRun run = measure(twice_case(floats, Fault::other_reference));
  EXPECT_EQ(run.status, RunStatus::incorrect);
  EXPECT_EQ(run.first_difference, 3U);
  EXPECT_TRUE(run.row_series.samples_us.empty());
}

TEST_F(MeasureCuda, CallsARowWithoutRoomInvalidAndNamesBytes) {
  KernelCase row = twice_case(floats);
  row.cold_bytes = Bytes{device_.memory.value};
  const RowRun run = measure(row);
  EXPECT_EQ(run.status, RunStatus::invalid);
  EXPECT_THAT(run.reason, HasSubstr("free"));
}

TEST_F(MeasureCuda, TellsTheRowsAfterALostContextWhyTheyFail) {
  const RowRun lost = measure(twice_case(floats, Fault::wild_store));
  EXPECT_EQ(lost.status, RunStatus::error);
  EXPECT_THAT(lost.reason, HasSubstr("the context is lost"));
  const RowRun next = measure(twice_case(floats));
  EXPECT_EQ(next.status, RunStatus::error);
  EXPECT_THAT(next.reason, HasSubstr("since row test.twice failed"));
}

}  // namespace
}  // namespace census
