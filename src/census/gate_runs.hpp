// SPDX-License-Identifier: MIT
// The fresh processes of one gated row.
#pragma once

#include <census/cli.hpp>
#include <census/device.hpp>
#include <census/kernel_case.hpp>
#include <census/result.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace census {

/// Measures one row in fresh processes, one after another, and keeps their runs.
class RowRunner {
 public:
  /// `lock_descriptor` is inherited by the processes. All must end before `deadline`.
  RowRunner(const Options& options, const KernelCase& row, Device device, int lock_descriptor,
            std::chrono::steady_clock::time_point deadline);

  /// Up to `count` more runs; stops at the first that did not measure. The row's first run is compared with
  /// the reference, later ones must have its digest. What happens to a process becomes its run's status and
  /// reason. Returns the new runs.
  std::vector<RowRun> add(int count);

  [[nodiscard]] const std::vector<RowRun>& runs() const { return runs_; }
  /// The newest run, for what is learned after its process ended. There must be one.
  [[nodiscard]] RowRun& last() { return runs_.back(); }

 private:
  RowRun one();
  [[nodiscard]] std::vector<std::string> arguments(const std::string& file) const;

  const Options& options_;
  const KernelCase& row_;
  Device device_;
  int lock_descriptor_;
  std::chrono::steady_clock::time_point deadline_;
  std::vector<RowRun> runs_;
};

/// A run that was not measured, for the reason given.
[[nodiscard]] RowRun unmeasured_run(const KernelCase& row, const Device& device, RunStatus status,
                                    const std::string& reason);

}  // namespace census
