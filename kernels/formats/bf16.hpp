// SPDX-License-Identifier: MIT
// bf16: the upper half of an f32. Its random elements and its exact widening, shared by reference, CPU and
// GPU.
#pragma once

#include "formats/data.hpp"

#include <bit>

namespace kernels {

/// A bf16 as its bits.
using Bf16 = std::uint16_t;

/// Makes the bf16 weight of u: bit 63 the sign, bits 56..62 the mantissa, exponent 120 + below(7, u).
/// So 2^-7 <= |w| < 1: products with x and their sums over thousands of columns stay far from overflow and
/// from subnormals.
struct Bf16Weight {
  using Element = Bf16;
  static constexpr const char* format = "bf16";
  [[nodiscard]] CENSUS_HOST_DEVICE constexpr Bf16 operator()(std::uint64_t u) const {
    const auto sign = static_cast<std::uint32_t>(u >> 63);
    const auto mantissa = static_cast<std::uint32_t>(u >> 56) & 0x7FU;
    return static_cast<Bf16>(sign << 15 | (120U + below(7, u)) << 7 | mantissa);
  }
};

/// The f32 of the same value; exact for every bit pattern.
[[nodiscard]] CENSUS_HOST_DEVICE float widen(Bf16 bits) {
#ifdef __CUDA_ARCH__
  return __uint_as_float(static_cast<std::uint32_t>(bits) << 16);
#else
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
#endif
}

}  // namespace kernels
