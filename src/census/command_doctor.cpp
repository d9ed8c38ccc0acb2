// SPDX-License-Identifier: MIT
// doctor: one page about this machine: devices, clocks, lock, which baseline matches, what would run.
#include <census/commands.hpp>
#include <census/find_baseline.hpp>
#include <census/lock.hpp>
#include <census/names.hpp>
#include <census/report.hpp>
#include <census/result.hpp>
#include <census/text.hpp>

#include <chrono>

namespace census {
namespace {

std::string lock_text(const Device& device) {
  std::string holder;
  const auto lock = DeviceLock::acquire(device.uuid, std::chrono::milliseconds(0), &holder);
  return lock ? "free, in " + lock_directory() : holder;
}

std::string baseline_text(const BaselineMatch& match) {
  if (!match.baseline) return match.why_not;
  int provisional = 0;
  for (const auto& row : match.baseline->rows) provisional += row.provisional ? 1 : 0;
  std::string text = match.file + " matches: " + std::to_string(match.baseline->rows.size()) + " rows";
  if (provisional > 0) text += ", " + std::to_string(provisional) + " of them with a provisional tolerance";
  return match.notices.empty() ? text : text + "; but " + join(match.notices);
}

/// Rows of the backend: how many would be judged, and which have no baseline.
std::string rows_text(const Census& census, Backend backend, const BaselineMatch& match) {
  int judged = 0;
  std::vector<std::string> without;
  for (const auto& row : census.rows) {
    if (row.backend != backend) continue;
    if (match.baseline && find_row(*match.baseline, row.id) != nullptr) {
      ++judged;
    } else {
      without.push_back(row.id);
    }
  }
  std::string text = std::to_string(judged) + " rows would be judged, " + std::to_string(without.size()) +
                     " have no baseline";
  return without.empty() || judged == 0 ? text : text + ": " + join(without);
}

std::string device_page(const Call& call, const Device& device) {
  const Snapshot now = call.platform.telemetry(device)->read();
  std::string text = "\n" + std::string(to_string(device.backend)) + " device " +
                     std::to_string(device.index) + ", " + device.uuid + "\n" +
                     device_text(device, now, this_build());
  text += wrap("memory " + format_memory(device.memory) + ", last-level cache " +
                   format_memory(device.last_level_cache) +
                   (device.mig_profile.empty() ? "" : ", MIG " + device.mig_profile),
               2);
  if (now.processes.has_value()) {
    for (const auto& process : now.processes.value) {
      text += wrap("another process uses it: " + std::to_string(process.pid) + " " + process.name + " (" +
                       process.kind + ", " + format_memory(process.memory) + ")",
                   2);
    }
  } else if (device.backend == Backend::cuda) {
    text += "  other processes: cannot be read\n";
  }
  for (const auto& finding : environment_findings(device, now, now, now))
    text += wrap("environment: " + finding, 2);
  text += wrap("lock: " + lock_text(device), 2);
  try {
    const auto match = find_baseline(call.options.baselines, device);
    text += wrap("baseline: " + baseline_text(match), 2) +
            wrap("rows: " + rows_text(call.census, device.backend, match), 2);
  } catch (const std::exception& problem) {
    text += wrap(std::string("baseline: unusable: ") + problem.what(), 2);
  }
  return text;
}

}  // namespace

int doctor_command(const Call& call) {
  const Build build = this_build();
  std::string text = wrap(call.census.name + ", kernel-census " + build_text(build) + "; compiler " +
                          build.compiler + "; CUDA " + (build.cuda.empty() ? "not built in" : build.cuda));
  for (const Backend backend : {Backend::cuda, Backend::cpu}) {
    if (call.options.backend && *call.options.backend != backend) continue;
    const bool selects_gpu = backend == Backend::cuda;
    const auto found = call.platform.devices(backend, selects_gpu ? call.options.device : "");
    if (const auto* none = std::get_if<NoDevice>(&found)) {
      text +=
          std::string("\n") + to_string(backend) + ": none\n" +
          wrap(none->reason + "; its rows are skipped (77), or fail (3) with --require " + to_string(backend),
               2);
      continue;
    }
    for (const auto& device : std::get<std::vector<Device>>(found)) text += device_page(call, device);
  }
  answer(call, plain(text));
  return 0;
}

}  // namespace census
