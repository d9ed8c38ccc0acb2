// SPDX-License-Identifier: MIT
// The ceiling and the floors of a CUDA device as rotations that are measured beside a row.
#pragma once

#include <census/cuda.hpp>
#include <census/device.hpp>
#include <census/probe_cuda.hpp>
#include <census/rotation_cuda.hpp>

#include <cuda_runtime.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace census {

/// What a ceiling launch reads: enough to leave no trace of the last one in any last-level cache of today (at
/// most 126 MiB).
inline constexpr std::int64_t ceiling_bytes = std::int64_t{1} << 30;

/// One strategy's speed when the best was chosen.
struct StrategyTrial {
  ReadStrategy strategy;
  double replay_us = 0;
};

/// A rotation with the strategy that won, and how all of them did.
struct ChosenRotation {
  Rotation rotation;
  std::vector<StrategyTrial> trials;  ///< in the order tried
  std::size_t best = 0;
};

/// The buffer of random data that probes and plants read, and the rotations that read it. One for all rows of
/// a process.
class DeviceProbe {
 public:
  DeviceProbe(const Device& device, cudaStream_t stream);

  /// Makes the buffer hold at least `copies * cold`, and `ceiling_bytes` when memory allows. Rotations made
  /// before are invalid when it had to grow, see data(). Throws CudaError when not even the first fits.
  void reserve(int copies, Bytes cold);
  [[nodiscard]] Bytes size() const { return Bytes{static_cast<std::int64_t>(buffer_.bytes())}; }
  [[nodiscard]] const void* data() const { return buffer_.data(); }

  /// Long reads, one rotation lasting 2 ms or more; kept until the buffer grows. The strategy is chosen at
  /// the first call.
  [[nodiscard]] Rotation& ceiling();
  [[nodiscard]] Bytes ceiling_launch_bytes() const;
  [[nodiscard]] const std::vector<StrategyTrial>& ceiling_trials() const { return ceiling_trials_; }

  /// `copies` launches that each read `cold` bytes of their own.
  [[nodiscard]] ChosenRotation floor(int copies, Bytes cold, Rotation::Mode mode);

  /// The same; each launch also waits for its predecessor, then loads x in every block, then stores one value
  /// per output. The row says how many outputs it has; what else its other bytes hold is its input: x = other
  /// - 4 * outputs, at least one load.
  [[nodiscard]] ChosenRotation dependent_floor(int copies, Bytes cold, Bytes other, std::size_t outputs,
                                               Rotation::Mode mode);

 private:
  [[nodiscard]] ChosenRotation choose(const std::vector<ReadStrategy>& strategies, int launches, Bytes cold,
                                      const DependentWork& work, Rotation::Mode mode);
  [[nodiscard]] Rotation make(const ReadStrategy& strategy, int launches, Bytes cold, Bytes stride,
                              const DependentWork& work, Rotation::Mode mode);

  Device device_;
  cudaStream_t stream_;
  DeviceBuffer<unsigned> sink_;
  DeviceBuffer<uint4> x_;
  DeviceBuffer<float> y_;
  DeviceBuffer<unsigned long long> buffer_;
  std::optional<ReadStrategy> ceiling_strategy_;
  std::vector<StrategyTrial> ceiling_trials_;
  std::optional<Rotation> ceiling_;
};

/// "plain loads, 1 x 256 threads per SM: 4.38 TB/s; ..." for the record, of `bytes` read by one replay.
[[nodiscard]] std::string describe(const std::vector<StrategyTrial>& trials, Bytes bytes);

}  // namespace census
