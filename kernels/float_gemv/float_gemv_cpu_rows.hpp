// SPDX-License-Identifier: MIT
// The inner loop of the CPU rows, of which there is one build per arm. No standard-library type crosses this
// border: an inline function of the library built with AVX2 must not end up in code that runs without.
#pragma once

#include <cstdint>

namespace kernels {

/// One copy of a row. `weights[b]` is [rows, columns]; x is [columns * column_blocks]; y is [rows].
template <class Element>
struct FloatGemvView {
  const Element* weights[4];
  const float* x;
  float* y;
  std::int64_t columns;
  int column_blocks;
};

/// Writes y[first_row, end_row). May prefetch, but never reads, beyond the last row.
namespace avx2 {
void float_gemv_rows(const FloatGemvView<std::uint16_t>& view, std::int64_t first_row, std::int64_t end_row);
void float_gemv_rows(const FloatGemvView<float>& view, std::int64_t first_row, std::int64_t end_row);
}  // namespace avx2
namespace portable {
void float_gemv_rows(const FloatGemvView<std::uint16_t>& view, std::int64_t first_row, std::int64_t end_row);
void float_gemv_rows(const FloatGemvView<float>& view, std::int64_t first_row, std::int64_t end_row);
}  // namespace portable

}  // namespace kernels
