// SPDX-License-Identifier: MIT
// Rows of y = W x on one CPU thread; built once per arm (CENSUS_CPU_ARM).
// A vector holds one group of the order contract, p[8g..8g+7], and a row is walked in four strides of 64
// columns: eight groups stay in registers, and their eight chains hide the latency of the fused multiply-add.
#include "float_gemv/float_gemv_cpu_rows.hpp"

#include "vector8_cpu.hpp"

namespace kernels::CENSUS_CPU_ARM {
namespace {

constexpr std::int64_t chains = 256;     // partial sums of the order contract
constexpr std::int64_t stride = 64;      // columns of eight groups
constexpr std::int64_t cache_line = 64;  // bytes
constexpr std::int64_t rows_ahead =
    2;  // of software prefetch: measured, the hardware's own stops at each 4 KiB page

template <class Element>
void prefetch(const Element* weights) {
  constexpr std::int64_t bytes = stride * sizeof(Element);
#pragma GCC unroll 4
  for (std::int64_t line = 0; line < bytes; line += cache_line) {
    __builtin_prefetch(reinterpret_cast<const char*>(weights) + line);
  }
}

// Adds columns first, first + 256, ... of one buffer's row to the eight groups that start at column `first`.
template <class Element>
inline void add_stride(Vector8 (&p)[8], const Element* row, const float* x, std::int64_t first,
                       std::int64_t columns) {
  std::int64_t c = first;
  for (; c + stride <= columns; c += chains) {
    prefetch(row + rows_ahead * columns + c);
#pragma GCC unroll 8
    for (int g = 0; g < 8; ++g) p[g] = fma8(load8(row + c + 8 * g), load8(x + c + 8 * g), p[g]);
  }
  if (c + 8 > columns) return;
#pragma GCC unroll 8
  for (int g = 0; g < 8; ++g) {  // where the depth is no multiple of 64
    if (c + 8 * (g + 1) <= columns) p[g] = fma8(load8(row + c + 8 * g), load8(x + c + 8 * g), p[g]);
  }
}

template <class Element>
void rows(const FloatGemvView<Element>& view, std::int64_t first_row, std::int64_t end_row) {
  for (std::int64_t r = first_row; r < end_row; ++r) {
    Vector8 groups[chains / stride];
    for (int s = 0; s < chains / stride; ++s) {
      Vector8 p[8];
#pragma GCC unroll 8
      for (int g = 0; g < 8; ++g) p[g] = zero8();
      for (int b = 0; b < view.column_blocks; ++b) {
        add_stride(p, view.weights[b] + r * view.columns, view.x + b * view.columns, s * stride,
                   view.columns);
      }
      groups[s] = halve_each(p);
    }
    view.y[r] = halve8(add8(add8(groups[0], groups[2]), add8(groups[1], groups[3])));
  }
}

}  // namespace

void float_gemv_rows(const FloatGemvView<std::uint16_t>& view, std::int64_t first_row, std::int64_t end_row) {
  rows(view, first_row, end_row);
}
void float_gemv_rows(const FloatGemvView<float>& view, std::int64_t first_row, std::int64_t end_row) {
  rows(view, first_row, end_row);
}

}  // namespace kernels::CENSUS_CPU_ARM
