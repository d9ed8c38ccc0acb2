// SPDX-License-Identifier: MIT
// What the gate would have said of each machine start in a baseline, had the baseline not known it.
#include <census/find_baseline.hpp>
#include <census/refresh_parts.hpp>
#include <census/selftest.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace census {
namespace {

// The start that is judged and two others: one alone has no spread, so that a minimum detectable effect of
// three starts is the first that is known.
constexpr std::size_t least_occasions = 3;
/// K of a gate call.
constexpr std::size_t runs_of_a_look = 3;

Device device_of(const Baseline& baseline) {
  const BaselineDevice& key = baseline.device;
  Device device;
  device.backend = backend_of(baseline);
  device.name = key.name;
  device.pci_device_id = key.pci_device_id;
  device.sm_count = key.sm_count;
  device.memory = {key.memory_bytes};
  device.bus_width_bits = key.bus_width_bits;
  device.mig_profile = key.mig_profile;
  device.driver = key.driver_branch;
  return device;
}

std::vector<Occasion> without(std::vector<Occasion> occasions, const std::string& id) {
  std::erase_if(occasions, [&](const Occasion& occasion) { return occasion.id == id; });
  return occasions;
}

/// The row as refresh would have made it without this occasion.
BaselineRow without(const BaselineRow& row, const std::string& id, const Policy& policy) {
  BaselineRow others = row;
  others.occasions = without(row.occasions, id);
  refreshing::summarise(others, policy, row.tolerance > policy.tolerance);
  return others;
}

/// The runs of an occasion as a gate call of two looks: without runs for a second one it sees what the first
/// one saw, so that no red is lost for want of a record.
void set_runs(SelftestTry& one, const Occasion& occasion, double slower) {
  for (const double us : occasion.run_us) one.run_us.push_back(us * slower);
  one.first_runs = static_cast<int>(std::min(one.run_us.size(), runs_of_a_look));
  if (one.run_us.size() < 2 * runs_of_a_look) {
    one.run_us.resize(static_cast<std::size_t>(one.first_runs));
    one.run_us.insert(one.run_us.end(), one.run_us.begin(), one.run_us.begin() + one.first_runs);
  }
  if (occasion.ceiling_tbs) one.ceiling_tbs.assign(one.run_us.size(), *occasion.ceiling_tbs);
}

std::optional<double> percent_of(std::optional<double> fraction) {
  return fraction ? std::optional(100 * *fraction) : std::nullopt;
}

/// One start of one row against the others; no digest of its code is known, which could excuse it.
SelftestTry left_out_try(const Baseline& baseline, const BaselineRow& row, const Occasion& occasion,
                         double percent, const Policy& policy) {
  const BaselineRow others = without(row, occasion.id, policy);
  const Control control = refreshing::control_of(without(baseline.control.occasions, occasion.id),
                                                 baseline.control.probe_version, policy);
  SelftestTry one{.part = percent > 0 ? "left_out_plant" : "left_out",
                  .row = row.id,
                  .backend = backend_of(baseline),
                  .requested_percent = percent,
                  .baseline_us = others.us,
                  .tolerance_percent = 100 * others.tolerance,
                  .mde_percent = percent_of(minimum_detectable_effect(others))};
  if (percent > 0) one.achieved_percent = percent;
  if (control.ceiling_tbs > 0) one.baseline_ceiling_tbs = control.ceiling_tbs;
  one.resident = !row.tbs;
  if (row.tbs) one.cold_bytes = std::llround(row.us * *row.tbs * 1e6);  // us times TB/s
  set_runs(one, occasion, 1 + percent / 100);
  const Verdict verdict = judge_again(one, policy);
  one.verdict = to_string(verdict.kind);
  one.reason = verdict.reason;
  if (verdict.ratio) one.shift_percent = 100 * (*verdict.ratio - 1);
  return one;
}

}  // namespace

SelftestSession leave_one_out(const Baseline& baseline, const std::vector<double>& percents) {
  const Policy policy = policy_for(baseline.slug);
  SelftestSession session{.id = "leave-one-out of " + baseline.slug, .device = device_of(baseline)};
  if (policy.one_sided_fraction) return session;
  std::map<std::string, int> units;  // by occasion
  const auto add = [&](const BaselineRow& row, double percent) {
    for (const Occasion& occasion : row.occasions) {
      session.tries.push_back(left_out_try(baseline, row, occasion, percent, policy));
      session.tries.back().unit = units.emplace(occasion.id, static_cast<int>(units.size())).first->second;
    }
  };
  for (const BaselineRow& row : baseline.rows) {
    if (row.occasions.size() < least_occasions) continue;
    session.date = std::max(session.date, row.date);
    add(row, 0);
    if (!row.tbs || row.us * *row.tbs * 1e6 < static_cast<double>(planted_from_bytes)) continue;
    for (const double percent : percents) add(row, percent);
  }
  return session;
}

}  // namespace census
