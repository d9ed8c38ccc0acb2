// SPDX-License-Identifier: MIT
// The paired gate as data: what two executables measured side by side, and what that says of each row. Pure.
#pragma once

#include <census/paired.hpp>
#include <census/result.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace census {

/// Which executable a process runs; `control` is the base once more.
enum class Side { base, control, head };
[[nodiscard]] const char* to_string(Side side);

/// What is said of a row. The closed set; exit_code(AbKind) has each one's exit code.
enum class AbKind {
  pass,            ///< not slower than the rule lets through
  faster,          ///< the same rule finds the base slower
  slower,          ///< blocks
  incorrect,       ///< head's output differs from its reference, or from process to process
  numeric_change,  ///< both are right by their own reference, and their outputs differ
  same_code,       ///< equal known code digests: not timed beyond the first pair
  unmatched,       ///< only one of the two has the row
  inconclusive,    ///< the null control moved, or the row could not be measured on both sides
  failed           ///< a process or the row in it broke
};
[[nodiscard]] const char* to_string(AbKind kind);
[[nodiscard]] std::optional<AbKind> ab_kind_from(const std::string& text);

/// 0, 1, 2 or 3.
[[nodiscard]] int exit_code(AbKind kind);

/// Runs of one row: the i-th of each side belongs to pair i. A row is left out once its answer is known.
struct PairedRuns {
  std::string row;
  std::vector<RowRun> base, control, head;
};

/// Everything that was measured. `failure` is not empty when a process broke and the rest was given up.
struct AbRuns {
  std::vector<PairedRuns> rows;
  std::string failure;
  int processes = 0;
};

/// What the caller decides.
struct AbPolicy {
  PairedRule rule;
  bool common = false;                 ///< rows that only one side has are a notice
  bool accept_numeric_change = false;  ///< a changed output digest is a notice
};

struct AbRow {
  std::string row;
  Backend backend = Backend::cuda;
  AbKind kind = AbKind::failed;
  std::string reason;
  std::vector<std::string> notices;
  int pairs = 0;
  std::optional<double> base_us, head_us;        ///< medians
  std::optional<double> shift_percent, p;        ///< see PairedDecision
  std::vector<double> base_run_us, head_run_us;  ///< medians of the processes, by pair
  bool live_control = false;                     ///< equal code, timed all the same
  std::optional<double> planted_percent;         ///< achieved in head, median of its processes
  std::string base_digest, head_digest, base_arm, head_arm;
};

/// The null control on one row: base against base.
struct AbControl {
  std::string row;
  std::vector<double> base_run_us, control_run_us;
  std::optional<double> shift_percent, p;  ///< p of the side that is slower
  bool flagged = false;
};

struct AbReport {
  std::string census;
  Backend backend = Backend::cuda;
  Device device;
  std::string base_file, head_file;
  Build base_build, head_build;
  std::vector<std::string> settings;
  PairedRule rule;
  std::string occasion, date;
  int processes = 0;
  double wall_seconds = 0;
  std::vector<AbRow> rows;
  std::vector<AbControl> controls;
  std::string inconclusive;  ///< why no time in this run counts; "" when they do
  std::vector<std::string> notes;
};

/// Judges what was measured: rows, controls and `inconclusive` of a report. Rows come in the order of `runs`.
void judge_pairs(const AbRuns& runs, const AbPolicy& policy, AbReport& report);

/// The first present of 2, 1, 3; else 0. 2 for no rows.
[[nodiscard]] int exit_code(const AbReport& report);

[[nodiscard]] std::string text_report(const AbReport& report);
[[nodiscard]] std::string markdown_report(const AbReport& report);
/// A file of kind "ab", which parse_ab_report() reads back.
[[nodiscard]] std::string json_report(const AbReport& report);
[[nodiscard]] AbReport parse_ab_report(const std::string& text, const std::string& file_name);

/// One row as a ctest case prints it.
[[nodiscard]] std::string row_text(const AbReport& report, const AbRow& row);

}  // namespace census
