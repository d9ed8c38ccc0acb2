// SPDX-License-Identifier: MIT
// The inner loop of the NVFP4 CPU rows, of which there is one build per arm. No standard-library type crosses
// this border: an inline function of the library built with AVX2 must not end up in code that runs without.
#pragma once

#include <cstdint>

namespace kernels {

struct Nvfp4Block;

/// One matrix of one expert. `weights` is [rows, columns / 64]; x is codes [columns] and scales [columns /
/// 32]; y is [rows].
struct Nvfp4View {
  const Nvfp4Block* weights;
  const std::int8_t* codes;
  const float* scales;
  float* y;
  float tensor_scale;
  std::int64_t columns;
};

/// Writes y[first_row, end_row). May prefetch, but never reads, beyond the last row.
namespace avx2 {
void nvfp4_rows(const Nvfp4View& view, std::int64_t first_row, std::int64_t end_row);
}  // namespace avx2
namespace portable {
void nvfp4_rows(const Nvfp4View& view, std::int64_t first_row, std::int64_t end_row);
}  // namespace portable

}  // namespace kernels
