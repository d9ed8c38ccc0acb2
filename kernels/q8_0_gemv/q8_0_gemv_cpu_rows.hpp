// SPDX-License-Identifier: MIT
// The inner loop of the q8_0 CPU rows, of which there is one build per arm. No standard-library type crosses
// this border: an inline function of the library built with AVX2 must not end up in code that runs without.
#pragma once

#include <cstdint>

namespace kernels {

struct Q8_0Block;

/// One copy of a row. `weights` is [rows, columns / 32]; x is codes [columns] and scales [columns / 32]; y is
/// [rows].
struct Q8_0GemvView {
  const Q8_0Block* weights;
  const std::int8_t* codes;
  const float* scales;
  float* y;
  std::int64_t columns;
};

/// Writes y[first_row, end_row). May prefetch, but never reads, beyond the last row.
namespace avx2 {
void q8_0_gemv_rows(const Q8_0GemvView& view, std::int64_t first_row, std::int64_t end_row);
}  // namespace avx2
namespace portable {
void q8_0_gemv_rows(const Q8_0GemvView& view, std::int64_t first_row, std::int64_t end_row);
}  // namespace portable

}  // namespace kernels
