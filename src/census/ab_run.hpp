// SPDX-License-Identifier: MIT
// One whole paired run: rows, lock, processes, judgement.
#pragma once

#include <census/ab.hpp>
#include <census/commands.hpp>
#include <census/listed_row.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace census {

/// The rows that a paired run is about.
struct AbSelection {
  std::vector<ListedRow> common;
  std::vector<std::string> only_base, only_head;
};

/// The rows of the backend that match the options, of either list, in head's order. Throws UsageError for a
/// glob or a plan that matches nothing in either, with the nearest names, and for a forced arm that a row
/// lacks on a side.
[[nodiscard]] AbSelection select_rows(const std::vector<ListedRow>& base, const std::vector<ListedRow>& head,
                                      const Options& options, Backend backend);

/// Nothing could be measured, and nobody did anything wrong: no device, or one that others hold.
struct NotMeasured : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Compares options.base with options.head. Throws UsageError for what cannot be asked, NotMeasured,
/// FileError and CudaError as they come.
[[nodiscard]] AbReport run_ab(const Call& call);

}  // namespace census
