// SPDX-License-Identifier: MIT
// The inner loop of quantising on the CPU, of which there is one build per arm. No standard-library type
// crosses this border: an inline function of the library built with AVX2 must not end up in code that runs
// without.
#pragma once

#include <cstdint>

namespace kernels {

/// x: [32 * blocks]; codes: [32 * blocks]; scales: [blocks].
struct QuantizeView {
  const float* x;
  std::int8_t* codes;
  float* scales;
};

/// Quantises blocks [first, end) of 32 columns.
namespace avx2 {
void quantize_blocks(const QuantizeView& view, std::int64_t first, std::int64_t end);
}  // namespace avx2
namespace portable {
void quantize_blocks(const QuantizeView& view, std::int64_t first, std::int64_t end);
}  // namespace portable

}  // namespace kernels
