// SPDX-License-Identifier: MIT
// The word operations that decoding is made of, with one meaning on host and device, so that what the GPU
// runs can be tested without one.
#pragma once

#include "formats/data.hpp"

#include <cstdint>

namespace kernels {

/// The f32 with these bits.
[[nodiscard]] CENSUS_HOST_DEVICE float float_of(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return __uint_as_float(bits);
#else
  return __builtin_bit_cast(float,
                            bits);  // not std::bit_cast: no library symbol may come from the AVX2 build
#endif
}

/// Byte i of the result is byte (selector >> 4 * i) & 7 of the eight bytes of `low`, then `high`. Where bit 3
/// of that selector nibble is set it is eight copies of that byte's top bit instead. Bits 16.. of the
/// selector are ignored. Source: the default mode of PTX prmt.
[[nodiscard]] CENSUS_HOST_DEVICE std::uint32_t byte_permute(std::uint32_t low, std::uint32_t high,
                                                            std::uint32_t selector) {
#ifdef __CUDA_ARCH__
  std::uint32_t result;  // not __byte_perm, which clears bit 3 of every selector nibble
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(selector));
  return result;
#else
  const std::uint64_t bytes = static_cast<std::uint64_t>(high) << 32 | low;
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t nibble = selector >> (4 * i) & 0xFU;
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (nibble & 7U))) & 0xFFU;
    if ((nibble & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xFFU : 0U;
    result |= byte << (8 * i);
  }
  return result;
#endif
}

/// sum + the dot product of the four signed bytes of `a` with those of `b`, exactly.
[[nodiscard]] CENSUS_HOST_DEVICE std::int32_t dot4(std::uint32_t a, std::uint32_t b, std::int32_t sum) {
#ifdef __CUDA_ARCH__
  return __dp4a(static_cast<int>(a), static_cast<int>(b), sum);
#else
  for (int i = 0; i < 4; ++i) {
    sum += static_cast<std::int8_t>(a >> (8 * i)) * static_cast<std::int8_t>(b >> (8 * i));
  }
  return sum;
#endif
}

}  // namespace kernels
