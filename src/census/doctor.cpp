// SPDX-License-Identifier: MIT
#include <census/doctor.hpp>
#include <census/names.hpp>

#include <utility>

namespace census {
namespace {

template <class T>
std::string absent(const Reading<T>& field) {
  return field.availability == Availability::denied ? "denied" : "unknown";
}

std::string number(const Reading<double>& field, const std::string& unit) {
  return field.has_value() ? format_fixed(field.value, 0) + " " + unit : absent(field);
}

/// The rule by what its own fields alone give: sound or a finding where they can be read, unseen where not.
RuleState judged(const std::string& rule, const std::string& reading, bool seen,
                 const std::vector<std::string>& findings) {
  if (!findings.empty()) return {rule, reading, "environment", join(findings)};
  return {rule, reading, seen ? "sound" : "unseen", ""};
}

RuleState throttling(const Device& device, const Snapshot& now) {
  Snapshot look;
  look.throttle_reasons = now.throttle_reasons;
  const auto& reasons = now.throttle_reasons;
  const std::string reading = !reasons.has_value()    ? absent(reasons)
                              : reasons.value.empty() ? "none"
                                                      : join(reasons.value);
  return judged("throttling", reading, reasons.has_value(), environment_findings(device, look, {}, {}));
}

RuleState power_limit(const Device& device) {
  return judged("power limit", number(device.power_cap_percent, "% of the default"),
                device.power_cap_percent.has_value(), environment_findings(device, {}, {}, {}));
}

RuleState neighbours(const Device& device, const Snapshot& now) {
  Snapshot look;
  look.processes = now.processes;
  const auto& others = now.processes;
  const std::string reading =
      !others.has_value() ? absent(others) : std::to_string(others.value.size()) + " others";
  return judged("other processes", reading, others.has_value(), environment_findings(device, look, {}, {}));
}

}  // namespace

std::vector<RuleState> environment_rules(const Device& device, const Snapshot& now,
                                         const Reading<double>& idle_percent) {
  std::vector<RuleState> rules;
  // The power limit is the device's, and would show in every rule that is given the device.
  Device uncapped = device;
  uncapped.power_cap_percent = {};
  Snapshot lost, busy;
  lost.device_lost = now.device_lost;
  busy.utilisation_percent = idle_percent;
  const auto utilisation =
      judged("utilisation", number(idle_percent, device.backend == Backend::cpu ? "% load" : "%"),
             idle_percent.has_value(), environment_findings(uncapped, busy, {}, {}));
  if (device.backend == Backend::cpu) return {utilisation};
  rules.push_back(judged("driver", now.device_lost ? "lost the device" : "answers", true,
                         environment_findings(uncapped, lost, {}, {})));
  rules.push_back(throttling(uncapped, now));
  rules.push_back(power_limit(device));
  rules.push_back(neighbours(uncapped, now));
  rules.push_back(utilisation);
  const std::string used =
      now.memory_used.has_value() ? format_memory(now.memory_used.value) : absent(now.memory_used);
  rules.push_back({"memory in use", used + " of " + format_memory(device.memory), "information", ""});
  // An idle card's clocks are low, and rise with the load.
  rules.push_back({"SM clock", number(now.sm_clock_mhz, "MHz"), "under load", ""});
  rules.push_back(
      {"memory clock",
       number(now.memory_clock_mhz, "MHz") + " of " + std::to_string(device.memory_clock_mhz) + " MHz",
       "under load", ""});
  rules.push_back({"bandwidth ceiling", "measured beside each row", "under load", ""});
  return rules;
}

}  // namespace census
