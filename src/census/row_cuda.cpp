// SPDX-License-Identifier: MIT
#include <census/code_digest.hpp>
#include <census/cuda.hpp>
#include <census/kernel_info_cuda.hpp>
#include <census/peers_cuda.hpp>
#include <census/plant_calibration.hpp>
#include <census/row_cuda.hpp>
#include <census/stats.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace census {
namespace {

constexpr double sample_us = 1200;     // at least 1 ms; the rest allows for clocks that still rise
constexpr double warm_up_us = 50'000;  // a memory clock that sleeps takes tens of milliseconds to wake
constexpr double longest_warm_up_us = 500'000;
constexpr double warm_up_chunk_us = 10'000;
constexpr double settled = 0.01;         // relative change between chunks: over the step of a boost clock
constexpr double telemetry_us = 20'000;  // of work while the device is looked at
constexpr double slow_sample = 1.25;     // times the fastest: five times what undisturbed series spread by
constexpr int plant_samples = 15;        // of each of the two series behind one step of a calibration
// One rotation of a resident row takes some 10 us and a hot one is a single launch, about what the host needs
// to launch a graph: their graphs hold several.
constexpr int resident_rotations = 8;
constexpr int hot_rotations = 64;

bool close(double a, double b) {
  return std::abs(a - b) <= settled * std::max(a, b);
}

std::int64_t free_memory() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return static_cast<std::int64_t>(free);
}

// The measurement of one row, step by step; lives for one call of Measurer::measure.
class RowMeasurement {
 public:
  RowMeasurement(const KernelCase& row, const MeasureOptions& options, CudaSession& session,
                 Telemetry& telemetry, RowRun& run, PhaseClock& phases)
      : row_(row), options_(options), session_(session), telemetry_(telemetry), run_(run), phases_(phases) {}

  void measure() {
    if (!plan() || !make() || !verify()) return;
    warm_up();
    if (options_.plant_percent > 0) plant();
    make_floors();
    if (options_.peers) make_peers();
    time();
    run_.environment = environment_findings(run_.device, run_.before, run_.during, run_.after);
    if (auto finding = slow_probe_finding(run_.device, run_.slow_probe_samples_percent))
      run_.environment.push_back(std::move(*finding));
    if (auto notice = blind_spot_notice(run_.device, run_.during)) run_.notices.push_back(std::move(*notice));
    run_.status = RunStatus::measured;
  }

 private:
  [[nodiscard]] bool plan();
  [[nodiscard]] bool make();
  [[nodiscard]] bool verify();
  void warm_up();
  void plant();
  void make_floors();
  void make_peers();
  void time();
  void look_during();
  [[nodiscard]] Rotation row_rotation();
  [[nodiscard]] double rise_percent(Rotation& base, double base_replay_us, std::int64_t bytes);
  [[nodiscard]] Rotation::Mode mode() const {
    return options_.stream_launch ? Rotation::Mode::stream : Rotation::Mode::graph;
  }

  const KernelCase& row_;
  const MeasureOptions& options_;
  CudaSession& session_;
  Telemetry& telemetry_;
  RowRun& run_;
  PhaseClock& phases_;

  std::int64_t free_bytes_ = 0;
  std::size_t outputs_ = 0;
  ExtraRead extra_;
  std::unique_ptr<Instance> instance_;
  std::optional<Rotation> rotation_, floor_, dependent_floor_;
  std::optional<RowPeers> peers_;
  double replay_us_ = 0;
};

bool RowMeasurement::plan() {
  // The probe's buffer is counted by the plan, and may be there already.
  free_bytes_ = free_memory() + session_.probe.size().value;
  const CopyPlan plan = plan_copies(row_, run_.device, Bytes{free_bytes_}, options_);
  run_.copies = plan.copies;
  if (!plan.notice.empty()) run_.notices.push_back(plan.notice);
  if (!plan.invalid) return true;
  run_.status = RunStatus::invalid;
  run_.reason = plan.reason;
  return false;
}

bool RowMeasurement::make() {
  phases_.begin("make");
  try {
    instance_ =
        row_.make({run_.copies, options_.seed, run_.arm, options_.plant_percent > 0 ? &extra_ : nullptr});
    session_.probe.reserve(run_.copies, row_.cold_bytes);
    // An instance may have filled its buffers on the default stream, which ours does not wait for.
    check(cudaDeviceSynchronize(), "make the buffers of " + row_.id);
    return true;
  } catch (const CudaError& error) {
    if (cudaGetLastError() != cudaErrorMemoryAllocation) throw;
    const std::int64_t needed = run_.copies * (2 * row_.cold_bytes.value + row_.other_bytes.value);
    run_.status = RunStatus::invalid;
    run_.reason = "not enough device memory: " + std::to_string(run_.copies) +
                  " copies and the probe's buffer need about " + std::to_string(needed) + " bytes, free " +
                  std::to_string(free_bytes_) + " (" + error.what() + ")";
    return false;
  }
}

