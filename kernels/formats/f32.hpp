// SPDX-License-Identifier: MIT
// f32: random weights and activations.
#pragma once

#include "formats/data.hpp"

#include <bit>

namespace kernels {

/// The f32 of u with one of `exponents` exponents from `lowest` up: bit 63 the sign, bits 40..62 the
/// mantissa, exponent lowest + below(exponents, u).
[[nodiscard]] CENSUS_HOST_DEVICE float random_f32(std::uint64_t u, std::uint32_t lowest,
                                                  std::uint32_t exponents) {
  const auto sign = static_cast<std::uint32_t>(u >> 63);
  const auto mantissa = static_cast<std::uint32_t>(u >> 40) & 0x7FFFFFU;
  const std::uint32_t bits = sign << 31 | (lowest + below(exponents, u)) << 23 | mantissa;
#ifdef __CUDA_ARCH__
  return __uint_as_float(bits);
#else
  return std::bit_cast<float>(bits);
#endif
}

/// An activation x: exponent 124..126, so 2^-3 <= |x| < 1.
struct F32Activation {
  using Element = float;
  [[nodiscard]] CENSUS_HOST_DEVICE float operator()(std::uint64_t u) const { return random_f32(u, 124, 3); }
};

/// A weight: the exponents of a bf16 weight, 120..126, so 2^-7 <= |w| < 1.
struct F32Weight {
  using Element = float;
  static constexpr const char* format = "f32";
  [[nodiscard]] CENSUS_HOST_DEVICE float operator()(std::uint64_t u) const { return random_f32(u, 120, 7); }
};

/// An f32 weight as it is; the counterpart of widening a bf16.
[[nodiscard]] CENSUS_HOST_DEVICE float widen(float weight) {
  return weight;
}

}  // namespace kernels
