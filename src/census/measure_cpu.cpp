// SPDX-License-Identifier: MIT
// One run of a row on the CPU: a sample is one rotation over all copies, beside the read ceiling and the
// floors.
#include <census/cpu_memory.hpp>
#include <census/error.hpp>
#include <census/measure.hpp>
#include <census/measure_common.hpp>
#include <census/plant_calibration.hpp>
#include <census/probe.hpp>
#include <census/probe_cpu.hpp>
#include <census/stats.hpp>
#include <census/telemetry.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

namespace census {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int fewest_samples = 3;
constexpr int most_samples = 10;
/// Three processes for each of two dozen rows must end in minutes.
constexpr std::chrono::milliseconds sampling_time{1500};
/// Work before the first sample, so that the clock of a sleeping core is up and OpenMP's threads exist.
constexpr std::chrono::milliseconds warm_up_time{50};
/// A shorter sample is repeated up to this: the clock's own cost and a scheduler tick must not show.
constexpr double shortest_sample_us = 1000;
/// Memory of the machine that is left to the others.
constexpr double share_of_free_memory = 0.9;
/// A planted read needs a rotation without and one with it for every trial, and tens of milliseconds for
/// each.
constexpr int most_plant_trials = 8;
constexpr int rotations_per_plant_trial = 5;
/// What the probe reads with `--cache hot`, where the row's own footprint cannot show the memory's ceiling.
constexpr Bytes hot_probe_size{1LL << 30};
/// And in what stretches: long enough that the barrier after each does not show.
constexpr Bytes hot_probe_stretch{16LL << 20};

double us_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// One launch of every copy: microseconds.
double rotation_us(Instance& instance, int copies) {
  const auto start = Clock::now();
  for (int copy = 0; copy < copies; ++copy) instance.launch(nullptr, copy);
  return us_since(start);
}

std::int64_t lines_of(Bytes bytes) {
  return (bytes.value + CpuProbe::line_bytes - 1) / CpuProbe::line_bytes;
}

/// Microseconds per launch of one sample.
struct Sample {
  double row = 0, floor = 0, dependent_floor = 0;
};

/// One value of every sample.
std::vector<double> column(const std::vector<Sample>& samples, double Sample::*field) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.*field);
  return values;
}

class CpuMeasurer final : public Measurer {
 public:
  explicit CpuMeasurer(Device device) : device_(std::move(device)), telemetry_(open_cpu_telemetry(device_)) {}

  RowRun measure(const KernelCase& row, const MeasureOptions& options) override {
    RowRun run = begin_run(row, device_, options);
    const Arm* arm = choose(row, options, run);
    if (arm == nullptr) return run;
    PhaseClock phases(run);
    try {
      measure(row, options, *arm, run, phases);
    } catch (const std::exception& e) {
      run.status = RunStatus::error;
      run.reason = e.what();
    }
    phases.finish();
    return run;
  }

 private:
  /// Null, with the run's status and reason set, where nothing of this row runs here. A forced arm's error is
  /// the caller's.
  const Arm* choose(const KernelCase& row, const MeasureOptions& options, RowRun& run) const {
    run.status = RunStatus::no_device;
    if (!row.make) {
      run.reason = "this build has no CPU kernel of the row";
      return nullptr;
    }
    try {
      const Arm& arm = choose_arm(row, device_, options.arm);
      run.arm = arm.name;
      return &arm;
    } catch (const UsageError& e) {
      if (!options.arm.empty()) throw;
      run.reason = e.what();
      return nullptr;
    }
  }

  void measure(const KernelCase& row, const MeasureOptions& options, const Arm& arm, RowRun& run,
               PhaseClock& phases) {
    const bool timed = device_.capability >= 1;
    run.before = telemetry_->read();
    if (!plan(row, options, timed, run)) return;
    phases.begin("make");
    ExtraRead extra;
    const auto instance = row.make({.copies = run.copies,
                                    .seed = options.seed,
                                    .arm = arm.name,
                                    .extra = options.plant_percent > 0 ? &extra : nullptr});
    phases.begin("check");
    rotation_us(*instance, run.copies);
    if (!check_outputs(*instance, run.copies, options.check_reference, run)) return;
    if (!timed) {
      run.status = RunStatus::checked_only;
      run.reason = device_.name + " has no AVX2, FMA and F16C: its rows are checked, not timed";
      return;
    }
    phases.begin("warm");
    warm_up(*instance, run);
    if (options.plant_percent > 0) plant(*instance, options, extra, run);
    phases.begin("time");
    sample(*instance, std::clamp(options.min_samples, fewest_samples, most_samples), run);
    run.after = telemetry_->read();
    run.environment = environment_findings(device_, run.before, run.during, run.after);
    run.status = RunStatus::measured;
  }

  /// Sets the copies, or why there are none.
  bool plan(const KernelCase& row, const MeasureOptions& options, bool timed, RowRun& run) const {
    const Bytes free{
        static_cast<std::int64_t>(share_of_free_memory * static_cast<double>(available_memory().value))};
    const CopyPlan plan = plan_copies(row, device_, free, options);
    // A check needs no footprint; two copies show that a launch finds its own.
    run.copies = timed ? plan.copies : 2;
    run.launches_per_replay = run.copies;
    if (timed && !plan.notice.empty()) run.notices.push_back(plan.notice);
    if (!timed || !plan.invalid) return true;
    run.status = RunStatus::invalid;
    run.reason = plan.reason;
    return false;
  }

  /// The probe reads memory of its own, as much as the row's copies; a larger one of an earlier row serves as
  /// well.
  void make_probe(std::int64_t lines) {
    if (!probe_ || probe_->lines() < lines) {
      probe_.reset();  // before the new one is allocated
      probe_ = std::make_unique<CpuProbe>(lines);
    }
    probe_->choose_strategy();
  }

