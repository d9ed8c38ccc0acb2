// SPDX-License-Identifier: MIT
#include <census/floors_cuda.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <cmath>

namespace census {
namespace {

constexpr double ceiling_sample_us = 2000;  // a gap of 2 us around a graph is then 0.1 %
constexpr std::int64_t least_buffer = std::int64_t{64}
                                      << 20;  // a resident row has no cold bytes; the ceiling has
constexpr std::int64_t alignment = 128;       // a copy begins on a cache line, as a row's own buffers do

Bytes aligned(Bytes bytes) {
  return Bytes{(bytes.value + alignment - 1) / alignment * alignment};
}

// Best of three: a strategy is not to lose by one interruption.
double trial_us(cudaStream_t stream, Rotation& rotation) {
  rotation.replay();  // uploads the graph
  double best = time_replay_us(stream, rotation, 1);
  for (int i = 0; i < 2; ++i) best = std::min(best, time_replay_us(stream, rotation, 1));
  return best;
}

}  // namespace

DeviceProbe::DeviceProbe(const Device& device, cudaStream_t stream)
    : device_(device), stream_(stream), sink_(1) {}

void DeviceProbe::reserve(int copies, Bytes cold) {
  const std::int64_t enough = std::max(copies * aligned(cold).value, least_buffer);
  const std::int64_t wanted = std::max(enough, ceiling_bytes);
  if (size().value >= wanted) return;
  ceiling_.reset();
  buffer_ = {};  // the old buffer's memory may be needed for the new one
  try {
    buffer_ = DeviceBuffer<unsigned long long>(static_cast<std::size_t>(wanted) / 8);
  } catch (const CudaError&) {
    (void)cudaGetLastError();
    if (enough == wanted) throw;
    buffer_ = DeviceBuffer<unsigned long long>(static_cast<std::size_t>(enough) / 8);
  }
  launch_random_fill(stream_, buffer_.data(), size().value);
}

Bytes DeviceProbe::ceiling_launch_bytes() const {
  return std::min(size(), Bytes{ceiling_bytes});
}

Rotation& DeviceProbe::ceiling() {
  if (ceiling_) return *ceiling_;
  const Bytes bytes = ceiling_launch_bytes();
  if (!ceiling_strategy_) {
    ChosenRotation chosen = choose(ceiling_strategies(device_), 2, bytes, {}, Rotation::Mode::graph);
    ceiling_strategy_ = chosen.trials[chosen.best].strategy;
    ceiling_trials_ = std::move(chosen.trials);
  }
  Rotation twice = make(*ceiling_strategy_, 2, bytes, Bytes{0}, {}, Rotation::Mode::graph);
  const double launch_us = trial_us(stream_, twice) / 2;
  ceiling_.emplace(make(*ceiling_strategy_, replays_for(launch_us, ceiling_sample_us), bytes, Bytes{0}, {},
                        Rotation::Mode::graph));
  return *ceiling_;
}

ChosenRotation DeviceProbe::floor(int copies, Bytes cold, Rotation::Mode mode) {
  return choose(floor_strategies(device_), copies, cold, {}, mode);
}

ChosenRotation DeviceProbe::dependent_floor(int copies, Bytes cold, Bytes other, std::size_t outputs,
                                            Rotation::Mode mode) {
  constexpr std::int64_t chunk = sizeof(uint4);
  const std::int64_t x_bytes = std::max(chunk, other.value - 4 * static_cast<std::int64_t>(outputs));
  const auto x_chunks = static_cast<std::size_t>((x_bytes + chunk - 1) / chunk);
  if (x_.size() < x_chunks) {
    x_ = DeviceBuffer<uint4>(x_chunks);
    launch_random_fill(stream_, x_.data(), static_cast<std::int64_t>(x_.bytes()));
  }
  if (y_.size() < outputs) y_ = DeviceBuffer<float>(outputs);
  const DependentWork work{x_.data(), static_cast<int>(x_chunks), y_.data(), static_cast<int>(outputs)};
  return choose(floor_strategies(device_), copies, cold, work, mode);
}

ChosenRotation DeviceProbe::choose(const std::vector<ReadStrategy>& strategies, int launches, Bytes cold,
                                   const DependentWork& work, Rotation::Mode mode) {
  // The ceiling reads the same bytes in every launch: they are many times the cache.
  const Bytes stride = launches * aligned(cold).value <= size().value ? aligned(cold) : Bytes{0};
  std::vector<StrategyTrial> trials;
  std::optional<Rotation> best_rotation;
  std::size_t best = 0;
  for (const ReadStrategy& strategy : strategies) {
    // Once outside of a capture: a kernel may have to be loaded first, which a capture does not allow.
    launch_read(stream_, device_, strategy, data(), cold.value, work, sink_.data());
    Rotation rotation = make(strategy, launches, cold, stride, work, mode);
    trials.push_back({strategy, trial_us(stream_, rotation)});
    if (best_rotation && trials.back().replay_us >= trials[best].replay_us) continue;
    best = trials.size() - 1;
    best_rotation.emplace(std::move(rotation));
  }
  return {std::move(*best_rotation), std::move(trials), best};
}

Rotation DeviceProbe::make(const ReadStrategy& strategy, int launches, Bytes cold, Bytes stride,
                           const DependentWork& work, Rotation::Mode mode) {
  const auto launch = [device = device_, strategy, work, cold, stride, sink = sink_.data(),
                       base = reinterpret_cast<const char*>(buffer_.data())](cudaStream_t stream, int index) {
    launch_read(stream, device, strategy, base + index * stride.value, cold.value, work, sink);
  };
  return {stream_, launches, launch, mode};
}

std::string describe(const std::vector<StrategyTrial>& trials, Bytes bytes) {
  std::string text;
  for (const StrategyTrial& trial : trials) {
    if (!text.empty()) text += "; ";
    text += describe(trial.strategy) + ": " +
            format_fixed(bandwidth(bytes, Microseconds{trial.replay_us}).value, 2) + " TB/s";
  }
  return text;
}

}  // namespace census
