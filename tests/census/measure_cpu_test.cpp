// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/measure.hpp>
#include <census/probe_cpu.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace census {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr int outputs = 4;
constexpr std::size_t values_per_copy = 64 * 1024;  // 256 KiB of weights

/// How an instance's kernel goes wrong.
enum class Fault { none, wrong_third_output, last_copy_unwritten, infinite };

/// What happened to the instances of a row.
struct Log {
  int copies = 0;
  int launches = 0;
  int references = 0;
  std::string arm;
  bool had_extra = false;
};

/// y[i] = sum of the weights of a copy + i.
class SumInstance : public Instance {
 public:
  SumInstance(const InstanceRequest& request, Fault fault, Log& log)
      : fault_(fault), extra_(request.extra), copies_(request.copies), log_(log) {
    weights_.assign(values_per_copy * static_cast<std::size_t>(copies_), 1.0f);
    y_.assign(outputs * static_cast<std::size_t>(copies_), nan);
    log_.copies = copies_;
    log_.arm = request.arm;
    log_.had_extra = extra_ != nullptr;
  }

  void launch(Stream, int copy) override {
    ++log_.launches;
    if (fault_ == Fault::last_copy_unwritten && copy == copies_ - 1) return;
    const auto weights = weights_.begin() + copy * static_cast<long>(values_per_copy);
    const float sum = std::accumulate(weights, weights + values_per_copy, 0.0f) + planted(copy);
    for (int i = 0; i < outputs; ++i) y_[copy * outputs + i] = sum + static_cast<float>(i);
    if (fault_ == Fault::wrong_third_output) y_[copy * outputs + 2] = 0;
    if (fault_ == Fault::infinite) y_[copy * outputs] = std::numeric_limits<float>::infinity();
  }
  std::vector<float> output(int copy) override {
    return {y_.begin() + copy * outputs, y_.begin() + (copy + 1) * outputs};
  }
  std::vector<float> reference(int) override {
    ++log_.references;
    const auto sum = static_cast<float>(values_per_copy);
    return {sum, sum + 1, sum + 2, sum + 3};
  }

 private:
  /// Reads the planted bytes; they add nothing.
  [[nodiscard]] float planted(int copy) const {
    if (extra_ == nullptr || extra_->bytes_per_launch == 0) return 0;
    const auto* words = reinterpret_cast<const std::uint64_t*>(static_cast<const char*>(extra_->data) +
                                                               copy * extra_->bytes_per_launch);
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < extra_->bytes_per_launch / 8; ++i) sum |= words[i];
    return sum == ~std::uint64_t{0} ? 1.0f : 0.0f;
  }

  Fault fault_;
  const ExtraRead* extra_;
  int copies_;
  Log& log_;
  std::vector<float> weights_, y_;
};

class MeasureCpu : public ::testing::Test {
 protected:
  MeasureCpu() : device_(std::get<std::vector<Device>>(find_cpu_devices("")).at(0)) {}

  KernelCase row(Fault fault = Fault::none) {
    KernelCase row{
        .id = "f32.sum.4x4", .backend = Backend::cpu, .cold_bytes = {values_per_copy * sizeof(float)}};
    row.other_bytes = {(outputs + 8) * sizeof(float)};
    row.arms = {{.name = "avx2", .minimum_capability = 1, .needs = "AVX2"},
                {.name = "portable", .needs = "any CPU"}};
    row.make = [this, fault](const InstanceRequest& request) {
      return std::make_unique<SumInstance>(request, fault, log_);
    };
    return row;
  }
  RowRun measure(const KernelCase& row, MeasureOptions options = {}) const {
    if (!options.footprint_override) options.footprint_override = Bytes{2 << 20};
    return make_cpu_measurer(device_)->measure(row, options);
  }
  /// Timing needs AVX2; a machine without it only checks.
  [[nodiscard]] bool can_time() const { return device_.capability >= 1; }

  Device device_;
  Log log_;
};

