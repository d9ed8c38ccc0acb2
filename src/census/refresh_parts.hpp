// SPDX-License-Identifier: MIT
// The steps of plan_refresh: which runs are refused, and what rows and control the accepted ones make.
#pragma once

#include <census/baseline.hpp>
#include <census/refresh.hpp>
#include <census/result.hpp>

#include <optional>
#include <string>
#include <utility>
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

/// Samples of a run on a GPU below which its median is a fluke: what a measurement takes unless --reps says
/// less.
inline constexpr int least_samples = 20;
/// A sample aims at 1 ms; one of half of that was cut, and the timer's tick shows in it.
inline constexpr double least_sample_us = 500;

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

/// A row before and after. `anew`: its old occasions were dropped, since its kernel is another one.
struct RowChange {
  BaselineRow before, now;
  bool anew = false;
};

/// By how much a CPU's bound must move to be called a gain or a loss: the lowest of twenty runs on a shared
/// machine differs by about as much between two sessions.
inline constexpr double cpu_change = 0.2;

/// Whether the reason is a change of the machine: its first word is "driver" or "toolkit".
[[nodiscard]] bool is_machine_change(const std::string& reason);

/// What of this change needs a reason, each a sentence.
[[nodiscard]] std::vector<std::string> unexplained(const RowChange& change, const Policy& policy);

/// Refuses losses that stand beside gains and that no glob of `accepted` names, and globs that name a gain
/// too. Only a new kernel gains: where occasions of the old ones accumulate, rows differ both ways by chance.
/// A row whose code is known to be the same does not count as losing.
[[nodiscard]] std::vector<std::string> mixture(const std::vector<RowChange>& changes, const Policy& policy,
                                               const std::vector<std::string>& accepted,
                                               std::vector<std::string>& notices);

/// Refuses another driver branch or toolkit without that reason, and that reason without such a change.
[[nodiscard]] std::vector<std::string> machine_refusals(const Baseline& old, const Baseline& now,
                                                        const std::vector<RowChange>& changes,
                                                        const std::string& reason);

/// What else changed in a row that is refreshed for a change of the machine, each a sentence.
[[nodiscard]] std::vector<std::string> more_than_the_machine(const RowChange& change,
                                                             const std::string& reason);

/// The baseline with rows under their new ids, the old ones as aliases. Ids that it lacks are no matter.
[[nodiscard]] Baseline renamed(Baseline baseline,
                               const std::vector<std::pair<std::string, std::string>>& renames,
                               std::vector<std::string>& refusals);

}  // namespace census::refreshing