  void warm_up(Instance& instance, RowRun& run) {
    const auto start = Clock::now();
    double rotation = rotation_us(instance, run.copies);
    while (Clock::now() - start < warm_up_time)
      rotation = std::min(rotation, rotation_us(instance, run.copies));
    run.replays_per_sample =
        std::max(1, static_cast<int>(std::ceil(shortest_sample_us / std::max(rotation, 1.0))));
    if (run.resident) return;
    const std::int64_t footprint = run.copies * lines_of(run.cold_bytes);
    const std::int64_t hot_lines = lines_of(run.footprint_override.value_or(hot_probe_size));
    make_probe(run.cache_mode == "hot" ? std::max(footprint, hot_lines) : footprint);
    run.probe_version = probe_version;
  }

  [[nodiscard]] static double launch_us(Instance& instance, const RowRun& run) {
    double us = 0;
    for (int replay = 0; replay < run.replays_per_sample; ++replay) us += rotation_us(instance, run.copies);
    return us / run.replays_per_sample / run.copies;
  }

  /// Plants reads of the probe's buffer: a rotation lies between two reads of the same bytes.
  void plant(Instance& instance, const MeasureOptions& options, ExtraRead& extra, RowRun& run) {
    const double percent = options.plant_percent;
    if (!probe_) throw std::runtime_error(run.row + ": nothing can be planted in a resident row on the CPU");
    extra.data = probe_->data();
    const auto rise_percent = [&](std::int64_t bytes) {
      std::vector<double> without, with;
      for (int i = 0; i < rotations_per_plant_trial; ++i) {
        extra.bytes_per_launch = 0;
        without.push_back(launch_us(instance, run));
        extra.bytes_per_launch = bytes;
        with.push_back(launch_us(instance, run));
      }
      return 100 * (median(with) / median(without) - 1);
    };
    const auto first_guess =
        options.plant_bytes > 0
            ? options.plant_bytes
            : static_cast<std::int64_t>(static_cast<double>(run.cold_bytes.value) * percent / 100);
    const PlantCalibration found =
        calibrate_plant(percent, first_guess, probe_->lines() * CpuProbe::line_bytes / run.copies,
                        rise_percent, most_plant_trials);
    extra.bytes_per_launch = found.bytes_per_launch;
    run.plant = Plant{percent, found.achieved_percent, found.bytes_per_launch};
    if (!found.reached)
      run.notices.push_back("the planted slowdown missed its request: this CPU's times vary by more");
  }

  /// One rotation, or as many as make a sample long enough.
  Sample cold_sample(Instance& instance, const RowRun& run) {
    const std::int64_t lines = lines_of(run.cold_bytes);
    Sample sum;
    for (int replay = 0; replay < run.replays_per_sample; ++replay) {
      for (int copy = 0; copy < run.copies; ++copy) {
        const auto start = Clock::now();
        instance.launch(nullptr, copy);
        sum.row += us_since(start);
        sum.floor += probe_->launch_us(copy * lines, lines);
        sum.dependent_floor += probe_->dependent_launch_us(copy * lines, lines);
      }
    }
    const double launches = run.replays_per_sample * run.copies;
    return {sum.row / launches, sum.floor / launches, sum.dependent_floor / launches};
  }

  /// Nothing may come between the launches of a row whose data lies in the cache. The probe then reads all of
  /// its memory.
  Sample warm_sample(Instance& instance, const RowRun& run) {
    Sample sample{.row = launch_us(instance, run)};
    if (run.resident) return sample;
    const std::int64_t stretch = std::min(lines_of(hot_probe_stretch), probe_->lines());
    const std::int64_t stretches = probe_->lines() / stretch;
    for (std::int64_t i = 0; i < stretches; ++i) sample.floor += probe_->launch_us(i * stretch, stretch);
    const double us_per_line = sample.floor / static_cast<double>(stretches * stretch);
    sample.floor = us_per_line * static_cast<double>(lines_of(run.cold_bytes));
    return sample;
  }

  void sample(Instance& instance, int most, RowRun& run) {
    const bool cold = !run.resident && run.cache_mode != "hot";
    if (cold) probe_->set_dependence(dependence_of(instance, run));
    std::vector<Sample> samples;
    const auto start = Clock::now();
    for (int i = 0; i < most && (i < fewest_samples || Clock::now() - start < sampling_time); ++i) {
      samples.push_back(cold ? cold_sample(instance, run) : warm_sample(instance, run));
      if (i == fewest_samples / 2) run.during = telemetry_->read();
    }
    run.row_series = series_of(column(samples, &Sample::row));
    if (run.resident) return;
    const Series floor = series_of(column(samples, &Sample::floor));
    run.ceiling_tbs = bandwidth(run.cold_bytes, {floor.median_us}).value;
    if (!cold) return;
    run.floor = floor;
    run.dependent_floor = series_of(column(samples, &Sample::dependent_floor));
  }

  static CpuProbe::Dependence dependence_of(Instance& instance, const RowRun& run) {
    const auto outputs = static_cast<std::int64_t>(instance.output(0).size());
    const std::int64_t values = run.other_bytes.value / static_cast<std::int64_t>(sizeof(float));
    return {.x_values = std::max<std::int64_t>(values - outputs, 0), .y_values = outputs};
  }

  Device device_;
  std::unique_ptr<Telemetry> telemetry_;
  std::unique_ptr<CpuProbe> probe_;
};

}  // namespace

std::unique_ptr<Measurer> make_cpu_measurer(const Device& device) {
  return std::make_unique<CpuMeasurer>(device);
}

}  // namespace census
