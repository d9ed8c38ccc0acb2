// SPDX-License-Identifier: MIT
// Rows of y = W x on one CPU thread; built once per arm (CENSUS_CPU_ARM).
// A vector holds one group of the order contract, p[8g..8g+7], and a row is walked in four strides of 64
// columns: eight groups stay in registers, and their eight chains hide the latency of the fused multiply-add.
//
// While a row is summed, lines of the rows that follow are prefetched from several places side by side: the
// column blocks where there are some, else two parts of the thread's share, whose rows take turns. One stream
// of lines reads 0.75 of what two read, for the hardware's prefetcher stops at each 4 KiB page.
#include "float_gemv/float_gemv_cpu_rows.hpp"

#include "vector8_cpu.hpp"

namespace kernels::CENSUS_CPU_ARM {
namespace {

constexpr std::int64_t chains = 256;     // partial sums of the order contract
constexpr std::int64_t stride = 64;      // columns of eight groups
constexpr std::int64_t cache_line = 64;  // bytes
constexpr int parts = 2;                 // of the share; four were slower

// Where the bytes that are due next lie.
template <class Element, int streams>
struct Ahead {
  const char* from[streams];

  // In step `step` of a row: on average as many lines as the step reads.
  void prefetch(std::int64_t step) const {
    constexpr int lines = stride * sizeof(Element) / cache_line;
    constexpr int steps = streams > lines ? streams / lines : 1;  // between two lines of a stream
    constexpr int burst = streams > lines ? 1 : lines / streams;  // lines of a stream
    if (step % steps != 0) return;
    const std::int64_t offset = step / steps * (burst * cache_line);
#pragma GCC unroll 4
    for (int j = 0; j < streams; ++j) {
#pragma GCC unroll 4
      for (int line = 0; line < burst; ++line) __builtin_prefetch(from[j] + offset + line * cache_line);
    }
  }
};

template <class Element>
const char* address(const Element* weights, std::int64_t row, std::int64_t columns) {
  return reinterpret_cast<const char*>(weights) + row * columns * static_cast<std::int64_t>(sizeof(Element));
}

// Adds columns first, first + 256, ... of one buffer's row to the eight groups that start at column `first`.
template <class Element, int streams>
inline void add_stride(Vector8 (&p)[8], const Element* row, const float* x, std::int64_t first,
                       std::int64_t columns, const Ahead<Element, streams>& ahead, std::int64_t& step) {
  std::int64_t c = first;
  for (; c + stride <= columns; c += chains) {
    ahead.prefetch(step++);
#pragma GCC unroll 8
    for (int g = 0; g < 8; ++g) p[g] = fma8(load8(row + c + 8 * g), load8(x + c + 8 * g), p[g]);
  }
  if (c + 8 > columns) return;
#pragma GCC unroll 8
  for (int g = 0; g < 8; ++g) {  // where the depth is no multiple of 64
    if (c + 8 * (g + 1) <= columns) p[g] = fma8(load8(row + c + 8 * g), load8(x + c + 8 * g), p[g]);
  }
}

// The 256 partial sums in memory, and eight groups of them in registers.
using Partials = Vector8[chains / 8];
inline void copy8(Vector8 (&to)[8], const Vector8* from) {
#pragma GCC unroll 8
  for (int g = 0; g < 8; ++g) to[g] = from[g];
}

// One column block at a time, though its sums must go to memory in between: block after block in each stride
// was 12 % slower at 4x1536 columns, where a row, the next one and x are all of the first cache.
template <class Element, int streams>
float sum_row(const FloatGemvView<Element>& view, std::int64_t row, const Ahead<Element, streams>& ahead) {
  Partials sums;
  for (Vector8& sum : sums) sum = zero8();
  std::int64_t step = 0;
  for (int b = 0; b < view.column_blocks; ++b) {
    for (int s = 0; s < chains / stride; ++s) {
      Vector8 p[8];
      copy8(p, sums + 8 * s);
      add_stride(p, view.weights[b] + row * view.columns, view.x + b * view.columns, s * stride, view.columns,
                 ahead, step);
#pragma GCC unroll 8
      for (int g = 0; g < 8; ++g) sums[8 * s + g] = p[g];
    }
  }
  Vector8 groups[chains / stride];
  for (int s = 0; s < chains / stride; ++s) {
    Vector8 p[8];
    copy8(p, sums + 8 * s);
    groups[s] = halve_each(p);
  }
  return halve8(add8(add8(groups[0], groups[2]), add8(groups[1], groups[3])));
}

template <class Element>
void rows_in_parts(const FloatGemvView<Element>& view, std::int64_t first_row, std::int64_t end_row) {
  const std::int64_t part = (end_row - first_row) / parts;
  const std::int64_t share = view.columns * static_cast<std::int64_t>(sizeof(Element)) / parts;
  Ahead<Element, parts> ahead{};
  for (std::int64_t i = 0; i < part; ++i) {
    for (int turn = 0; turn < parts; ++turn) {  // prefetches this share of the rows that follow
      for (int j = 0; j < parts; ++j) {
        ahead.from[j] = address(view.weights[0], first_row + j * part + i + 1, view.columns) + turn * share;
      }
      const std::int64_t row = first_row + turn * part + i;
      view.y[row] = sum_row(view, row, ahead);
    }
  }
  for (std::int64_t r = first_row + parts * part; r < end_row; ++r) view.y[r] = sum_row(view, r, ahead);
}

template <int column_blocks, class Element>
void rows_of_blocks(const FloatGemvView<Element>& view, std::int64_t first_row, std::int64_t end_row) {
  Ahead<Element, column_blocks> ahead{};
  for (std::int64_t r = first_row; r < end_row; ++r) {
    for (int b = 0; b < column_blocks; ++b) ahead.from[b] = address(view.weights[b], r + 1, view.columns);
    view.y[r] = sum_row(view, r, ahead);
  }
}

template <class Element>
void rows(const FloatGemvView<Element>& view, std::int64_t first_row, std::int64_t end_row) {
  switch (view.column_blocks) {
    case 1:
      return rows_in_parts(view, first_row, end_row);
    case 2:
      return rows_of_blocks<2>(view, first_row, end_row);
    case 4:
      return rows_of_blocks<4>(view, first_row, end_row);
    default:
      return rows_of_blocks<1>(view, first_row, end_row);  // prefetches the first block only
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
