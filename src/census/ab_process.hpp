// SPDX-License-Identifier: MIT
// The two executables of the paired gate: what they list, and their measuring processes.
#pragma once

#include <census/ab_measure.hpp>
#include <census/cli.hpp>
#include <census/device.hpp>
#include <census/listed_row.hpp>

#include <string>
#include <vector>

namespace census {

struct AbExecutables {
  std::string base, head;  ///< absolute paths
};

/// Absolute paths of both. Throws UsageError naming the side that is no executable file.
[[nodiscard]] AbExecutables find_executables(const std::string& base, const std::string& head);

/// The rows that an executable lists. Throws UsageError naming the side and what it said instead.
[[nodiscard]] std::vector<ListedRow> list_rows(Side side, const std::string& executable);

/// Starts the measuring processes; `lock_descriptor` is inherited by them.
[[nodiscard]] RunProcess process_runner(const AbExecutables& executables, const Options& options,
                                        const Device& device, int lock_descriptor);

}  // namespace census
