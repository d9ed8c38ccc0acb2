// SPDX-License-Identifier: MIT
// The order in which the paired gate's processes run, and which rows each measures. No process is started
// here.
#pragma once

#include <census/ab.hpp>

#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace census {

/// One fresh process that is to be run.
struct AbProcess {
  Side side = Side::base;
  int pair = 0;
  std::vector<std::string> rows;
  bool check_reference = false;
};

/// A process that gave no record; the text says which and why.
struct ProcessFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs the process and returns one run for each of its rows, in their order. Throws ProcessFailed.
using RunProcess = std::function<std::vector<RowRun>(const AbProcess&)>;

/// Sides in the order they run: ABBA over two pairs, the control between the two, so that what drifts over
/// time meets all alike.
[[nodiscard]] std::array<Side, 3> order_of_pair(int pair);

/// Rows whose code is known to be equal and that are timed all the same.
inline constexpr std::size_t live_controls = 2;

/// Whether the first runs of a row say that both sides launch the same code.
[[nodiscard]] bool same_code(const PairedRuns& runs);

/// Up to three of the rows for the null control: of the least, the middle and the most cold bytes.
struct SizedRow {
  std::string id;
  Bytes cold_bytes;
};
[[nodiscard]] std::vector<std::string> choose_controls(std::vector<SizedRow> rows);

/// Measures `rows` in rule.pairs pairs of processes, then those in doubt (and the controls with them) in
/// pairs up to rule.pairs_in_doubt. After the first pair a row is left out that failed on a side, or whose
/// code is known to be equal, `live_controls` of these apart.
[[nodiscard]] AbRuns measure_pairs(const std::vector<std::string>& rows,
                                   const std::vector<std::string>& controls, const PairedRule& rule,
                                   const RunProcess& run);

/// The times of two sides of a row, as far as both were measured in the same pair.
[[nodiscard]] std::vector<TimePair> time_pairs(const std::vector<RowRun>& base,
                                               const std::vector<RowRun>& head);

}  // namespace census
