// SPDX-License-Identifier: MIT
// Which of the processes that a driver lists on a device belong to this measurement, and which are foreign.
#pragma once

#include <census/telemetry.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace census {

/// What is asked of the operating system; faked in tests. Each answers nullopt or "" for a process that it
/// cannot see.
struct ProcessTable {
  std::int64_t self = 0;
  std::function<std::optional<std::int64_t>(std::int64_t)> parent;  ///< its parent's pid
  std::function<std::string(std::int64_t)> name;                    ///< short name
  std::function<std::string(std::int64_t)> executable;              ///< path of what it runs
};

/// The table that /proc shows.
[[nodiscard]] ProcessTable proc_table();

/// Takes our own processes out of a driver's list. Ours are this process, its ancestors, and the other
/// children of its parent when the parent is the same executable (a gate and its measuring children). A
/// driver that lists the pids of another namespace (a container) does not list our own: then the first new
/// pid that /proc does not show is taken to be ours, because the first look happens before this process uses
/// the device.
class ForeignProcessFilter {
 public:
  explicit ForeignProcessFilter(ProcessTable table);
  /// The foreign ones of `listed`, each pid once, with their names. The first call must come before the
  /// device is used.
  [[nodiscard]] std::vector<ForeignProcess> foreign(const std::vector<ForeignProcess>& listed);

 private:
  [[nodiscard]] bool is_ours(std::int64_t pid) const;
  void find_alias(const std::vector<ForeignProcess>& listed);

  ProcessTable table_;
  std::set<std::int64_t> family_;
  std::optional<std::set<std::int64_t>> first_seen_;
  std::optional<std::int64_t> alias_;
};

}  // namespace census
