// SPDX-License-Identifier: MIT
// Text forms of a device's identity, and choosing devices by them. Pure.
#pragma once

#include <census/device.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace census {

/// "GPU-8f3c1d20-....": a driver's UUID of 16 bytes with its prefix, in the form that nvidia-smi prints.
[[nodiscard]] std::string format_uuid(const std::array<std::uint8_t, 16>& bytes, const std::string& prefix);

/// "NVIDIA H200 MIG 1g.18gb" is the slice "1g.18gb" of an "NVIDIA H200": {name, MIG profile}, the latter ""
/// where there is none.
[[nodiscard]] std::pair<std::string, std::string> split_mig_name(const std::string& name);

/// "13.0" from 13000, the way CUDA numbers its versions.
[[nodiscard]] std::string format_cuda_version(int version);

/// "80,90,100" as configured (a "-real" or "-virtual" suffix included) to "sm_80, sm_90, sm_100".
[[nodiscard]] std::string format_architectures(const std::string& configured);

/// All devices for ""; else the one of that number (Device::index) or the one whose UUID begins so, with or
/// without "GPU-", in any case. Throws UsageError naming the devices that exist when there is none or more
/// than one.
[[nodiscard]] std::vector<Device> select_devices(std::vector<Device> devices, const std::string& selector);

}  // namespace census