TEST_F(MeasureCpu, TimesARowBesideItsCeilingAndFloors) {
  if (!can_time()) GTEST_SKIP() << "no AVX2: rows are checked, not timed";
  const RowRun run = measure(row());
  ASSERT_EQ(run.status, RunStatus::measured) << run.reason;
  EXPECT_EQ(run.copies, 8);
  EXPECT_THAT(run.row_series.samples_us,
              AllOf(SizeIs(::testing::AllOf(::testing::Ge(3u), ::testing::Le(10u))), Each(Gt(0))));
  EXPECT_GT(run.row_series.median_us, 0);
  ASSERT_TRUE(run.floor && run.dependent_floor && run.ceiling_tbs);
  EXPECT_GT(run.floor->median_us, 0);
  EXPECT_GT(run.dependent_floor->median_us, 0);
  EXPECT_GT(*run.ceiling_tbs, 0);
}

TEST_F(MeasureCpu, RecordsWhatItCheckedAndHow) {
  if (!can_time()) GTEST_SKIP() << "no AVX2: rows are checked, not timed";
  const RowRun run = measure(row());
  EXPECT_TRUE(run.reference_checked);
  EXPECT_EQ(run.output_digest, output_digest({65536, 65537, 65538, 65539}));
  EXPECT_EQ(run.arm, "avx2");
  EXPECT_GT(run.probe_version, 0);
  EXPECT_EQ(run.launches_per_replay, 8);
  EXPECT_TRUE(run.during.utilisation_percent.has_value());
  EXPECT_FALSE(log_.had_extra);
}

TEST_F(MeasureCpu, ComparesWithTheReferenceOnlyWhenAsked) {
  const RowRun run = measure(row(), {.check_reference = false});
  EXPECT_EQ(log_.references, 0);
  EXPECT_FALSE(run.reference_checked);
  EXPECT_THAT(run.output_digest, SizeIs(16));
}

TEST_F(MeasureCpu, NeverTimesAWrongKernel) {
  const RowRun run = measure(row(Fault::wrong_third_output));
  EXPECT_EQ(run.status, RunStatus::incorrect);
  EXPECT_EQ(run.first_difference, 2u);
  EXPECT_THAT(run.row_series.samples_us, IsEmpty());
  EXPECT_EQ(log_.launches, log_.copies);
}

TEST_F(MeasureCpu, SeesAnElementOfTheLastCopyThatNoLaunchWrote) {
  const RowRun run = measure(row(Fault::last_copy_unwritten));
  EXPECT_EQ(run.status, RunStatus::invalid);
  EXPECT_THAT(run.reason, HasSubstr("NaN"));
  EXPECT_THAT(run.row_series.samples_us, IsEmpty());
}

TEST_F(MeasureCpu, DoesNotAcceptInfinity) {
  EXPECT_EQ(measure(row(Fault::infinite)).status, RunStatus::invalid);
}

TEST_F(MeasureCpu, TurnsAnExceptionOfTheRowIntoItsStatus) {
  KernelCase broken = row();
  broken.make = [](const InstanceRequest&) -> std::unique_ptr<Instance> {
    throw std::runtime_error("bank is empty");
  };
  const RowRun run = measure(broken);
  EXPECT_EQ(run.status, RunStatus::error);
  EXPECT_EQ(run.reason, "bank is empty");
}

TEST_F(MeasureCpu, WithoutAKernelHasNoDevice) {
  KernelCase absent = row();
  absent.make = nullptr;
  EXPECT_EQ(measure(absent).status, RunStatus::no_device);
}

TEST_F(MeasureCpu, WithoutAnArmForThisProcessorHasNoDevice) {
  device_.capability = 0;
  KernelCase fast_only = row();
  fast_only.arms.pop_back();
  const RowRun run = measure(fast_only);
  EXPECT_EQ(run.status, RunStatus::no_device);
  EXPECT_THAT(run.reason, HasSubstr("no arm runs on"));
}

