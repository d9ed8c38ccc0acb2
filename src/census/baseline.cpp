// SPDX-License-Identifier: MIT
// A checked-in baseline: finding rows in it, comparing its device with another, and the tolerance of a row.
#include <census/baseline.hpp>
#include <census/stats.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <cmath>

namespace census {
namespace {

constexpr double smallest_tolerance = 0.02;
constexpr double largest_tolerance = 0.08;
/// One-sided: a sound row exceeds its limit once in a thousand judgements.
constexpr double alarm_probability = 0.999;
/// The normal quantile of 95 %: the power at which the minimum detectable effect is stated.
constexpr double power_quantile = 1.645;
/// Two cards of one model report memory that differs by what their drivers reserve; models differ by far
/// more.
constexpr double same_memory = 0.02;
/// In percentage points: drivers round the power limit.
constexpr double same_power_cap = 0.5;

/// sqrt(1 + 1/n): a new occasion varies by S about a mean that itself is known from n occasions.
double prediction_factor(int occasions) {
  return std::sqrt(1 + 1.0 / occasions);
}

std::string difference(const std::string& field, const std::string& baseline, const std::string& here) {
  return field + " " + (baseline.empty() ? "none" : baseline) + ", here " + (here.empty() ? "none" : here);
}

std::string hexadecimal(std::uint32_t value) {
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(value >> shift) & 0xF];
  return text;
}

std::string on_off(const std::optional<bool>& value) {
  return !value ? "unknown" : *value ? "on" : "off";
}

std::string percent_or_unknown(const std::optional<double>& value) {
  return value ? format_fixed(*value, 0) + " %" : "unknown";
}

bool same_size(std::int64_t a, std::int64_t b) {
  const double larger = static_cast<double>(std::max(a, b));
  return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= same_memory * larger;
}

bool same_cap(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) <= same_power_cap);
}

}  // namespace

const BaselineRow* find_row(const Baseline& baseline, const std::string& id) {
  for (const BaselineRow& row : baseline.rows) {
    if (row.id == id) return &row;
  }
  for (const BaselineRow& row : baseline.rows) {
    if (std::find(row.aliases.begin(), row.aliases.end(), id) != row.aliases.end()) return &row;
  }
  return nullptr;
}

std::vector<std::string> hard_differences(const BaselineDevice& baseline, const BaselineDevice& here) {
  std::vector<std::string> found;
  if (baseline.name == generic_cpu_name && here.name == generic_cpu_name) return found;
  if (baseline.name != here.name) found.push_back(difference("name", baseline.name, here.name));
  if (baseline.pci_device_id != here.pci_device_id) {
    found.push_back(
        difference("pci_device_id", hexadecimal(baseline.pci_device_id), hexadecimal(here.pci_device_id)));
  }
  if (baseline.sm_count != here.sm_count) {
    found.push_back(difference("sm_count", std::to_string(baseline.sm_count), std::to_string(here.sm_count)));
  }
  if (!same_size(baseline.memory_bytes, here.memory_bytes)) {
    found.push_back(
        difference("memory", format_memory({baseline.memory_bytes}), format_memory({here.memory_bytes})));
  }
  if (baseline.bus_width_bits != here.bus_width_bits) {
    found.push_back(difference("bus_width_bits", std::to_string(baseline.bus_width_bits),
                               std::to_string(here.bus_width_bits)));
  }
  if (baseline.mig_profile != here.mig_profile) {
    found.push_back(difference("mig_profile", baseline.mig_profile, here.mig_profile));
  }
  return found;
}

std::vector<std::string> soft_differences(const BaselineDevice& baseline, const BaselineDevice& here) {
  std::vector<std::string> found;
  if (baseline.ecc != here.ecc) found.push_back(difference("ecc", on_off(baseline.ecc), on_off(here.ecc)));
  if (!same_cap(baseline.power_cap_percent, here.power_cap_percent)) {
    found.push_back(difference("power_cap", percent_or_unknown(baseline.power_cap_percent),
                               percent_or_unknown(here.power_cap_percent)));
  }
  if (baseline.driver_branch != here.driver_branch) {
    found.push_back(difference("driver_branch", baseline.driver_branch, here.driver_branch));
  }
  return found;
}

Tolerance tolerance_for(int occasions, std::optional<double> spread_occasion, double policy_tolerance,
                        bool loosened) {
  if (occasions < formula_occasions || !spread_occasion) return {.value = policy_tolerance};
  const double wanted =
      student_t_quantile(alarm_probability, occasions - 1) * *spread_occasion * prediction_factor(occasions);
  const double bounded = std::clamp(wanted, smallest_tolerance, largest_tolerance);
  return {.value = loosened ? bounded : std::min(bounded, policy_tolerance),
          .provisional = false,
          .advisory = wanted > largest_tolerance};
}

std::optional<double> minimum_detectable_effect(const BaselineRow& row) {
  const int occasions = static_cast<int>(row.occasions.size());
  if (occasions < 3 || !row.spread_occasion) return std::nullopt;
  return row.tolerance + power_quantile * *row.spread_occasion * prediction_factor(occasions);
}

}  // namespace census
