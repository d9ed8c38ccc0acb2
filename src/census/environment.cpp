// SPDX-License-Identifier: MIT
// What in three looks at a device explains a slow result without the code. A field that cannot be read gives
// no finding.
#include <census/telemetry.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace census {
namespace {

/// A power limit below this share of the default is somebody's setting and not a rounding of the driver.
constexpr double least_power_cap_percent = 95;
/// How far the SM clock may lie below its own neighbours in time. Boost steps are 15 MHz, a healthy card
/// wanders by a few of them, and two ways of reading the clock differ by 1 %; a card held down by heat or
/// power loses more than 10 %.
constexpr double least_sm_clock_share = 0.90;
/// How far the memory clock may lie below the device's. Consumer cards compute at up to 10 % less than they
/// advertise; a memory clock that still sleeps gives 64 % of the bandwidth.
constexpr double least_memory_clock_share = 0.88;
/// Utilisation before we start that an idle device does not show: a desktop's compositor stays below it.
constexpr double most_gpu_utilisation_percent = 25;
/// More of the probes' samples above 1.25 x the fastest than this, and the device was elsewhere for a while.
/// Of 1585 series of 20 samples recorded on undisturbed H200s no sample reached even 1.06 x the fastest.
constexpr double most_slow_probe_percent = 10;
/// Load average that our own threads cannot explain: they give at most 100 %, so at least half of the CPU was
/// somebody else's.
constexpr double most_cpu_load_percent = 150;

using Looks = std::array<std::pair<const char*, const Snapshot*>, 3>;

std::string mhz(double value) {
  return format_fixed(value, 0) + " MHz";
}
std::string percent(double value) {
  return format_fixed(value, 0) + " %";
}

struct ThrottleCause {
  const char* reason;  ///< NVML's name
  const char* what;
  const char* way_out;
  bool only_during;  ///< an idle card may show it too, and it ends with the load
};

/// The reasons that make a card slower than its baseline. Clock settings that an administrator chose are
/// none: they hold for the baseline as well. HwSlowdown is the sum of the two above it and last.
constexpr std::array<ThrottleCause, 6> causes{{
    {"HwThermalSlowdown", "the hardware cut the clocks because the GPU is too hot",
     "let it cool down or improve its cooling", false},
    {"SwThermalSlowdown", "the driver cut the clocks because the GPU is too hot",
     "let it cool down or improve its cooling", false},
    {"HwPowerBrakeSlowdown", "the machine's power brake cut the clocks", "check its power supply", false},
    {"SwPowerCap", "the power limit held the clocks down", "raise the limit or stop what else draws power",
     true},
    {"SyncBoost", "another GPU of its sync boost group held the clocks down",
     "leave the group or idle the other GPU", true},
    {"HwSlowdown", "the hardware cut the clocks", "see nvidia-smi -q -d PERFORMANCE for why", false},
}};

bool shows(const Snapshot& look, const std::string& reason) {
  const auto& reasons = look.throttle_reasons;
  return reasons.has_value() &&
         std::find(reasons.value.begin(), reasons.value.end(), reason) != reasons.value.end();
}

/// "before, during": the looks that show the cause; "" for none.
std::string when(const Looks& looks, const ThrottleCause& cause) {
  std::string names;
  for (const auto& [name, look] : looks) {
    if (cause.only_during && std::string_view(name) != "during") continue;
    if (shows(*look, cause.reason)) names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

void find_lost_device(const Device& device, const Looks& looks, std::vector<std::string>& findings) {
  for (const auto& [name, look] : looks) {
    if (!look->device_lost) continue;
    findings.push_back("the driver lost the GPU (" + std::string(name) + "): reset it with nvidia-smi -i " +
                       device.uuid +
                       " -r or restart the machine; nvidia-smi -q and the kernel's log say why");
    return;
  }
}

void find_throttling(const Looks& looks, std::vector<std::string>& findings) {
  const std::size_t others = findings.size();
  for (const ThrottleCause& cause : causes) {
    const std::string moments = when(looks, cause);
    const bool explained = std::string_view(cause.reason) == "HwSlowdown" && findings.size() > others;
    if (moments.empty() || explained) continue;
    findings.push_back(std::string(cause.what) + " (" + cause.reason + ", " + moments +
                       "): " + cause.way_out);
  }
}

void find_power_cap(const Device& device, std::vector<std::string>& findings) {
  const Reading<double>& cap = device.power_cap_percent;
  if (!cap.has_value() || cap.value >= least_power_cap_percent) return;
  findings.push_back("the power limit is " + percent(cap.value) +
                     " of the default: restore it with nvidia-smi -i " + device.uuid +
                     " -pl WATTS, the default being in nvidia-smi -q -d POWER");
}

void find_sm_clock_sag(const Looks& looks, std::vector<std::string>& findings) {
  const auto& [before, during, after] = looks;
  if (!during.second->sm_clock_mhz.has_value()) return;
  // Under load the clock may only rise: an idle card's is lower. So each neighbour in time bounds it from
  // above, whether the card fell from its clock or was still on its way to it.
  for (const auto& [name, look] : {before, after}) {
    const double here = during.second->sm_clock_mhz.value;
    if (!look->sm_clock_mhz.has_value() || here >= least_sm_clock_share * look->sm_clock_mhz.value) continue;
    findings.push_back("the SM clock was " + mhz(here) + " during the timing but " +
                       mhz(look->sm_clock_mhz.value) + " " + name +
                       " it: look for heat, a power limit or another load, and measure again");
    return;
  }
}

void find_memory_clock(const Device& device, const Snapshot& during, std::vector<std::string>& findings) {
  const Reading<double>& clock = during.memory_clock_mhz;
  if (!clock.has_value() || clock.value >= least_memory_clock_share * device.memory_clock_mhz) return;
  findings.push_back(
      "the memory clock was " + mhz(clock.value) + " of " + mhz(device.memory_clock_mhz) +
      " during the timing: look for a power limit or a locked clock (nvidia-smi -rmc), and measure again");
}

std::string describe(const ForeignProcess& process) {
  const std::string name = process.name.empty() ? "a process that cannot be named from here" : process.name;
  std::string text = name + " (pid " + std::to_string(process.pid) + ", " + process.kind;
  if (process.memory.value > 0) text += ", " + format_memory(process.memory);
  return text + ")";
}

void find_processes(const Looks& looks, std::vector<std::string>& findings) {
  std::map<std::int64_t, ForeignProcess> processes;
  for (const auto& [name, look] : looks) {
    if (!look->processes.has_value()) continue;
    for (const ForeignProcess& process : look->processes.value) processes[process.pid] = process;
  }
  if (processes.empty()) return;
  std::string list;
  for (const auto& [pid, process] : processes) list += (list.empty() ? "" : ", ") + describe(process);
  findings.push_back("the device is shared with " + list + ": stop it or measure when it has ended");
}

void find_utilisation(const Device& device, const Snapshot& before, std::vector<std::string>& findings) {
  const Reading<double>& busy = before.utilisation_percent;
  if (!busy.has_value()) return;
  if (device.backend == Backend::cpu && busy.value > most_cpu_load_percent) {
    findings.push_back("the load average was " + percent(busy.value) +
                       " of the hardware threads, of which at most 100 % " +
                       "can be ours: stop the other load or measure when it has ended");
  }
  if (device.backend == Backend::cuda && busy.value > most_gpu_utilisation_percent) {
    findings.push_back("the GPU was " + percent(busy.value) +
                       " busy before the measurement began: stop the other load or " +
                       "measure when it has ended");
  }
}

}  // namespace

std::vector<std::string> environment_findings(const Device& device, const Snapshot& before,
                                              const Snapshot& during, const Snapshot& after) {
  const Looks looks{{{"before", &before}, {"during", &during}, {"after", &after}}};
  std::vector<std::string> findings;
  find_lost_device(device, looks, findings);
  find_throttling(looks, findings);
  find_power_cap(device, findings);
  find_sm_clock_sag(looks, findings);
  find_memory_clock(device, during, findings);
  find_processes(looks, findings);
  find_utilisation(device, before, findings);
  return findings;
}

std::optional<std::string> blind_spot_notice(const Device& device, const Snapshot& during) {
  if (device.backend != Backend::cuda || during.throttle_reasons.has_value() || during.processes.has_value())
    return std::nullopt;
  const bool denied = during.throttle_reasons.availability == Availability::denied;
  return std::string("the driver ") + (denied ? "denies" : "does not give") +
         " throttle reasons and processes here: only the bandwidth ceiling speaks for the device";
}

std::optional<std::string> still_busy_finding(const Device& device, const Reading<double>& busy) {
  if (device.backend != Backend::cuda || !busy.has_value() || busy.value <= most_gpu_utilisation_percent)
    return std::nullopt;
  return "the GPU was still " + percent(busy.value) +
         " busy when our own work had ended: stop the other load or measure when it has ended";
}

std::optional<std::string> slow_probe_finding(const Device& device, std::optional<double> slow_percent) {
  // A CPU's probe is disturbed by every neighbour; its rows have a rule of their own that bears it.
  if (device.backend != Backend::cuda || !slow_percent || *slow_percent <= most_slow_probe_percent)
    return std::nullopt;
  return percent(*slow_percent) +
         " of the bandwidth probe's samples took over 1.25 x the fastest: something else used the GPU in "
         "between; "
         "stop it or measure when it has ended";
}

}  // namespace census
