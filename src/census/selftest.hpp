// SPDX-License-Identifier: MIT
// The gate's own error rates as data: tries of whole sessions, what they add up to, and judging them again.
// Pure.
#pragma once

#include <census/device.hpp>
#include <census/judge.hpp>
#include <census/kernel_case.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace census {

/// One judgement of one row whose right answer is known.
struct SelftestTry {
  /// "aa", "plant": gate 1; "ab", "ab_plant": gate 2; "left_out", "left_out_plant": see leave_one_out();
  /// "fault"
  std::string part;
  int unit = 0;  ///< number of the gate call over all rows, or of the ab run, within the session
  std::string row;
  Backend backend = Backend::cuda;
  std::string fault;  ///< of the part "fault"
  double requested_percent = 0;
  std::optional<double> achieved_percent;  ///< median over the processes
  std::string verdict;                     ///< name of a Kind or of an AbKind
  std::string expected;  ///< the right answer; "" where only `regressed` or `slower` would be wrong
  std::string reason;
  std::optional<double> shift_percent;  ///< measured: against the baseline, or head against base

  // What gate 1 judged, enough to judge again.
  std::vector<double> run_us, ceiling_tbs;  ///< by process
  int first_runs = 0;                       ///< of run_us; the others are the confirmation
  std::optional<double> baseline_us, baseline_ceiling_tbs, tolerance_percent, mde_percent;
  std::optional<double> bound_percent;  ///< CPU: Verdict::bound_percent
  std::int64_t cold_bytes = 0;
  bool resident = false;
  std::vector<std::string> findings;
  double seconds = 0;
};

/// One call of selftest: one executable on one device in one machine start.
struct SelftestSession {
  std::string id;  ///< no two sessions share it
  std::string occasion, host, date, census, commit;
  bool dirty = false;
  Device device;
  std::vector<SelftestTry> tries;
};

struct Selftest {
  std::vector<SelftestSession> sessions;
};

/// How often one thing was seen, with the exact one-sided 95 % bound that this proves.
struct Rate {
  std::string name;  ///< "gate, A/A: calls over all rows with a regressed row"
  int seen = 0, tries = 0;
  bool bad = true;  ///< seen is what should not be: the bound is an upper one
  double bound = 0;
  int left_out = 0;                   ///< tries whose plant missed its request
  std::string others;                 ///< verdicts of the tries that were not seen: "2 environment, 1 pass"
  std::vector<std::string> examples;  ///< reasons of what should not be, at most three
};

/// A planted try counts where the slowdown achieved lies this close to the one requested, in percentage
/// points.
inline constexpr double counted_within_points = 0.3;

[[nodiscard]] std::vector<Rate> rates(const Selftest& selftest);

/// A row's minimum detectable effect as its baseline states it; the last session's.
struct RowEffect {
  std::string row;
  Backend backend = Backend::cuda;
  std::optional<double> mde_percent, tolerance_percent;
  std::optional<double> aa_spread_percent;  ///< standard deviation of log time over the A/A calls
  int aa_calls = 0;
};
[[nodiscard]] std::vector<RowEffect> row_effects(const Selftest& selftest);

/// The verdict that judge() gives to the recorded runs of a try of gate 1 under `policy`: with the policy of
/// its device the recorded one. Without a tolerance_percent the policy's own number is in force, so that a
/// new one can be tried on old runs.
[[nodiscard]] Verdict judge_again(const SelftestTry& one, const Policy& policy);

/// Rows from which on a plant is tried: a smaller one is a few us long, and some percent of it are near the
/// timer's tick.
inline constexpr std::int64_t planted_from_bytes = 20'000'000;

/// What gate 1 would have said of each machine start in the baseline: its runs judged against the baseline of
/// the other starts, as recorded, and with each of `percents` added to the times of rows from
/// planted_from_bytes on. Rows of fewer than three starts are left out; no tries for a baseline that is not
/// judged by time. Pure, and the caller says which census and build it was.
[[nodiscard]] SelftestSession leave_one_out(const Baseline& baseline, const std::vector<double>& percents);

/// All sessions of all of them. Throws UsageError naming two sessions that must not be added: the same one
/// twice, or of different kinds of device.
[[nodiscard]] Selftest merge(const std::vector<Selftest>& parts);

/// 1 when a rate of bad things is not zero or a fault got a verdict that is not its own, 3 when nothing was
/// tried, else 0.
[[nodiscard]] int exit_code(const Selftest& selftest);

[[nodiscard]] std::string text_report(const Selftest& selftest);
[[nodiscard]] std::string markdown_report(const Selftest& selftest);
/// A file of kind "selftest", which parse_selftest() reads back.
[[nodiscard]] std::string json_report(const Selftest& selftest);
[[nodiscard]] Selftest parse_selftest(const std::string& text, const std::string& file_name);

}  // namespace census
