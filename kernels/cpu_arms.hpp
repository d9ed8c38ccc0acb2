// SPDX-License-Identifier: MIT
// The arms of every CPU kernel: its file is built once for any x86-64 and once for AVX2, FMA and F16C.
#pragma once

#include <census/kernel_case.hpp>

#include <vector>

namespace kernels {

/// The arms that this build has, fastest first.
[[nodiscard]] inline std::vector<census::Arm> cpu_arms() {
  std::vector<census::Arm> arms;
#ifdef CENSUS_HAVE_AVX2
  arms.push_back({.name = "avx2", .minimum_capability = 1, .needs = "AVX2, FMA and F16C"});
#endif
  arms.push_back({.name = "portable", .minimum_capability = 0, .needs = "any CPU"});
  return arms;
}

}  // namespace kernels
