// SPDX-License-Identifier: MIT
// The state of a device at one moment, and what in it forbids a verdict about code.
#pragma once

#include <census/device.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace census {

/// Another process that uses the device.
struct ForeignProcess {
  std::int64_t pid = 0;
  std::string name;  ///< "" where it cannot be read (another container)
  std::string kind;  ///< "compute" or "graphics"
  Bytes memory;
};

/// One look at the device. Every field is a value, unsupported or denied.
struct Snapshot {
  Reading<double> sm_clock_mhz;  ///< on the CPU unsupported
  Reading<double> memory_clock_mhz;
  Reading<std::vector<std::string>> throttle_reasons;  ///< NVML's names: "SwPowerCap", "HwSlowdown",
                                                       ///< "SwThermalSlowdown"; "GpuIdle" left out
  Reading<double> power_w;
  Reading<double> temperature_c;
  Reading<double>
      utilisation_percent;     ///< of the GPU; on the CPU the one-minute load average / threads * 100
  Reading<Bytes> memory_used;  ///< on the device, by everybody; before our own first allocation by others and
                               ///< the driver alone
  bool device_lost = false;    ///< the driver says that it lost the device, or that it must be reset
  Reading<std::vector<ForeignProcess>> processes;  ///< this process and its parent left out
};

/// Reads snapshots of one device. Never throws: what cannot be read is unsupported or denied.
class Telemetry {
 public:
  virtual ~Telemetry() = default;
  [[nodiscard]] virtual Snapshot read() = 0;
};

[[nodiscard]] std::unique_ptr<Telemetry> open_cuda_telemetry(const Device& device);
[[nodiscard]] std::unique_ptr<Telemetry> open_cpu_telemetry(const Device& device);

/// What in three looks (before, during, after the timing) makes a slow result the environment's fault, each
/// finding one sentence that names the cause and what to do. Empty when nothing does. Pure.
[[nodiscard]] std::vector<std::string> environment_findings(const Device& device, const Snapshot& before,
                                                            const Snapshot& during, const Snapshot& after);

/// Says so where the driver shows neither throttling nor neighbours, so that a reader knows what a red did
/// not look at; nullopt where it shows one of them. Pure.
[[nodiscard]] std::optional<std::string> blind_spot_notice(const Device& device, const Snapshot& during);

/// A finding about a utilisation that was read when our own work no longer showed; see wait_until_quiet.
/// Pure.
[[nodiscard]] std::optional<std::string> still_busy_finding(const Device& device,
                                                            const Reading<double>& percent);

/// A finding about the share of the probes' samples that took more than 1.25 x the fastest of their series.
/// The probes are not the code under test, so no change of it can cause this. Pure.
[[nodiscard]] std::optional<std::string> slow_probe_finding(const Device& device,
                                                            std::optional<double> percent);

}  // namespace census
