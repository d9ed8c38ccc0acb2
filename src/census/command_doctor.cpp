// SPDX-License-Identifier: MIT
// doctor: what the gate would say about this machine now: devices, the environment's rules, lock, baseline,
// waivers, what would run.
#include <census/commands.hpp>
#include <census/doctor.hpp>
#include <census/error.hpp>
#include <census/find_baseline.hpp>
#include <census/json_io_waivers.hpp>
#include <census/lock.hpp>
#include <census/names.hpp>
#include <census/quiet.hpp>
#include <census/report.hpp>
#include <census/result.hpp>
#include <census/text.hpp>

#include <algorithm>
#include <chrono>

namespace census {
namespace {

std::string lock_holder(const Device& device) {
  std::string holder;
  const auto lock = DeviceLock::acquire(device.uuid, std::chrono::milliseconds(0), &holder);
  return lock ? "" : holder;
}

std::string waivers_text(const std::string& baselines) {
  try {
    const Waivers waivers = read_waivers(baselines);
    if (waivers.entries.empty()) return "none in " + waivers.file;
    const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    const auto in_force =
        std::count_if(waivers.entries.begin(), waivers.entries.end(), [&](const Waiver& waiver) {
          const auto until = day_from(waiver.until);
          return until && *until >= today;
        });
    return waivers.file + ": " + std::to_string(in_force) + " in force, " +
           std::to_string(static_cast<std::ptrdiff_t>(waivers.entries.size()) - in_force) + " expired";
  } catch (const std::exception& problem) {
    return std::string("unusable: ") + problem.what();
  }
}

void add_baseline(const Call& call, DoctorDevice& seen) {
  BaselineMatch match;
  try {
    match = find_baseline(call.options.baselines, seen.device);
    seen.baseline_state = match.why_not;
  } catch (const std::exception& problem) {
    seen.baseline_state = std::string("unusable: ") + problem.what();
  }
  seen.baseline_file = match.file;
  seen.baseline_notices = match.notices;
  for (const auto& row : call.census.rows) {
    if (row.backend != seen.device.backend) continue;
    if (match.baseline && find_row(*match.baseline, row.id) != nullptr) {
      ++seen.judged_rows;
    } else {
      seen.rows_without_baseline.push_back(row.id);
    }
  }
  if (!match.baseline) return;
  seen.baseline_matches = true;
  const auto& rows = match.baseline->rows;
  const auto provisional =
      std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.provisional; });
  seen.baseline_state = match.file + " matches: " + std::to_string(rows.size()) + " rows";
  if (provisional > 0)
    seen.baseline_state += ", " + std::to_string(provisional) + " of them with a provisional tolerance";
}

DoctorDevice examine(const Call& call, const Device& device) {
  DoctorDevice seen{.device = device};
  const auto telemetry = call.platform.telemetry(device);
  seen.now = telemetry->read();
  Reading<double> busy = seen.now.utilisation_percent;
  if (device.backend == Backend::cuda) busy = wait_until_quiet(*telemetry, busy);
  seen.rules = environment_rules(device, seen.now, busy);
  seen.lock = lock_holder(device);
  add_baseline(call, seen);
  return seen;
}

DoctorPage page_of(const Call& call) {
  const Build build = this_build();
  DoctorPage page{.census = call.census.name,
                  .build = build_text(build),
                  .compiler = build.compiler,
                  .cuda = build.cuda,
                  .lock_directory = lock_directory(),
                  .baselines = call.options.baselines};
  page.waivers = waivers_text(page.baselines);
  for (const Backend backend : {Backend::cuda, Backend::cpu}) {
    if (call.options.backend && *call.options.backend != backend) continue;
    const auto found = call.platform.devices(backend, backend == Backend::cuda ? call.options.device : "");
    if (const auto* none = std::get_if<NoDevice>(&found)) {
      page.none.emplace_back(to_string(backend), none->reason);
      continue;
    }
    for (const auto& device : std::get<std::vector<Device>>(found))
      page.devices.push_back(examine(call, device));
  }
  return page;
}

std::string rule_text(const RuleState& rule) {
  if (rule.verdict == "environment")
    return rule.rule + ": " + rule.reading + ": environment: " + rule.finding;
  if (rule.verdict == "information") return rule.rule + ": " + rule.reading;
  if (rule.verdict == "under load") return rule.rule + ": " + rule.reading + " (judged under load, in a run)";
  return rule.rule + ": " + rule.reading +
         (rule.verdict == "sound" ? ", sound" : ": the gate cannot see it here");
}

std::string device_page(const DoctorPage& page, const DoctorDevice& seen) {
  const Device& device = seen.device;
  std::string text = "\n" + std::string(to_string(device.backend)) + " device " +
                     std::to_string(device.index) + ", " + device.uuid + "\n" +
                     device_text(device, seen.now, this_build());
  text += wrap("memory " + format_memory(device.memory) + ", last-level cache " +
                   format_memory(device.last_level_cache) +
                   (device.mig_profile.empty() ? "" : ", MIG " + device.mig_profile),
               2);
  for (const auto& rule : seen.rules) text += wrap(rule_text(rule), 2);
  if (seen.now.processes.has_value()) {
    for (const auto& process : seen.now.processes.value) {
      text += wrap("another process uses it: " + std::to_string(process.pid) + " " + process.name + " (" +
                       process.kind + ", " + format_memory(process.memory) + ")",
                   2);
    }
  }
  text += wrap("lock: " + (seen.lock.empty() ? "free, in " + page.lock_directory : seen.lock), 2);
  text += wrap("baseline: " + seen.baseline_state +
                   (seen.baseline_notices.empty() ? "" : "; but " + join(seen.baseline_notices)),
               2);
  const auto& without = seen.rows_without_baseline;
  return text + wrap("rows: " + std::to_string(seen.judged_rows) + " rows would be judged, " +
                         std::to_string(without.size()) + " have no baseline" +
                         (without.empty() || seen.judged_rows == 0 ? "" : ": " + join(without)),
                     2);
}

std::string text_of(const DoctorPage& page) {
  std::string text = wrap(page.census + ", kernel-census " + page.build + "; compiler " + page.compiler +
                          "; CUDA " + (page.cuda.empty() ? "not built in" : page.cuda));
  text += wrap("waivers: " + page.waivers);
  for (const auto& [backend, why] : page.none) {
    text += "\n" + backend + ": none\n" +
            wrap(why + "; its rows are skipped (77), or fail (3) with --require " + backend, 2);
  }
  for (const auto& seen : page.devices) text += device_page(page, seen);
  return text;
}

}  // namespace

int doctor_command(const Call& call) {
  if (call.options.format != Format::text && call.options.format != Format::json)
    throw UsageError("doctor: --format text or json");
  const DoctorPage page = page_of(call);
  answer(call, call.options.format == Format::json ? json_report(page) : plain(text_of(page)));
  return 0;
}

}  // namespace census
