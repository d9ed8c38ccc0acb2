// SPDX-License-Identifier: MIT
// The record of one run: names of its status, what follows from its fields, and the facts that a judge needs.
#include <census/result.hpp>

#include <array>
#include <cmath>
#include <utility>

namespace census {
namespace {

constexpr std::array<std::pair<RunStatus, const char*>, 7> status_names{
    {{RunStatus::measured, "measured"},
     {RunStatus::checked_only, "checked_only"},
     {RunStatus::incorrect, "incorrect"},
     {RunStatus::invalid, "invalid"},
     {RunStatus::environment, "environment"},
     {RunStatus::no_device, "no_device"},
     {RunStatus::error, "error"}}};

RunFacts::Status fact_status(RunStatus status) {
  switch (status) {
    case RunStatus::measured:
      return RunFacts::Status::measured;
    case RunStatus::checked_only:
      return RunFacts::Status::checked_only;
    case RunStatus::incorrect:
      return RunFacts::Status::incorrect;
    case RunStatus::invalid:
      return RunFacts::Status::invalid;
    case RunStatus::environment:
      return RunFacts::Status::environment;
    case RunStatus::no_device:
      return RunFacts::Status::no_device;
    case RunStatus::error:
      return RunFacts::Status::error;
  }
  return RunFacts::Status::error;
}

/// Why no baseline describes what this run did; "" when one may.
std::string never_gated(const RowRun& run) {
  if (run.cache_mode != "cold") return "measured with --cache " + run.cache_mode + ", which is never gated";
  if (run.launch_mode != "graph")
    return "measured with --launch " + run.launch_mode + ", which is never gated";
  return "";
}

template <class T>
std::optional<T> value_of(const Reading<T>& reading) {
  if (!reading.has_value()) return std::nullopt;
  return reading.value;
}

}  // namespace

const char* to_string(RunStatus status) {
  for (const auto& [value, name] : status_names) {
    if (value == status) return name;
  }
  return "error";
}

std::optional<RunStatus> run_status_from(const std::string& text) {
  for (const auto& [value, name] : status_names) {
    if (text == name) return value;
  }
  return std::nullopt;
}

std::optional<double> achieved_tbs(const RowRun& run) {
  if (run.resident || run.status != RunStatus::measured) return std::nullopt;
  const double tbs = bandwidth(run.cold_bytes, {run.row_series.median_us}).value;
  return std::isfinite(tbs) ? std::optional(tbs) : std::nullopt;
}

int exit_code(const RowVerdict& row, const Policy& policy, bool required) {
  const bool waived = row.verdict.kind == Kind::regressed && row.waiver.has_value();
  return exit_code(row.verdict, row.advisory || waived, policy, required);
}

RunFacts facts(const RowRun& run) {
  RunFacts made;
  made.status = fact_status(run.status);
  made.reason = run.reason;
  made.us = run.row_series.samples_us.empty() ? std::nan("") : run.row_series.median_us;
  made.tbs = achieved_tbs(run);
  made.ceiling_tbs = run.ceiling_tbs;
  made.probe_version = run.ceiling_tbs ? run.probe_version : 0;
  if (const auto highest = peak(run.device)) made.peak_tbs = highest->value;
  made.output_digest = run.output_digest;
  made.code_digest = run.code_digest;
  made.environment = run.environment;
  made.notices = run.notices;
  if (run.footprint_override) {
    made.notices.push_back("footprint set to " + format_memory(*run.footprint_override) +
                           " by hand: for tests only");
  }
  if (!run.fault.empty()) made.notices.push_back("the fault " + run.fault + " was planted");
  if (run.status == RunStatus::measured) {
    made.reason = never_gated(run);
    made.gateable = made.reason.empty();
  }
  return made;
}

BaselineDevice baseline_device(const Device& device) {
  if (device.backend == Backend::cpu) return {.name = generic_cpu_name};
  return {.name = device.name,
          .pci_device_id = device.pci_device_id,
          .sm_count = device.sm_count,
          .memory_bytes = device.memory.value,
          .bus_width_bits = device.bus_width_bits,
          .mig_profile = device.mig_profile,
          .ecc = value_of(device.ecc),
          .power_cap_percent = value_of(device.power_cap_percent),
          .driver_branch = device.driver.substr(0, device.driver.find('.'))};
}

}  // namespace census
