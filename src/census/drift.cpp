// SPDX-License-Identifier: MIT
#include <census/drift.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace census {
namespace {

/// The row as it was: by its id, by an alias that the old baseline knew, or by a former id of its own.
const BaselineRow* earlier(const Baseline& then, const BaselineRow& now) {
  if (const BaselineRow* row = find_row(then, now.id)) return row;
  for (const std::string& alias : now.aliases) {
    if (const BaselineRow* row = find_row(then, alias)) return row;
  }
  return nullptr;
}

}  // namespace

std::optional<double> loss_percent(const RowDrift& row) {
  if (row.then_bound && row.now_bound) return 100 * (*row.then_bound / *row.now_bound - 1);
  if (!row.then_us || !row.now_us) return std::nullopt;
  return 100 * (*row.now_us / *row.then_us - 1);
}

BaselineDrift drift_between(const Baseline& now, const Baseline* then, const std::string& file) {
  BaselineDrift drift{
      .file = file, .rows = {}, .then_ceiling_tbs = {}, .now_ceiling_tbs = now.control.ceiling_tbs};
  if (then != nullptr) drift.then_ceiling_tbs = then->control.ceiling_tbs;
  std::set<std::string> found;
  for (const BaselineRow& row : now.rows) {
    const BaselineRow* before = then == nullptr ? nullptr : earlier(*then, row);
    RowDrift line{.row = row.id,
                  .was = {},
                  .then_us = {},
                  .now_us = row.us,
                  .then_bound = {},
                  .now_bound = row.min_ceiling_fraction};
    if (before != nullptr) {
      found.insert(before->id);
      line.then_us = before->us;
      line.then_bound = before->min_ceiling_fraction;
      if (before->id != row.id) line.was = before->id;
    }
    drift.rows.push_back(std::move(line));
  }
  if (then != nullptr) {
    for (const BaselineRow& row : then->rows) {
      if (found.contains(row.id)) continue;
      drift.rows.push_back({.row = row.id,
                            .was = {},
                            .then_us = row.us,
                            .now_us = {},
                            .then_bound = row.min_ceiling_fraction,
                            .now_bound = {}});
    }
  }
  std::sort(drift.rows.begin(), drift.rows.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
  return drift;
}

std::optional<DriftTotal> total_of(const std::vector<RowDrift>& rows) {
  DriftTotal total;
  double sum_of_logs = 0;
  for (const RowDrift& row : rows) {
    const auto loss = loss_percent(row);
    if (!loss) continue;
    sum_of_logs += std::log1p(*loss / 100);
    if (++total.rows > 1 && *loss <= total.worst_percent) continue;
    total.worst = row.row;
    total.worst_percent = *loss;
  }
  if (total.rows == 0) return std::nullopt;
  total.mean_percent = 100 * std::expm1(sum_of_logs / total.rows);
  return total;
}

}  // namespace census
