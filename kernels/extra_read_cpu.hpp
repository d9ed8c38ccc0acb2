// SPDX-License-Identifier: MIT
// The planted slowdown on the CPU: every thread of a launch reads its share of extra cold bytes.
#pragma once

#include <census/kernel_case.hpp>

#include <cstdint>

namespace kernels {

/// Reads thread `thread` of `threads`' part of the bytes planted for copy `copy`; a null `extra` plants
/// nothing. The sum reaches an instruction that the compiler must keep, but changes nothing.
inline void read_extra(const census::ExtraRead* extra, int copy, int thread, int threads) {
  if (extra == nullptr || extra->bytes_per_launch == 0) return;
  const char* begin = static_cast<const char*>(extra->data) + copy * extra->bytes_per_launch;
  const auto* words = reinterpret_cast<const std::uint64_t*>(begin);
  const std::int64_t count = extra->bytes_per_launch / 8;
  const std::int64_t end = count * (thread + 1) / threads;
  std::uint64_t sum = 0;
#pragma omp simd reduction(^ : sum)
  for (std::int64_t i = count * thread / threads; i < end; ++i) sum ^= words[i];
  asm volatile("" ::"r"(sum));
}

}  // namespace kernels
