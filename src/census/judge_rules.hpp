// SPDX-License-Identifier: MIT
// The two comparisons behind judge(), one by time and one by share of the ceiling, and what they have in
// common.
#pragma once

#include <census/judge.hpp>

#include <optional>
#include <string>
#include <vector>

namespace census::rules {

/// Above this share of the ceiling of its own run a row cannot have read memory, where the device gives no
/// peak.
inline constexpr double most_of_ceiling = 1.10;
/// On the CPU only twice the ceiling is impossible: a neighbour may have halved the ceiling beside an
/// undisturbed row.
inline constexpr double most_of_cpu_ceiling = 2.0;

/// By time, two-sided, with the control. `so_far` has the run's own numbers and notices. All runs are
/// measured.
[[nodiscard]] Verdict by_time(const Runs& runs, const BaselineRow& baseline, const Control* control,
                              const Policy& policy, Verdict so_far);

/// By the share of the same run's ceiling, one-sided. `so_far` as above.
[[nodiscard]] Verdict by_fraction(const Runs& runs, const BaselineRow& baseline, Verdict so_far);

[[nodiscard]] std::vector<double> times_us(const std::vector<RunFacts>& runs);
/// Bandwidth over ceiling of every run that has both.
[[nodiscard]] std::vector<double> ceiling_shares(const std::vector<RunFacts>& runs);
/// Median, or nullopt of nothing.
[[nodiscard]] std::optional<double> median_if_any(const std::vector<double>& values);

/// Every run's environment findings, without repetition.
[[nodiscard]] std::vector<std::string> findings(const Runs& runs);
/// Whether every run's machine code is the baseline's; nullopt where a run or the baseline does not know.
[[nodiscard]] std::optional<bool> same_code(const std::vector<RunFacts>& runs, const BaselineRow& baseline);
/// Why a slow result may not be the code's: the findings, and a code digest that every run shares with the
/// baseline.
[[nodiscard]] std::vector<std::string> excuses(const Runs& runs, const BaselineRow& baseline);

/// "a; b; c".
[[nodiscard]] std::string join(const std::vector<std::string>& sentences);
/// Four digits, at most three after the point: "9.812 us", "12.90 us", "135.2 us".
[[nodiscard]] std::string format_us(double us);
/// "3 %" or "2.7 %".
[[nodiscard]] std::string format_percent(double fraction);
/// "median of 3 runs", "the one run".
[[nodiscard]] std::string count_of(const std::vector<RunFacts>& runs);

}  // namespace census::rules
