// SPDX-License-Identifier: MIT
// NVML by own declarations: the library is opened at run time where the driver has it, never linked.
#pragma once

#include <census/device.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace census {

using NvmlDevice = struct nvmlDevice_st*;

// Layouts and values of NVML's C interface, as its reference manual has them. Unversioned structures never
// change; the versioned functions below keep their structure for ever.
struct NvmlPciInfo {
  char legacy_bus_id[16];
  unsigned domain, bus, device;
  unsigned pci_device_id;  ///< device << 16 | vendor
  unsigned pci_subsystem_id;
  char bus_id[32];
};
static_assert(sizeof(NvmlPciInfo) == 68);

/// nvmlProcessInfo_v2_t, which the _v3 process functions fill.
struct NvmlProcess {
  unsigned pid;
  unsigned long long used_memory;  ///< all ones where the driver does not say
  unsigned gpu_instance, compute_instance;
};
static_assert(sizeof(NvmlProcess) == 24);

struct NvmlMemory {
  unsigned long long total, free, used;
};

struct NvmlUtilization {
  unsigned gpu, memory;  ///< percent
};

enum NvmlStatus : int {
  nvml_success = 0,
  nvml_no_permission = 4,
  nvml_insufficient_size = 7,
  nvml_gpu_is_lost = 15,
  nvml_reset_required = 16,
};
enum NvmlClock : int { nvml_sm_clock = 1, nvml_memory_clock = 2 };

/// The functions of NVML that the census calls, each null where the library lacks it. Tests fill it with
/// fakes.
struct NvmlApi {
  int (*init)() = nullptr;                                       // nvmlInit_v2
  int (*shutdown)() = nullptr;                                   // nvmlShutdown
  int (*driver_version)(char*, unsigned) = nullptr;              // nvmlSystemGetDriverVersion
  int (*by_uuid)(const char*, NvmlDevice*) = nullptr;            // nvmlDeviceGetHandleByUUID
  int (*by_bus_id)(const char*, NvmlDevice*) = nullptr;          // nvmlDeviceGetHandleByPciBusId_v2
  int (*pci_info)(NvmlDevice, NvmlPciInfo*) = nullptr;           // nvmlDeviceGetPciInfo_v3
  int (*ecc_mode)(NvmlDevice, int*, int*) = nullptr;             // nvmlDeviceGetEccMode: current, pending
  int (*enforced_power_limit)(NvmlDevice, unsigned*) = nullptr;  // nvmlDeviceGetEnforcedPowerLimit, mW
  int (*default_power_limit)(NvmlDevice,
                             unsigned*) = nullptr;     // nvmlDeviceGetPowerManagementDefaultLimit, mW
  int (*clock)(NvmlDevice, int, unsigned*) = nullptr;  // nvmlDeviceGetClockInfo, MHz
  int (*throttle_reasons)(NvmlDevice,
                          unsigned long long*) = nullptr;    // nvmlDeviceGetCurrentClocksEventReasons
  int (*power)(NvmlDevice, unsigned*) = nullptr;             // nvmlDeviceGetPowerUsage, mW
  int (*temperature)(NvmlDevice, int, unsigned*) = nullptr;  // nvmlDeviceGetTemperature, sensor 0, degrees C
  int (*utilization)(NvmlDevice, NvmlUtilization*) = nullptr;               // nvmlDeviceGetUtilizationRates
  int (*memory)(NvmlDevice, NvmlMemory*) = nullptr;                         // nvmlDeviceGetMemoryInfo
  int (*compute_processes)(NvmlDevice, unsigned*, NvmlProcess*) = nullptr;  // ..GetComputeRunningProcesses_v3
  int (*graphics_processes)(NvmlDevice, unsigned*,
                            NvmlProcess*) = nullptr;  // ..GetGraphicsRunningProcesses_v3
};

/// A status as a reading: success is the value, no permission is denied, everything else is unsupported.
template <class T>
[[nodiscard]] Reading<T> nvml_reading(int status, T value) {
  if (status == nvml_success) return Reading<T>::of(std::move(value));
  return status == nvml_no_permission ? Reading<T>::denied() : Reading<T>{};
}

/// NVML opened and initialised; shut down by the last owner.
class Nvml {
 public:
  /// Null where there is no library or it does not initialise.
  [[nodiscard]] static std::shared_ptr<const Nvml> open();
  explicit Nvml(const NvmlApi& functions) : api(functions) {}
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  const NvmlApi api;
};

/// The device of this UUID ("GPU-..." or "MIG-..."), else the one at this PCI bus id (none asked for when
/// ""); null for none.
[[nodiscard]] NvmlDevice find_nvml_device(const NvmlApi& api, const std::string& uuid,
                                          const std::string& pci_bus_id);

/// What NVML knows of a device that does not change while we measure.
struct NvmlFacts {
  Reading<std::uint32_t> pci_device_id;
  Reading<bool> ecc;
  Reading<double> power_cap_percent;  ///< enforced limit / default limit * 100
};
[[nodiscard]] NvmlFacts nvml_facts(const NvmlApi& api, NvmlDevice device);

/// "580.159.03"; "" where NVML does not say.
[[nodiscard]] std::string nvml_driver_version(const NvmlApi& api);

}  // namespace census
