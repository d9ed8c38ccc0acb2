// SPDX-License-Identifier: MIT
// The code digest of a row: equal digests mean that a launch runs the same machine code in the same way.
#pragma once

#include <census/kernel_code.hpp>
#include <census/result.hpp>

#include <string>
#include <vector>

namespace census {

/// What a launch runs, apart from the kernels themselves.
struct LaunchSettings {
  std::string arm;
  int weight_layout = 1;     ///< Arm::weight_layout
  std::string tuning;        ///< Instance::tuning()
  double plant_percent = 0;  ///< requested, of a slowdown planted on purpose
};

/// SHA-256 over every kernel's code, launch shape and attributes, how often one launch runs it, and the
/// settings. The kernels' names and order do not count. Null with a reason where one kernel's code is
/// unknown, or there is none.
[[nodiscard]] KernelCode code_digest(const std::vector<LaunchedKernel>& kernels,
                                     const LaunchSettings& settings);

}  // namespace census
