// SPDX-License-Identifier: MIT
// The steps of plan_refresh: which runs are refused, and what rows and control the accepted ones make.
#pragma once

#include <census/baseline.hpp>
#include <census/refresh.hpp>
#include <census/result.hpp>

#include <optional>
#include <string>
#include <vector>

namespace census::refreshing {

/// Runs of one occasion below which its median is a fluke: the K of the gate.
inline constexpr int least_runs_per_occasion = 3;
/// Runs from which on the lowest share of the ceiling is worth half of.
inline constexpr int least_cpu_runs = 20;
/// A CPU row's bound is this part of the lowest share seen: it finds cliffs, on machines that differ by less.
inline constexpr double cpu_bound_part = 0.5;
/// A loss that needs a reason. Noise between occasions is of this order; a smaller slip shows in the total
/// since the last tag.
inline constexpr double loss_needing_reason = 0.005;

/// Why this run may not enter a baseline, each a sentence; empty when it may.
[[nodiscard]] std::vector<std::string> unsound(const RowRun& run);

/// What must be equal in all runs of one device: hard key and probe version; each difference a sentence.
[[nodiscard]] std::vector<std::string> mixed(const std::vector<RowRun>& runs);

/// The occasions of these runs of one row (or, for the control, of all rows), oldest first.
[[nodiscard]] std::vector<Occasion> occasions_of(const std::vector<RowRun>& runs);

/// True when nothing that is known of the kernel tells the two apart.
[[nodiscard]] bool same_kernel(const BaselineRow& a, const BaselineRow& b);

/// The row that these runs alone describe: identity from the newest, numbers from all.
[[nodiscard]] BaselineRow row_of(const std::vector<RowRun>& runs, const Policy& policy, bool loosen);

/// Recomputes what follows from `occasions`: us, tbs, runs, spreads, tolerance.
void summarise(BaselineRow& row, const Policy& policy, bool loosen);

/// The control of these occasions.
[[nodiscard]] Control control_of(std::vector<Occasion> occasions, int probe_version, const Policy& policy);

/// Occasions of `now` that `before` does not have are appended to `before`.
[[nodiscard]] std::vector<Occasion> united(std::vector<Occasion> before, const std::vector<Occasion>& now);

}  // namespace census::refreshing