bool RowMeasurement::verify() {
  phases_.begin("check");
  for (int copy = 0; copy < run_.copies; ++copy) instance_->launch(session_.stream.get(), copy);
  session_.stream.synchronize();
  outputs_ = instance_->output(0).size();
  return check_outputs(*instance_, run_.copies, options_.check_reference, run_);
}

Rotation RowMeasurement::row_rotation() {
  const int rotations = options_.hot ? hot_rotations : row_.resident ? resident_rotations : 1;
  const auto launch = [this](cudaStream_t stream, int index) {
    instance_->launch(stream, options_.hot ? 0 : index % run_.copies);
  };
  return {session_.stream.get(), run_.copies * rotations, launch, mode()};
}

void RowMeasurement::warm_up() {
  phases_.begin("warm");
  rotation_.emplace(row_rotation());
  try {
    run_.kernels = launched_kernels(rotation_->graph(), rotation_->launches());
    const LaunchSettings settings{run_.arm, choose_arm(row_, run_.device, run_.arm).weight_layout,
                                  instance_->tuning(), options_.plant_percent};
    const KernelCode code = code_digest(run_.kernels, settings);
    run_.code_digest = code.sha256;
    run_.code_digest_reason = code.reason;
  } catch (const CudaError& error) {
    (void)cudaGetLastError();
    run_.notices.push_back(std::string("the launched kernels could not be read back from the graph: ") +
                           error.what());
    run_.code_digest_reason = "the launched kernels are not known";
  }
  const cudaStream_t stream = session_.stream.get();
  rotation_->replay();  // uploads the graph
  replay_us_ = time_replay_us(stream, *rotation_, 1);
  double spent_us = 0, clock_mhz = 0;
  while (spent_us < longest_warm_up_us) {
    const int replays = replays_for(replay_us_, warm_up_chunk_us);
    const double replay_us = time_replay_us(stream, *rotation_, replays);
    spent_us += replays * replay_us;
    const double now_mhz = session_.sm_clock_mhz();
    const bool steady = close(replay_us, replay_us_) && close(now_mhz, clock_mhz);
    replay_us_ = replay_us;
    clock_mhz = now_mhz;
    if (steady && spent_us >= warm_up_us) return;
  }
  run_.notices.push_back("clocks had not settled after " +
                         std::to_string(static_cast<int>(longest_warm_up_us / 1e3)) +
                         " ms of warm-up: the times may still drift");
}

double RowMeasurement::rise_percent(Rotation& base, double base_replay_us, std::int64_t bytes) {
  extra_ = {session_.probe.data(), bytes};
  Rotation planted = row_rotation();
  planted.replay();
  TimedRotation without{&base, replays_for(base_replay_us, sample_us), {}},
      with{&planted, without.replays, {}};
  std::array<TimedRotation*, 2> both{&without, &with};
  for (int i = 0; i < plant_samples; ++i) sample_round(session_.stream.get(), base, both);
  return 100 * (median(with.samples_us) / median(without.samples_us) - 1);
}

void RowMeasurement::plant() {
  phases_.begin("plant");
  if (mode() == Rotation::Mode::stream) {
    // An eager launch reads `extra_` when it is enqueued, so base and planted cannot be told apart in one
    // stream.
    run_.notices.emplace_back("a plant is calibrated on graphs; with --launch stream nothing was planted");
    return;
  }
  // What the row reads grows by about the request; a resident row's time buys about 2 bytes a picosecond.
  constexpr double resident_bytes_per_us = 2e6;
  const double launch_us = replay_us_ / rotation_->launches();
  const double whole =
      row_.resident ? launch_us * resident_bytes_per_us : static_cast<double>(row_.cold_bytes.value);
  const auto guess = options_.plant_bytes > 0
                         ? options_.plant_bytes
                         : static_cast<std::int64_t>(whole * options_.plant_percent / 100);
  const std::int64_t most = session_.probe.size().value / run_.copies;
  const PlantCalibration calibration =
      calibrate_plant(options_.plant_percent, guess, most,
                      [&](std::int64_t bytes) { return rise_percent(*rotation_, replay_us_, bytes); });
  run_.plant = Plant{options_.plant_percent, calibration.achieved_percent, calibration.bytes_per_launch};
  if (!calibration.reached) {
    run_.notices.push_back("the plant of " + format_fixed(options_.plant_percent, 1) +
                           " % came no closer than " + format_fixed(calibration.achieved_percent, 2) + " %");
  }
  extra_ = {session_.probe.data(), calibration.bytes_per_launch};
  rotation_.emplace(row_rotation());
  rotation_->replay();
  replay_us_ = time_replay_us(session_.stream.get(), *rotation_, replays_for(replay_us_, sample_us));
}

