// SPDX-License-Identifier: MIT
// From accepted runs to occasions, rows and the control.
#include <census/judge_rules.hpp>
#include <census/refresh_parts.hpp>
#include <census/stats.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace census::refreshing {
namespace {

/// Six significant digits: a millionth is far below any spread, and the file stays readable.
double rounded(double value) {
  if (!(value > 0) || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(value)));
  return std::round(value * scale) / scale;
}

std::optional<double> rounded(std::optional<double> value) {
  return value ? std::optional(rounded(*value)) : std::nullopt;
}

std::string day(const std::string& date) {
  return date.substr(0, 10);
}

/// "13.0" of "13.0.88": what a compiler's patch changes shows in the code digest.
std::string major_and_minor(const std::string& version) {
  const auto dot = version.find('.');
  return dot == std::string::npos ? version : version.substr(0, version.find('.', dot + 1));
}

Occasion occasion_of(const std::vector<RowRun>& runs) {
  const auto oldest = std::min_element(runs.begin(), runs.end(),
                                       [](const auto& a, const auto& b) { return a.date < b.date; });
  Occasion made{.id = oldest->occasion,
                .date = day(oldest->date),
                .host = oldest->host,
                .uuid = oldest->device.uuid,
                .driver = oldest->device.driver};
  if (oldest->backend == Backend::cuda) made.toolkit = major_and_minor(oldest->build.cuda);
  std::vector<double> ceilings;
  for (const RowRun& run : runs) {
    made.run_us.push_back(rounded(run.row_series.median_us));
    if (run.ceiling_tbs) ceilings.push_back(*run.ceiling_tbs);
  }
  made.us = rounded(median(made.run_us));
  made.ceiling_tbs = rounded(rules::median_if_any(ceilings));
  return made;
}

/// Half the lowest share of the ceiling, down to a whole thousandth; nullopt where no run has a share.
std::optional<double> cpu_bound(const std::vector<RowRun>& runs) {
  std::vector<RunFacts> known;
  for (const RowRun& run : runs) known.push_back(facts(run));
  const std::vector<double> shares = rules::ceiling_shares(known);
  if (shares.empty()) return std::nullopt;
  const double lowest = *std::min_element(shares.begin(), shares.end());
  constexpr double one_over_step = 1000;
  constexpr double rounding = 1e-6;  // half of 0.7 is 0.35, also where binary digits make it a little less
  return std::max(1.0, std::floor(cpu_bound_part * lowest * one_over_step + rounding)) / one_over_step;
}

void set_identity(BaselineRow& row, const RowRun& run) {
  row.output_digest = run.output_digest;
  row.code_digest = run.code_digest;
  row.arm = run.arm;
  for (const LaunchedKernel& kernel : run.kernels) {
    row.registers = std::max(row.registers, kernel.registers);
    row.spill_bytes = std::max(row.spill_bytes, kernel.spill_bytes);
    row.shared_bytes = std::max(row.shared_bytes, kernel.static_shared_bytes + kernel.dynamic_shared_bytes);
  }
}

std::vector<double> times(const std::vector<Occasion>& occasions) {
  std::vector<double> us;
  for (const Occasion& occasion : occasions) us.push_back(occasion.us);
  return us;
}

}  // namespace

std::vector<Occasion> occasions_of(const std::vector<RowRun>& runs) {
  std::map<std::string, std::vector<RowRun>> groups;
  for (const RowRun& run : runs) groups[run.occasion].push_back(run);
  std::vector<Occasion> made;
  for (const auto& [id, group] : groups) made.push_back(occasion_of(group));
  std::stable_sort(made.begin(), made.end(), [](const auto& a, const auto& b) { return a.date < b.date; });
  return made;
}

bool same_kernel(const BaselineRow& a, const BaselineRow& b) {
  // A renamed row does not know its digest until it has been measured under its new name.
  const bool same_output =
      a.output_digest.empty() || b.output_digest.empty() || a.output_digest == b.output_digest;
  const bool same_code = !a.code_digest || !b.code_digest || a.code_digest == b.code_digest;
  return same_code && same_output && a.arm == b.arm && a.registers == b.registers &&
         a.spill_bytes == b.spill_bytes && a.shared_bytes == b.shared_bytes;
}

void summarise(BaselineRow& row, const Policy& policy, bool loosen) {
  const double old_us = row.us;
  row.us = rounded(geometric_mean(times(row.occasions)));
  if (row.tbs) row.tbs = rounded(*row.tbs * old_us / row.us);
  row.runs = 0;
  std::vector<std::vector<double>> groups;
  for (const Occasion& occasion : row.occasions) {
    row.runs += static_cast<int>(occasion.run_us.size());
    groups.push_back(occasion.run_us);
  }
  const bool pairs =
      std::any_of(groups.begin(), groups.end(), [](const auto& group) { return group.size() > 1; });
  row.spread_run.reset();
  row.spread_occasion.reset();
  if (pairs) row.spread_run = rounded(pooled_log_standard_deviation(groups));
  if (row.occasions.size() > 1) row.spread_occasion = rounded(log_standard_deviation(times(row.occasions)));
  if (policy.one_sided_fraction) {
    row.tolerance = 1 - cpu_bound_part;
    return;
  }
  const Tolerance tolerance =
      tolerance_for(static_cast<int>(row.occasions.size()), row.spread_occasion, policy.tolerance, loosen);
  row.tolerance = rounded(tolerance.value);
  row.provisional = tolerance.provisional;
  row.advisory = tolerance.advisory;
}

BaselineRow row_of(const std::vector<RowRun>& runs, const Policy& policy, bool loosen) {
  const RowRun& newest = *std::max_element(runs.begin(), runs.end(),
                                           [](const auto& a, const auto& b) { return a.date < b.date; });
  BaselineRow row{.id = newest.row};
  row.occasions = occasions_of(runs);
  row.us = newest.row_series.median_us;
  row.tbs = achieved_tbs(newest);
  set_identity(row, newest);
  row.commit = newest.build.commit;
  row.date = day(newest.date);
  row.reason = "first measured";
  summarise(row, policy, loosen);
  if (policy.one_sided_fraction) row.min_ceiling_fraction = cpu_bound(runs);
  return row;
}

Control control_of(std::vector<Occasion> occasions, int probe_version, const Policy& policy) {
  Control control{.probe_version = probe_version};
  std::vector<double> ceilings;
  for (Occasion& occasion : occasions) {
    if (!occasion.ceiling_tbs) continue;
    ceilings.push_back(*occasion.ceiling_tbs);
    occasion.us = 0;
    occasion.run_us.clear();
    occasion.toolkit.clear();
    control.occasions.push_back(std::move(occasion));
  }
  if (ceilings.empty()) return control;
  control.ceiling_tbs = rounded(geometric_mean(ceilings));
  if (ceilings.size() > 1) control.spread_occasion = rounded(log_standard_deviation(ceilings));
  control.tolerance = rounded(tolerance_for(static_cast<int>(ceilings.size()), control.spread_occasion,
                                            policy.control_tolerance, false)
                                  .value);
  return control;
}

std::vector<Occasion> united(std::vector<Occasion> before, const std::vector<Occasion>& now) {
  for (const Occasion& occasion : now) {
    const bool there =
        std::any_of(before.begin(), before.end(), [&](const auto& old) { return old.id == occasion.id; });
    if (!there) before.push_back(occasion);
  }
  return before;
}

}  // namespace census::refreshing
