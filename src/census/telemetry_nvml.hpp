// SPDX-License-Identifier: MIT
// Telemetry of an NVIDIA GPU, read from NVML.
#pragma once

#include <census/nvml.hpp>
#include <census/process_family.hpp>
#include <census/telemetry.hpp>

#include <memory>
#include <string>
#include <vector>

namespace census {

/// Names of the set bits of nvmlDeviceGetCurrentClocksEventReasons, without their prefix and without
/// "GpuIdle": "SwPowerCap". A bit that has no name here is "0x400".
[[nodiscard]] std::vector<std::string> throttle_names(unsigned long long reasons);

/// Reads `device`; every field is unsupported when `nvml` or `device` is null.
[[nodiscard]] std::unique_ptr<Telemetry> make_nvml_telemetry(std::shared_ptr<const Nvml> nvml,
                                                             NvmlDevice device, ProcessTable processes);

}  // namespace census
