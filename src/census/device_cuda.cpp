// SPDX-License-Identifier: MIT
#include <census/cuda.hpp>
#include <census/device.hpp>
#include <census/device_select.hpp>
#include <census/nvml.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <string>

namespace census {
namespace {

// Attributes instead of cudaDeviceProp: CUDA 13 removed the clocks from the structure. Neither makes a
// context.
int attribute(cudaDeviceAttr which, int index, const char* name) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, index), std::string("cudaDeviceGetAttribute(") + name + ")");
  return value;
}

std::string pci_bus_id(int index) {
  std::array<char, 32> text{};
  check(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), index), "cudaDeviceGetPCIBusId");
  std::string id = text.data();
  std::transform(id.begin(), id.end(), id.begin(),
                 [](char c) { return c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c; });
  return id;
}

std::uint32_t sysfs_number(const std::string& bus_id, const char* file) {
  std::ifstream stream("/sys/bus/pci/devices/" + bus_id + "/" + file);
  std::uint32_t value = 0;
  stream >> std::hex >> value;
  return stream ? value : 0;
}

// device << 16 | vendor. Where NVML is not to be had the kernel's own view of the bus has the same two
// numbers.
std::uint32_t pci_device_id(const NvmlFacts& facts, const std::string& bus_id) {
  if (facts.pci_device_id.has_value()) return facts.pci_device_id.value;
  return sysfs_number(bus_id, "device") << 16 | sysfs_number(bus_id, "vendor");
}

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.03  <date>": the first word that is a version.
std::string driver_from_proc() {
  std::ifstream stream("/proc/driver/nvidia/version");
  std::string word;
  while (stream >> word) {
    const bool version = word.find_first_not_of("0123456789.") == std::string::npos &&
                         word.find('.') != std::string::npos && word.front() != '.';
    if (version) return word;
  }
  return "";
}

std::string driver_version(const Nvml* nvml) {
  std::string version = nvml == nullptr ? "" : nvml_driver_version(nvml->api);
  return version.empty() ? driver_from_proc() : version;
}

Device describe(int index, const Nvml* nvml) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  Device device;
  device.index = index;
  std::tie(device.name, device.mig_profile) = split_mig_name(properties.name);
  std::array<std::uint8_t, 16> uuid{};
  std::copy_n(properties.uuid.bytes, uuid.size(), uuid.begin());
  device.uuid = format_uuid(uuid, device.mig_profile.empty() ? "GPU-" : "MIG-");
  device.sm_count = properties.multiProcessorCount;
  device.memory = Bytes{static_cast<std::int64_t>(properties.totalGlobalMem)};
  device.capability = 10 * properties.major + properties.minor;
  device.bus_width_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, index, "GlobalMemoryBusWidth");
  device.memory_clock_mhz =
      attribute(cudaDevAttrMemoryClockRate, index, "MemoryClockRate") / 1000;  // from kHz
  device.last_level_cache = Bytes{attribute(cudaDevAttrL2CacheSize, index, "L2CacheSize")};
  device.shared_memory_per_sm_bytes =
      attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, index, "MaxSharedMemoryPerMultiprocessor");
  device.max_threads_per_sm =
      attribute(cudaDevAttrMaxThreadsPerMultiProcessor, index, "MaxThreadsPerMultiProcessor");
  const std::string bus_id = pci_bus_id(index);
  const NvmlFacts facts =
      nvml == nullptr ? NvmlFacts{} : nvml_facts(nvml->api, find_nvml_device(nvml->api, device.uuid, bus_id));
  device.pci_device_id = pci_device_id(facts, bus_id);
  device.ecc = facts.ecc.has_value() ? facts.ecc : Reading<bool>::of(properties.ECCEnabled != 0);
  device.power_cap_percent = facts.power_cap_percent;
  return device;
}

std::string no_device_reason(cudaError_t status, int count) {
  const std::string call = std::string(" (cudaGetDeviceCount: ") + cudaGetErrorName(status) + ", " +
                           std::to_string(static_cast<int>(status)) + ")";
  int version = 0;
  if (cudaDriverGetVersion(&version) != cudaSuccess || version == 0) return "no NVIDIA driver" + call;
  if (status == cudaErrorInsufficientDriver) {
    return "the NVIDIA driver supports CUDA " + format_cuda_version(version) +
           " and is too old for this build's CUDA " + format_cuda_version(CUDART_VERSION) +
           ": update the driver" + call;
  }
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) {
    return "the NVIDIA driver shows no GPU to this process: see CUDA_VISIBLE_DEVICES and the container's "
           "settings" +
           call;
  }
  return std::string("the NVIDIA driver cannot be used: ") + cudaGetErrorString(status) + call;
}

}  // namespace

std::variant<std::vector<Device>, NoDevice> find_cuda_devices(const std::string& selector) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  (void)cudaGetLastError();  // an absent driver is an answer here, not an error of a later call
  if (status != cudaSuccess || count == 0) return NoDevice{no_device_reason(status, count)};
  const std::shared_ptr<const Nvml> nvml = Nvml::open();
  int runtime = 0;
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  std::vector<Device> devices;
  for (int index = 0; index < count; ++index) {
    devices.push_back(describe(index, nvml.get()));
    devices.back().driver = driver_version(nvml.get());
    devices.back().runtime = format_cuda_version(runtime);
  }
  return select_devices(std::move(devices), selector);
}

}  // namespace census