TEST_F(MeasureCpu, RefusesAForcedArmThatIsNotThere) {
  EXPECT_THROW((void)measure(row(), {.arm = "avx9"}), UsageError);
}

TEST_F(MeasureCpu, ChecksButDoesNotTimeWithoutAvx2) {
  device_.capability = 0;
  const RowRun run = measure(row());
  EXPECT_EQ(run.status, RunStatus::checked_only);
  EXPECT_THAT(run.reason, HasSubstr("checked, not timed"));
  EXPECT_EQ(log_.arm, "portable");
  EXPECT_EQ(log_.launches, 2);
  EXPECT_TRUE(run.reference_checked);
}

TEST_F(MeasureCpu, CallsARowThatCannotLeaveTheCacheInvalid) {
  if (!can_time()) GTEST_SKIP() << "no AVX2: rows are checked, not timed";
  device_.last_level_cache = {32 << 20};  // 256 copies of 256 KiB are 64 MiB, less than 4 x 32
  const RowRun run = make_cpu_measurer(device_)->measure(row(), {});
  EXPECT_EQ(run.status, RunStatus::invalid);
  EXPECT_EQ(log_.copies, 0);
}

TEST_F(MeasureCpu, GivesAResidentRowNoCeilingAndNoFloor) {
  if (!can_time()) GTEST_SKIP() << "no AVX2: rows are checked, not timed";
  KernelCase resident = row();
  resident.resident = true;
  const RowRun run = measure(resident);
  EXPECT_EQ(run.status, RunStatus::measured);
  EXPECT_EQ(run.copies, 16);
  EXPECT_FALSE(run.floor || run.dependent_floor || run.ceiling_tbs);
}

TEST_F(MeasureCpu, RecordsWhatItPlanted) {
  if (!can_time()) GTEST_SKIP() << "no AVX2: rows are checked, not timed";
  const RowRun run = measure(row(), {.plant_percent = 50});
  ASSERT_TRUE(run.plant.has_value()) << run.reason;
  EXPECT_EQ(run.plant->requested_percent, 50);
  EXPECT_GT(run.plant->bytes_per_launch, 0);
  EXPECT_EQ(run.plant->bytes_per_launch % 16, 0);
  EXPECT_TRUE(log_.had_extra);
}

TEST_F(MeasureCpu, TakesNoMoreSamplesThanAsked) {
  if (!can_time()) GTEST_SKIP() << "no AVX2: rows are checked, not timed";
  EXPECT_THAT(measure(row(), {.min_samples = 3}).row_series.samples_us, SizeIs(3));
}

TEST_F(MeasureCpu, HasACeilingButNoFloorForAHotCache) {
  if (!can_time()) GTEST_SKIP() << "no AVX2: rows are checked, not timed";
  const RowRun run = measure(row(), {.hot = true, .min_samples = 3});
  EXPECT_EQ(run.status, RunStatus::measured) << run.reason;
  EXPECT_EQ(run.copies, 1);
  EXPECT_TRUE(run.ceiling_tbs.has_value());
  EXPECT_FALSE(run.floor || run.dependent_floor);
}

TEST_F(MeasureCpu, ReadsWhatTheProbeTimes) {
  if (!can_time()) GTEST_SKIP() << "no AVX2: rows are checked, not timed";
  // Lengths that divide into no whole number of streams or threads: the probe compares every sum with the
  // contents.
  for (const std::int64_t lines : {1, 2, 17, 1021, 16385}) {
    CpuProbe probe(3 * lines);
    probe.choose_strategy();
    probe.set_dependence({.x_values = 10, .y_values = 3});
    for (const std::int64_t first : {0L, lines, 2 * lines}) {
      EXPECT_GT(probe.launch_us(first, lines), 0);
      EXPECT_GT(probe.dependent_launch_us(first, lines), 0);
    }
  }
}

}  // namespace
}  // namespace census
