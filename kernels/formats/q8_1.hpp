// SPDX-License-Identifier: MIT
// q8_1 activations: 32 columns share one f32 scale, codes are signed bytes. The `quantize` rows
// make them; the rows that multiply take them as input.
#pragma once

#include "formats/data.hpp"
#include "formats/f32.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kernels {

inline constexpr int q8_1_columns = 32;

/// No code has this value: what a buffer of codes holds where no launch has written.
inline constexpr std::int8_t q8_1_unwritten = -128;

/// The scale of 32 columns whose largest magnitude is `largest`.
[[nodiscard]] CENSUS_HOST_DEVICE float q8_1_scale(float largest) {
#ifdef __CUDA_ARCH__
  return __fdiv_rn(largest, 127.0F);
#else
  return largest / 127.0F;
#endif
}

/// The code of `x` under `scale`: x / scale rounded to nearest even and clamped to -127..127; 0 where scale
/// is 0.
[[nodiscard]] CENSUS_HOST_DEVICE std::int8_t q8_1_code(float x, float scale) {
  if (scale == 0.0F) return 0;
#ifdef __CUDA_ARCH__
  const float rounded = rintf(__fdiv_rn(x, scale));
  return static_cast<std::int8_t>(fminf(fmaxf(rounded, -127.0F), 127.0F));
#else
  const float rounded = __builtin_rintf(x / scale);
  return static_cast<std::int8_t>(rounded < -127.0F ? -127.0F : rounded > 127.0F ? 127.0F : rounded);
#endif
}

/// A quantised activation: codes [columns], scales [columns / 32].
struct Q8_1Activation {
  std::vector<std::int8_t> codes;
  std::vector<float> scales;
};

/// Quantises x, whose length is a multiple of 32: the definition that kernels are compared with.
[[nodiscard]] inline Q8_1Activation quantize_q8_1(std::span<const float> x) {
  Q8_1Activation result{std::vector<std::int8_t>(x.size()), std::vector<float>(x.size() / q8_1_columns)};
  for (std::size_t block = 0; block < result.scales.size(); ++block) {
    const std::size_t first = block * q8_1_columns;
    float largest = 0.0F;
    for (const float value : x.subspan(first, q8_1_columns)) largest = std::fmax(largest, std::fabs(value));
    const float scale = q8_1_scale(largest);
    result.scales[block] = scale;
    for (std::size_t i = first; i < first + q8_1_columns; ++i) result.codes[i] = q8_1_code(x[i], scale);
  }
  return result;
}

/// The random activation of a buffer of the data contract, quantised: what a row that takes q8_1 input gets.
[[nodiscard]] inline Q8_1Activation random_q8_1(std::uint64_t seed, int columns) {
  std::vector<float> x(static_cast<std::size_t>(columns));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = F32Activation{}(element_bits(seed, i));
  return quantize_q8_1(x);
}

}  // namespace kernels
