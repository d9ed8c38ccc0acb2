// SPDX-License-Identifier: MIT
// The table of a census's kernels for its documentation: what each arm of a row reaches and what it occupies,
// out of recorded runs or out of a baseline. Pure.
#pragma once

#include <census/baseline.hpp>
#include <census/result.hpp>

#include <optional>
#include <string>
#include <vector>

namespace census {

/// One arm of one row.
struct KernelLine {
  std::string row, arm;
  double us = 0;
  int runs = 0;  ///< that `us` is the median of (of a baseline: as it summarises them)
  std::optional<double> tbs, floor_percent, dependent_floor_percent;
  std::optional<double> cublas_us, cublas_ratio;  ///< its time / ours, of the same runs
  int registers = 0, shared_bytes = 0, spill_bytes = 0;
};

struct KernelTable {
  std::string source;  ///< device, driver, commit, date: the line above the table
  std::vector<KernelLine> lines;
};

/// Of the measured GPU runs, in the order of the rows' first run; the arms that --peers measured beside them
/// too.
[[nodiscard]] KernelTable kernel_table(const std::vector<RowRun>& runs);
[[nodiscard]] KernelTable kernel_table(const Baseline& baseline);

/// Markdown. Columns that no line has a number for are left out.
[[nodiscard]] std::string markdown(const KernelTable& table);

}  // namespace census
