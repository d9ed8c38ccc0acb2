// SPDX-License-Identifier: MIT
// What a device is: the fields that key its baseline, the soft fields beside them, and its identity.
#pragma once

#include <census/kernel_case.hpp>
#include <census/units.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace census {

enum class Availability { value, unsupported, denied };

/// A field that the driver may not give: a value, or why there is none. "denied" is a permission,
/// "unsupported" is not.
template <class T>
struct Reading {
  Availability availability = Availability::unsupported;
  T value{};

  static Reading of(T v) { return {Availability::value, std::move(v)}; }
  static Reading denied() { return {Availability::denied, {}}; }
  [[nodiscard]] bool has_value() const { return availability == Availability::value; }
};

struct Device {
  Backend backend = Backend::cuda;
  int index = 0;     ///< CUDA device number in this process; 0 on the CPU
  std::string uuid;  ///< "GPU-8f3c..."; on the CPU the host name: names the lock and the occasion

  // Hard: the key of a baseline. Two devices with the same hard fields share one.
  std::string name;                 ///< "NVIDIA H200"
  std::uint32_t pci_device_id = 0;  ///< device << 16 | vendor, as the driver gives it; 0 on the CPU
  int sm_count = 0;                 ///< on the CPU: hardware threads usable
  Bytes memory;                     ///< total device memory
  int bus_width_bits = 0;
  std::string mig_profile;  ///< "" where MIG is off

  // Soft: a mismatch is a notice.
  Reading<bool> ecc;
  Reading<double> power_cap_percent;  ///< enforced power limit / default power limit * 100
  std::string driver;                 ///< "580.159.03"; the branch is the part before the first dot
  std::string runtime;                ///< CUDA runtime "13.0"; on the CPU ""

  int capability = 0;  ///< see Arm::minimum_capability
  int memory_clock_mhz = 0;
  Bytes last_level_cache;  ///< L2 of a GPU, largest data cache of a CPU
  int shared_memory_per_sm_bytes = 0;
  int max_threads_per_sm = 0;
};

/// "nvidia-h200" from "NVIDIA H200": lower case, runs of other characters become one '-'. The CPU's is
/// "cpu-generic". A MIG profile is appended: "nvidia-h200-mig-1g.18gb".
[[nodiscard]] std::string slug(const Device& device);

/// 2 x memory clock x bus width / 8 (double data rate). nullopt where the driver gives 0 for either.
[[nodiscard]] std::optional<TerabytesPerSecond> peak(const Device& device);

/// Why there is no device: "no NVIDIA driver (cudaGetDeviceCount: ...)".
struct NoDevice {
  std::string reason;
};

/// All devices of the backend, or why there are none. `selector` keeps one: "" all, a number, or a UUID
/// (prefix). Makes no CUDA context. Throws std::invalid_argument when the selector names none of the devices
/// that exist.
[[nodiscard]] std::variant<std::vector<Device>, NoDevice> find_cuda_devices(const std::string& selector);
[[nodiscard]] std::variant<std::vector<Device>, NoDevice> find_cpu_devices(const std::string& selector);

}  // namespace census
