// SPDX-License-Identifier: MIT
// From recorded runs to a new baseline file: what is accepted, what is refused, and what changed.
#pragma once

#include <census/baseline.hpp>
#include <census/judge.hpp>
#include <census/result.hpp>

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace census {

/// What the caller decides about a refresh.
struct RefreshRules {
  /// "" = none given; a loss, a looser tolerance and a new numeric class need one. A first word "driver" or
  /// "toolkit" makes all rows anew.
  std::string reason;
  bool replace =
      false;  ///< drop the old occasions of the rows in the new data, although the kernel looks the same
  bool loosen = false;  ///< let a row's tolerance exceed the policy number where the formula asks for it;
                        ///< needs a reason
  std::vector<std::string> accepted_losses;  ///< globs: rows that may lose where others gain
  std::vector<std::pair<std::string, std::string>>
      renames;                     ///< old and new id of a row that keeps its occasions
  std::vector<std::string> drops;  ///< ids of rows to be taken out
};

/// One row's change. Times in microseconds; nullopt where there is no old or no new value.
struct RefreshLine {
  std::string row;
  std::optional<double> old_us, new_us;
  std::optional<double> old_tolerance, new_tolerance;
  std::optional<double> old_bound, new_bound;  ///< CPU: min_ceiling_fraction
  int old_occasions = 0, new_occasions = 0;
  std::string action;  ///< "new", "accumulated", "replaced", "kept", "already counted", "dropped"
  std::string was;     ///< its id so far, where this refresh renames it
};

/// The new baseline and how it differs. It must not be written while there are refusals.
struct RefreshPlan {
  Baseline baseline;
  std::optional<Control> old_control;
  std::vector<RefreshLine> lines;     ///< sorted by row
  std::vector<std::string> refusals;  ///< each one line naming the row, what is wrong and the way out
  std::vector<std::string> notices;
};

/// Merges `runs`, all of one device slug, into `old` (null: there is no baseline yet). Pure.
///
/// A row's occasions accumulate while its kernel is the same: equal output digest, arm, registers, spills and
/// shared memory, and equal code digests where both are known. An occasion that is there already is not
/// counted twice. When the kernel differs, or with `replace`, the row's old occasions are dropped. Where the
/// kernel looks the same and yet its new occasions differ from the old ones by more than the tolerance, the
/// caller has to say which it is. Rows that are not in `runs` stay as they are. On the CPU a row is always
/// made anew, from at least 20 runs: its bound is half the lowest share of the ceiling among them.
///
/// A loss in one row beside a gain in another is refused unless `accepted_losses` names it. Another driver
/// branch or toolkit is a refresh of its own: with it as the reason, of all rows, which are made anew.
/// Without runs only the renames and drops are made.
[[nodiscard]] RefreshPlan plan_refresh(const std::vector<RowRun>& runs, const Baseline* old,
                                       const Policy& policy, const RefreshRules& rules);

struct RefreshOptions {
  std::vector<std::filesystem::path>
      results;                      ///< files of kind "result"; a directory means every *.json directly in it
  std::filesystem::path baselines;  ///< directory of <slug>.json
  RefreshRules rules;
  bool dry_run = false;  ///< print, write nothing
  /// Which recorded rows are meant; empty: all.
  std::function<bool(Backend, const std::string&)> selects;
  /// Whether the census has the row; empty: unknown. A drop or the old name of a rename must not be there.
  std::function<bool(Backend, const std::string&)> in_census;
};

/// Reads the results, prints old -> new for each row and the total since the last tag, and writes <slug>.json
/// atomically. All or nothing: when one device is refused no file is written. Returns 0. Throws UsageError
/// for a refusal (all are printed to `out` first), FileError for a file that cannot be read or written.
int refresh(const RefreshOptions& options, std::ostream& out);

}  // namespace census
