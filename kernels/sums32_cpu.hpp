// SPDX-License-Identifier: MIT
// The 32 sums of a row in the order contract for blocked formats, on the CPU. Everything is in the namespace
// of the arm, CENSUS_CPU_ARM, so that the two builds of a file share no symbol.
#pragma once

#include "vector8_cpu.hpp"

#include <cstdint>

namespace kernels::CENSUS_CPU_ARM {

/// Rows of software prefetch: the hardware's own stops at each 4 KiB page.
inline constexpr std::int64_t rows_ahead = 2;

/// Asks for `bytes` bytes from `address` on.
inline void prefetch_ahead(const void* address, std::int64_t bytes) {
  constexpr std::int64_t cache_line = 64;
  for (std::int64_t line = 0; line < bytes; line += cache_line) {
    __builtin_prefetch(static_cast<const char*>(address) + line);
  }
}

/// sums[b mod 32] = fma(scale, float(dot), sums[b mod 32]).
inline void add_term(float* sums, std::int64_t b, float scale, std::int32_t dot) {
  sums[b % 32] = __builtin_fmaf(scale, static_cast<float>(dot), sums[b % 32]);
}

/// halve(sums, 32).
inline float halve32(const float* sums) {
  return halve8(add8(add8(load8(sums), load8(sums + 16)), add8(load8(sums + 8), load8(sums + 24))));
}

}  // namespace kernels::CENSUS_CPU_ARM
