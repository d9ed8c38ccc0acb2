// SPDX-License-Identifier: MIT
// One row on a CUDA device whose context exists: copies, check, warm-up, plant, floors, timing.
#pragma once

#include <census/floors_cuda.hpp>
#include <census/measure.hpp>
#include <census/measure_common.hpp>
#include <census/rotation_cuda.hpp>
#include <census/telemetry.hpp>

#include <vector>

namespace census {

/// The context and everything that rows share.
struct CudaSession {
  explicit CudaSession(const Device& device) : clock(2), probe(device, stream.get()) {}

  /// Ticks per microsecond, measured on the device itself.
  double sm_clock_mhz() {
    launch_clock(stream.get(), clock.data());
    stream.synchronize();
    const std::vector<long long> reading = clock.to_host(0, 2);
    return 1e3 * static_cast<double>(reading[0]) / static_cast<double>(reading[1]);
  }
  /// Fills in the clock where NVML does not give it.
  void complete(Snapshot& snapshot) {
    if (!snapshot.sm_clock_mhz.has_value()) snapshot.sm_clock_mhz = Reading<double>::of(sm_clock_mhz());
  }

  CudaStream stream;
  DeviceBuffer<long long> clock;
  DeviceProbe probe;
};

/// Measures the row into `run`, whose arm is chosen. Status and reason are set for what the row itself did; a
/// failed CUDA call, or what the row throws, passes through.
void measure_row(const KernelCase& row, const MeasureOptions& options, CudaSession& session,
                 Telemetry& telemetry, RowRun& run, PhaseClock& phases);

}  // namespace census
