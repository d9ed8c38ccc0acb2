// SPDX-License-Identifier: MIT
// The sums of the order contract for formats whose block b adds to sum b mod 32: which lane adds what, and
// how the lanes' sums become one.
#pragma once

#include "row_ring_cuda.cuh"

namespace kernels {

/// What one block adds to its sum: sum' = fma(scale, dot, sum).
struct Term {
  float scale;
  float dot;
};

/// halve(p[r], 32) of the order contract for each of `Rows` rows, a power of two, where lane l holds entry l
/// of each row. Lane l returns the sum of row l / (32 / Rows). Each exchange halves the rows that a lane
/// holds as well as their entries, so that four rows take 6 exchanges instead of 20. The additions are the
/// contract's, some with their operands exchanged.
template <int Rows>
__device__ __forceinline__ float halve_rows(float (&p)[Rows], int lane) {
  int distance = warp_lanes / 2;
#pragma unroll
  for (int held = Rows; held > 1; held /= 2) {
    const bool upper = (lane & distance) != 0;
#pragma unroll
    for (int i = 0; i < held / 2; ++i) {
      const float keep = upper ? p[i + held / 2] : p[i];
      const float give = upper ? p[i] : p[i + held / 2];
      p[i] = __fadd_rn(keep, __shfl_xor_sync(~0U, give, distance));
    }
    distance /= 2;
  }
#pragma unroll
  for (int d = warp_lanes / 2 / Rows; d >= 1; d /= 2) p[0] = __fadd_rn(p[0], __shfl_xor_sync(~0U, p[0], d));
  return p[0];
}

/// One lane's part of x, kept in registers over all rows. Format has
///   Activation                                    the part of x that one block is multiplied with
///   Activation load(x, block)                     from x as the kernel has staged it
///   Term multiply(row, block, activation)         from a row in shared memory
template <class Format, class Stage>
class LaneRows {
 public:
  __device__ __forceinline__ explicit LaneRows(int lane) : lane_(lane) {}

  __device__ __forceinline__ void load(const std::byte* x) {
#pragma unroll
    for (int i = 0; i < Stage::full_steps; ++i) full_[i] = Format::load(x, i * warp_lanes + lane_);
    if constexpr (Stage::tail_blocks > 0) tail_ = Format::load(x, tail_block());
  }

  /// Lane l's sums of all rows of a stage.
  __device__ __forceinline__ void multiply(const std::byte* stage, float (&p)[Stage::rows]) const {
#pragma unroll
    for (int r = 0; r < Stage::rows; ++r) {
      p[r] = 0.0F;
#pragma unroll
      for (int i = 0; i < Stage::full_steps; ++i) {
        const Term term = Format::multiply(stage + r * Stage::row_bytes, i * warp_lanes + lane_, full_[i]);
        p[r] = __fmaf_rn(term.scale, term.dot, p[r]);
      }
    }
    if constexpr (Stage::tail_blocks > 0) add_tails(stage, p);
  }

 private:
  __device__ __forceinline__ int tail_block() const {
    return Stage::full_steps * warp_lanes + lane_ % Stage::tail_blocks;
  }

  // Lane l multiplies the last step's block l % tail_blocks of row l / tail_blocks; the lanes that own the
  // sums fetch the terms.
  __device__ __forceinline__ void add_tails(const std::byte* stage, float (&p)[Stage::rows]) const {
    const std::byte* row = stage + lane_ / Stage::tail_blocks * Stage::row_bytes;
    const Term mine = Format::multiply(row, tail_block(), tail_);
#pragma unroll
    for (int r = 0; r < Stage::rows; ++r) {
      const int from = r * Stage::tail_blocks + lane_ % Stage::tail_blocks;
      const float scale = __shfl_sync(~0U, mine.scale, from);
      const float dot = __shfl_sync(~0U, mine.dot, from);
      if (lane_ < Stage::tail_blocks) p[r] = __fmaf_rn(scale, dot, p[r]);
    }
  }

  typename Format::Activation full_[Stage::full_steps];
  typename Format::Activation tail_;
  int lane_;
};

}  // namespace kernels