// Hot rows read the cache and resident rows nothing that is cold: neither has a floor.
void RowMeasurement::make_floors() {
  phases_.begin("floors");
  (void)session_.probe.ceiling();
  if (session_.probe.size().value < ceiling_bytes) {
    run_.notices.push_back("for want of memory the ceiling probe reads " +
                           format_memory(session_.probe.size()) + " instead of 1 GiB");
  }
  if (row_.resident || options_.hot) return;
  floor_.emplace(session_.probe.floor(run_.copies, row_.cold_bytes, mode()).rotation);
  dependent_floor_.emplace(
      session_.probe.dependent_floor(run_.copies, row_.cold_bytes, row_.other_bytes, outputs_, mode())
          .rotation);
}

void RowMeasurement::make_peers() {
  phases_.begin("peers");
  peers_.emplace(row_, run_, options_, session_.stream.get());
  peers_->make(rotation_->launches(), mode());
}

// Untimed work keeps the device as it is between the samples while it is looked at.
void RowMeasurement::look_during() {
  const int replays = replays_for(replay_us_, telemetry_us);
  for (int i = 0; i < replays; ++i) rotation_->replay();
  run_.during = telemetry_.read();
  session_.complete(run_.during);
  session_.stream.synchronize();
}

void RowMeasurement::time() {
  phases_.begin("time");
  const cudaStream_t stream = session_.stream.get();
  Rotation& ceiling_rotation = session_.probe.ceiling();
  TimedRotation row{&*rotation_, replays_for(replay_us_, sample_us), {}}, ceiling{&ceiling_rotation, 1, {}},
      floor, dependent;
  std::vector<TimedRotation*> series{&row, &ceiling};
  for (auto [timed, rotation] : {std::pair{&floor, &floor_}, std::pair{&dependent, &dependent_floor_}}) {
    if (!*rotation) continue;
    timed->rotation = &**rotation;
    timed->replays = replays_for(time_replay_us(stream, **rotation, 2), sample_us);
    series.push_back(timed);
  }
  if (peers_) {
    const auto beside = peers_->series(sample_us);
    series.insert(series.end(), beside.begin(), beside.end());
  }
  const int rounds = std::max(1, options_.min_samples);
  // A probe that streams a gibibyte between two hot samples would turn the cache against the buffer it holds.
  if (options_.hot) series = {&row};
  for (int round = 0; round < rounds; ++round) {
    if (round == rounds / 2) look_during();
    sample_round(stream, *rotation_, series);
  }
  if (options_.hot) {
    series = {&ceiling};
    for (int round = 0; round < rounds; ++round) sample_round(stream, ceiling_rotation, series);
  }
  run_.after = telemetry_.read();
  session_.complete(run_.after);

  run_.launches_per_replay = rotation_->launches();
  run_.replays_per_sample = row.replays;
  run_.slow_samples_percent = percent_above_smallest(row.samples_us, slow_sample);
  double slow_probes = percent_above_smallest(ceiling.samples_us, slow_sample);
  int probes = 1;
  for (const TimedRotation* probe : {&floor, &dependent}) {
    if (probe->samples_us.empty()) continue;
    slow_probes += percent_above_smallest(probe->samples_us, slow_sample);
    ++probes;
  }
  run_.slow_probe_samples_percent = slow_probes / probes;
  run_.row_series = series_of(std::move(row.samples_us));
  if (floor_) run_.floor = series_of(std::move(floor.samples_us));
  if (dependent_floor_) run_.dependent_floor = series_of(std::move(dependent.samples_us));
  if (peers_) run_.peers = peers_->finish();
  const double ceiling_us = median(ceiling.samples_us);
  run_.ceiling_tbs = bandwidth(session_.probe.ceiling_launch_bytes(), Microseconds{ceiling_us}).value;
}

}  // namespace

void measure_row(const KernelCase& row, const MeasureOptions& options, CudaSession& session,
                 Telemetry& telemetry, RowRun& run, PhaseClock& phases) {
  RowMeasurement(row, options, session, telemetry, run, phases).measure();
}

}  // namespace census
