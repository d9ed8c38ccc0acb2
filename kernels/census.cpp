// SPDX-License-Identifier: MIT
// THE TABLE: one entry per row, the source of each shape beside it.
#include "census.hpp"

namespace kernels {

census::Census decode_kernel_census() {
  census::Census census;
  census.name = "decode-kernel-census";
  census.plans = {"seed", "step37_tp2.bf16", "step37_tp2.q8_0"};
  return census;
}

}  // namespace kernels
