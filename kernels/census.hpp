// SPDX-License-Identifier: MIT
// Our own census: the decode kernels of a Step-3.5-like model on two cards.
#pragma once

#include <census/census.hpp>

namespace kernels {

/// The table of all rows, on every backend; rows of a backend that this build lacks have an empty `make`.
[[nodiscard]] census::Census decode_kernel_census();

}  // namespace kernels
