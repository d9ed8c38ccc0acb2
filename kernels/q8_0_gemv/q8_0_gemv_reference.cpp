// SPDX-License-Identifier: MIT
// The order contract for q8_0 weights as scalar code: nothing shared with the kernels but the formats.
#include "formats/f32.hpp"
#include "formats/halve.hpp"
#include "formats/q8_0.hpp"
#include "formats/q8_1.hpp"
#include "q8_0_gemv/q8_0_gemv.hpp"

#include <array>
#include <cmath>

namespace kernels {

std::vector<float> q8_0_gemv_reference(const std::string& id, const Q8_0GemvShape& shape, int copy,
                                       std::uint64_t user_seed) {
  const Q8_1Activation x = random_q8_1(buffer_seed(id, "x", copy, user_seed), shape.columns);
  const std::uint64_t seed = buffer_seed(id, "w", copy, user_seed);
  const std::size_t blocks = x.scales.size();
  std::vector<float> y(static_cast<std::size_t>(shape.rows));
#pragma omp parallel for
  for (std::size_t r = 0; r < y.size(); ++r) {
    std::array<float, 32> p{};
    for (std::size_t b = 0; b < blocks; ++b) {
      const Q8_0Block block = Q8_0Weight{}(element_bits(seed, r * blocks + b));
      int dot = 0;
      for (std::size_t j = 0; j < 32; ++j) dot += block.codes[j] * x.codes[32 * b + j];
      const float s = widen_f16(block.scale) * x.scales[b];
      p[b % 32] = std::fma(s, static_cast<float>(dot), p[b % 32]);
    }
    y[r] = halve(p);
  }
  return y;
}

}  // namespace kernels
