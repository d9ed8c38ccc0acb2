// SPDX-License-Identifier: MIT
// The CPU as a device: what /proc, the scheduler's affinity mask and the processor itself say.
#include <census/cpu_cache.hpp>
#include <census/device.hpp>
#include <census/error.hpp>
#include <census/measure_common.hpp>
#include <census/telemetry.hpp>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace census {
namespace {

std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

/// Hardware threads that this process may run on.
std::vector<int> usable_cpus() {
  // A mask that is too small for the machine is refused with EINVAL: try larger ones.
  for (int capacity = CPU_SETSIZE; capacity <= (1 << 20); capacity *= 2) {
    std::vector<cpu_set_t> mask(CPU_ALLOC_SIZE(capacity) / sizeof(cpu_set_t));
    const std::size_t bytes = mask.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, mask.data()) != 0) continue;
    std::vector<int> cpus;
    for (int cpu = 0; cpu < capacity; ++cpu) {
      if (CPU_ISSET_S(cpu, bytes, mask.data())) cpus.push_back(cpu);
    }
    return cpus;
  }
  return {0};
}

/// 1 where the fast kernels run: AVX2, FMA and F16C; else 0.
int capability() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c")
             ? 1
             : 0;
#else
  return 0;
#endif
}

class CpuTelemetry : public Telemetry {
 public:
  explicit CpuTelemetry(int threads) : threads_(std::max(threads, 1)) {}

  Snapshot read() override {
    Snapshot snapshot;
    std::ifstream file("/proc/loadavg");
    std::string line;
    std::getline(file, line);
    std::istringstream text(line);
    text.imbue(std::locale::classic());
    if (double load = 0; text >> load)
      snapshot.utilisation_percent = Reading<double>::of(100 * load / threads_);
    return snapshot;
  }

 private:
  int threads_;
};

}  // namespace

std::variant<std::vector<Device>, NoDevice> find_cpu_devices(const std::string& selector) {
  const std::vector<int> cpus = usable_cpus();
  Device device{.backend = Backend::cpu, .uuid = host_name(), .name = processor_name()};
  if (!selector.empty() && selector != "0" && !device.uuid.starts_with(selector)) {
    throw UsageError("no CPU device '" + selector + "': there is one, 0, also called " + device.uuid);
  }
  device.sm_count = static_cast<int>(cpus.size());
  device.memory = {sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE)};
  device.last_level_cache = last_level_cache(cpus);
  device.capability = capability();
  return std::vector<Device>{device};
}

std::unique_ptr<Telemetry> open_cpu_telemetry(const Device& device) {
  return std::make_unique<CpuTelemetry>(device.sm_count);
}

}  // namespace census
