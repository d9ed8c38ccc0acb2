// SPDX-License-Identifier: MIT
// What one decoded token costs: the rows of a plan times their calls, with the missing rows named.
#pragma once

#include <census/census.hpp>
#include <census/result.hpp>

#include <optional>
#include <string>
#include <vector>

namespace census {

/// One row of a plan.
struct PlanLine {
  std::string row;
  int calls_per_token = 0;
  Bytes cold_bytes;          ///< of one launch
  std::optional<double> us;  ///< of one launch; nullopt where the row was not measured
  std::optional<double> floor_us;
  bool in_sums = true;  ///< false: shown with the plan, counted in none of its sums
};

/// A token of one plan. Times are sums over the measured rows only; they are the token's where `missing` is
/// empty.
struct PlanSum {
  std::string plan;
  std::vector<PlanLine> lines;        ///< in the order of the table
  std::vector<std::string> missing;   ///< rows of the plan that were not measured here, or have no kernel yet
  Bytes bytes_per_token;              ///< over all rows that the census knows, measured or not
  int launches_per_token = 0;         ///< of the measured rows
  std::optional<double> measured_ms;  ///< of the measured rows; nullopt: none was measured
  std::optional<double>
      floor_ms;  ///< read-only floor; rows without one (resident) add nothing. nullopt: no row has one
  std::optional<double> residual_ms;   ///< measured less floor
  std::optional<double> launch_ms;     ///< launches times the row "launch.empty", where that was measured
  std::optional<double> tokens_per_s;  ///< upper bound that these rows set; nullopt where a row is missing
};

/// Sums the plan from runs of one backend; several runs of a row count by the median of their medians. Rows
/// of any backend belong to the plan: one that this backend lacks is missing.
[[nodiscard]] PlanSum plan_sum(const Census& census, const std::string& plan,
                               const std::vector<RowRun>& runs);

}  // namespace census
