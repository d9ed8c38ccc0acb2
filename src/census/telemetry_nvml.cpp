// SPDX-License-Identifier: MIT
#include <census/telemetry_nvml.hpp>

#include <array>
#include <sstream>
#include <utility>

namespace census {
namespace {

struct ThrottleBit {
  unsigned long long bit;
  const char* name;
};

// Bit values of NVML's clocks event reasons. Bit 0 (GpuIdle) is no reason to doubt a measurement.
constexpr unsigned long long gpu_idle = 0x1;
constexpr std::array<ThrottleBit, 8> throttle_bits{{{0x2, "ApplicationsClocksSetting"},
                                                    {0x4, "SwPowerCap"},
                                                    {0x8, "HwSlowdown"},
                                                    {0x10, "SyncBoost"},
                                                    {0x20, "SwThermalSlowdown"},
                                                    {0x40, "HwThermalSlowdown"},
                                                    {0x80, "HwPowerBrakeSlowdown"},
                                                    {0x100, "DisplayClockSetting"}}};

using ProcessFunction = int (*)(NvmlDevice, unsigned*, NvmlProcess*);

// Asks with a list of some size; NVML answers with the size it needs when that is too small.
int list_processes(ProcessFunction function, NvmlDevice device, std::vector<NvmlProcess>& list) {
  unsigned count = 64;  // more than shares a GPU in practice
  for (int attempt = 0; attempt < 4; ++attempt) {
    list.resize(count);
    const int status = function(device, &count, list.data());
    if (status == nvml_success) list.resize(count);
    if (status != nvml_insufficient_size) return status;
    count += 16;  // some may start before we ask again
  }
  return nvml_insufficient_size;
}

class NvmlTelemetry : public Telemetry {
 public:
  NvmlTelemetry(std::shared_ptr<const Nvml> nvml, NvmlDevice device, ProcessTable processes)
      : nvml_(std::move(nvml)), device_(device), filter_(std::move(processes)) {}

  // Clocks and reasons first: they are what changes fastest when the work ends.
  Snapshot read() override {
    Snapshot snapshot;
    if (nvml_ == nullptr || device_ == nullptr) return snapshot;
    snapshot.sm_clock_mhz = clock(nvml_sm_clock);
    snapshot.throttle_reasons = throttle_reasons();
    snapshot.memory_clock_mhz = clock(nvml_memory_clock);
    snapshot.utilisation_percent = utilisation();
    snapshot.power_w = power();
    snapshot.temperature_c = temperature();
    snapshot.memory_used = memory_used();
    snapshot.processes = processes();
    snapshot.device_lost = lost();
    return snapshot;
  }

 private:
  Reading<double> clock(NvmlClock which) const {
    unsigned mhz = 0;
    if (nvml_->api.clock == nullptr) return {};
    const int status = nvml_->api.clock(device_, which, &mhz);
    return nvml_reading<double>(status, mhz);
  }

  Reading<std::vector<std::string>> throttle_reasons() const {
    unsigned long long reasons = 0;
    if (nvml_->api.throttle_reasons == nullptr) return {};
    const int status = nvml_->api.throttle_reasons(device_, &reasons);
    return nvml_reading(status, throttle_names(reasons));
  }

  Reading<double> power() const {
    unsigned milliwatts = 0;
    if (nvml_->api.power == nullptr) return {};
    const int status = nvml_->api.power(device_, &milliwatts);
    return nvml_reading(status, milliwatts / 1000.0);
  }

  Reading<double> temperature() const {
    constexpr int gpu_sensor = 0;
    unsigned celsius = 0;
    if (nvml_->api.temperature == nullptr) return {};
    const int status = nvml_->api.temperature(device_, gpu_sensor, &celsius);
    return nvml_reading<double>(status, celsius);
  }

  Reading<double> utilisation() const {
    NvmlUtilization rates{};
    if (nvml_->api.utilization == nullptr) return {};
    const int status = nvml_->api.utilization(device_, &rates);
    return nvml_reading<double>(status, rates.gpu);
  }

  Reading<Bytes> memory_used() const {
    NvmlMemory memory{};
    if (nvml_->api.memory == nullptr) return {};
    const int status = nvml_->api.memory(device_, &memory);
    return nvml_reading(status, Bytes{static_cast<std::int64_t>(memory.used)});
  }

  // Asked of the clock, which every device has: a lost one answers every question like this.
  bool lost() const {
    unsigned mhz = 0;
    if (nvml_->api.clock == nullptr) return false;
    const int status = nvml_->api.clock(device_, nvml_sm_clock, &mhz);
    return status == nvml_gpu_is_lost || status == nvml_reset_required;
  }

  // Known when the compute list is: a server GPU may not give a graphics list at all.
  Reading<std::vector<ForeignProcess>> processes() {
    std::vector<ForeignProcess> listed;
    const auto compute = append(nvml_->api.compute_processes, "compute", listed);
    if (!compute.has_value()) return {compute.availability, {}};
    (void)append(nvml_->api.graphics_processes, "graphics", listed);
    return Reading<std::vector<ForeignProcess>>::of(filter_.foreign(listed));
  }

  Reading<bool> append(ProcessFunction function, const char* kind,
                       std::vector<ForeignProcess>& listed) const {
    std::vector<NvmlProcess> found;
    if (function == nullptr) return {};
    const int status = list_processes(function, device_, found);
    if (status != nvml_success) return nvml_reading(status, true);
    constexpr auto unknown = ~0ULL;
    for (const NvmlProcess& process : found) {
      const auto memory = process.used_memory == unknown ? 0 : static_cast<std::int64_t>(process.used_memory);
      listed.push_back({process.pid, "", kind, Bytes{memory}});
    }
    return nvml_reading(status, true);
  }

  std::shared_ptr<const Nvml> nvml_;
  NvmlDevice device_;
  ForeignProcessFilter filter_;
};

}  // namespace

std::vector<std::string> throttle_names(unsigned long long reasons) {
  std::vector<std::string> names;
  reasons &= ~gpu_idle;
  for (const ThrottleBit& known : throttle_bits) {
    if ((reasons & known.bit) != 0) names.emplace_back(known.name);
    reasons &= ~known.bit;
  }
  if (reasons != 0) {
    std::ostringstream rest;
    rest << "0x" << std::hex << reasons;
    names.push_back(rest.str());
  }
  return names;
}

std::unique_ptr<Telemetry> make_nvml_telemetry(std::shared_ptr<const Nvml> nvml, NvmlDevice device,
                                               ProcessTable processes) {
  return std::make_unique<NvmlTelemetry>(std::move(nvml), device, std::move(processes));
}

std::unique_ptr<Telemetry> open_cuda_telemetry(const Device& device) {
  auto nvml = Nvml::open();
  NvmlDevice handle = nvml == nullptr ? nullptr : find_nvml_device(nvml->api, device.uuid, "");
  return make_nvml_telemetry(std::move(nvml), handle, proc_table());
}

}  // namespace census
