// SPDX-License-Identifier: MIT
#include <census/nvml.hpp>
#include <census/symbol.hpp>

#include <dlfcn.h>

#include <array>

namespace census {
namespace {

NvmlApi load_all(void* library) {
  NvmlApi api;
  load_symbol(library, "nvmlInit_v2", api.init);
  load_symbol(library, "nvmlShutdown", api.shutdown);
  load_symbol(library, "nvmlSystemGetDriverVersion", api.driver_version);
  load_symbol(library, "nvmlDeviceGetHandleByUUID", api.by_uuid);
  load_symbol(library, "nvmlDeviceGetHandleByPciBusId_v2", api.by_bus_id);
  load_symbol(library, "nvmlDeviceGetPciInfo_v3", api.pci_info);
  load_symbol(library, "nvmlDeviceGetEccMode", api.ecc_mode);
  load_symbol(library, "nvmlDeviceGetEnforcedPowerLimit", api.enforced_power_limit);
  load_symbol(library, "nvmlDeviceGetPowerManagementDefaultLimit", api.default_power_limit);
  load_symbol(library, "nvmlDeviceGetClockInfo", api.clock);
  load_symbol(library, "nvmlDeviceGetCurrentClocksEventReasons", api.throttle_reasons);
  // Drivers before 535 have the older name for the same bits.
  if (api.throttle_reasons == nullptr) {
    load_symbol(library, "nvmlDeviceGetCurrentClocksThrottleReasons", api.throttle_reasons);
  }
  load_symbol(library, "nvmlDeviceGetPowerUsage", api.power);
  load_symbol(library, "nvmlDeviceGetTemperature", api.temperature);
  load_symbol(library, "nvmlDeviceGetUtilizationRates", api.utilization);
  load_symbol(library, "nvmlDeviceGetMemoryInfo", api.memory);
  load_symbol(library, "nvmlDeviceGetComputeRunningProcesses_v3", api.compute_processes);
  load_symbol(library, "nvmlDeviceGetGraphicsRunningProcesses_v3", api.graphics_processes);
  return api;
}

}  // namespace

std::shared_ptr<const Nvml> Nvml::open() {
  // Stays loaded: a driver library that is unloaded and loaded again in one process is not worth the risk.
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const NvmlApi api = load_all(library);
  if (api.init == nullptr || api.init() != nvml_success) return nullptr;
  return std::make_shared<const Nvml>(api);
}

Nvml::~Nvml() {
  if (api.shutdown != nullptr) api.shutdown();
}

NvmlDevice find_nvml_device(const NvmlApi& api, const std::string& uuid, const std::string& pci_bus_id) {
  NvmlDevice device = nullptr;
  if (api.by_uuid != nullptr && api.by_uuid(uuid.c_str(), &device) == nvml_success) return device;
  device = nullptr;
  if (api.by_bus_id != nullptr && !pci_bus_id.empty() &&
      api.by_bus_id(pci_bus_id.c_str(), &device) == nvml_success) {
    return device;
  }
  return nullptr;
}

NvmlFacts nvml_facts(const NvmlApi& api, NvmlDevice device) {
  NvmlFacts facts;
  if (device == nullptr) return facts;
  if (NvmlPciInfo pci{}; api.pci_info != nullptr) {
    const int status = api.pci_info(device, &pci);
    facts.pci_device_id = nvml_reading<std::uint32_t>(status, pci.pci_device_id);
  }
  if (int current = 0, pending = 0; api.ecc_mode != nullptr) {
    const int status = api.ecc_mode(device, &current, &pending);
    facts.ecc = nvml_reading(status, current != 0);
  }
  if (unsigned enforced = 0, usual = 0;
      api.enforced_power_limit != nullptr && api.default_power_limit != nullptr) {
    int status = api.enforced_power_limit(device, &enforced);
    if (status == nvml_success) status = api.default_power_limit(device, &usual);
    if (status != nvml_success || usual != 0) {
      facts.power_cap_percent = nvml_reading(status, usual == 0 ? 0.0 : 100.0 * enforced / usual);
    }
  }
  return facts;
}

std::string nvml_driver_version(const NvmlApi& api) {
  // 80 is NVML's own size of a version string.
  std::array<char, 80> text{};
  if (api.driver_version == nullptr || api.driver_version(text.data(), text.size()) != nvml_success)
    return "";
  return text.data();
}

}  // namespace census
