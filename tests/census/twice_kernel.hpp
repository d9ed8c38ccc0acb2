// SPDX-License-Identifier: MIT
// The smallest CUDA row, and the faults that a measurer must find in it.
#pragma once

#include <census/kernel_case.hpp>

namespace census::testing {

enum class Fault { none, one_unwritten, other_reference, wild_store };

/// y = 2 x over `count` floats.
[[nodiscard]] KernelCase twice_case(int count, Fault fault = Fault::none);

}  // namespace census::testing
