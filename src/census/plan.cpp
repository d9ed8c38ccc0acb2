// SPDX-License-Identifier: MIT
#include <census/plan.hpp>
#include <census/stats.hpp>

#include <algorithm>

namespace census {
namespace {

constexpr double us_per_ms = 1000;
constexpr double ms_per_s = 1000;

const Use* use_in(const std::vector<Use>& uses, const std::string& plan) {
  const auto found = std::find_if(uses.begin(), uses.end(), [&](const Use& use) { return use.plan == plan; });
  return found == uses.end() ? nullptr : &*found;
}

/// Median over the row's measured runs of what `value` gives.
template <class Value>
std::optional<double> median_over(const std::vector<RowRun>& runs, const std::string& row, Value value) {
  std::vector<double> values;
  for (const auto& run : runs) {
    if (run.row != row || run.status != RunStatus::measured) continue;
    if (const std::optional<double> one = value(run)) values.push_back(*one);
  }
  if (values.empty()) return std::nullopt;
  return median(values);
}

std::optional<double> row_us(const std::vector<RowRun>& runs, const std::string& row) {
  return median_over(runs, row, [](const RowRun& run) { return std::optional(run.row_series.median_us); });
}

PlanLine line_of(const KernelCase& row, const Use& use, const std::vector<RowRun>& runs) {
  const auto floor = [](const RowRun& run) {
    return run.floor ? std::optional(run.floor->median_us) : std::nullopt;
  };
  return {
      row.id,     use.calls_per_token, row.cold_bytes, row_us(runs, row.id), median_over(runs, row.id, floor),
      use.in_sums};
}

void add_line(PlanSum& sum, const PlanLine& line) {
  if (!line.in_sums) return;
  sum.bytes_per_token.value += line.cold_bytes.value * line.calls_per_token;
  if (!line.us) {
    sum.missing.push_back(line.row);
    return;
  }
  sum.launches_per_token += line.calls_per_token;
  sum.measured_ms = sum.measured_ms.value_or(0) + *line.us * line.calls_per_token / us_per_ms;
  if (line.floor_us)
    sum.floor_ms = sum.floor_ms.value_or(0) + *line.floor_us * line.calls_per_token / us_per_ms;
}

}  // namespace

PlanSum plan_sum(const Census& census, const std::string& plan, const std::vector<RowRun>& runs) {
  PlanSum sum;
  sum.plan = plan;
  for (const auto& row : census.rows) {
    const Use* use = use_in(row.uses, plan);
    const bool known =
        std::any_of(sum.lines.begin(), sum.lines.end(), [&](const PlanLine& l) { return l.row == row.id; });
    if (use == nullptr || known) continue;
    sum.lines.push_back(line_of(row, *use, runs));
    add_line(sum, sum.lines.back());
  }
  for (const auto& row : census.planned) {
    const Use* use = use_in(row.uses, plan);
    if (use != nullptr && use->in_sums) sum.missing.push_back(row.id);
  }
  if (sum.floor_ms) sum.residual_ms = *sum.measured_ms - *sum.floor_ms;  // a row with a floor was measured
  if (const auto empty = row_us(runs, "launch.empty"))
    sum.launch_ms = *empty * sum.launches_per_token / us_per_ms;
  if (sum.missing.empty() && sum.measured_ms) sum.tokens_per_s = ms_per_s / *sum.measured_ms;
  return sum;
}

}  // namespace census
