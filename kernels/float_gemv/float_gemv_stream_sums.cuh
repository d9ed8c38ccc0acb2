// SPDX-License-Identifier: MIT
// bf16 and f32 GEMV, arm "stream", what its kernels share: positions in a ring of slots, x, and the sums of
// warps that find whole rows in a slot. Lane g of a warp owns the group p[8g..8g+7] of the order contract.
#pragma once

#include "hopper.cuh"

#include <cstdint>
#include <type_traits>

namespace kernels {

/// The compile-time half of a stream kernel. depth is a multiple of 256, per column block too.
template <class Element_, int depth_, int column_blocks_, int teams_, int team_warps_, int rows_per_warp_,
          int held_steps_>
struct StreamKernel {
  using Element = Element_;
  static constexpr int depth = depth_;                  ///< columns of a row
  static constexpr int column_blocks = column_blocks_;  ///< buffers that a row is split over
  static constexpr int teams = teams_;
  static constexpr int team_warps = team_warps_;
  static constexpr int rows_per_warp = rows_per_warp_;  ///< 1, 2 or 4 rows that share each x value
  static constexpr int held_steps = held_steps_;        ///< steps of 256 columns whose x stays in registers
  static constexpr int consumers = 32 * teams * team_warps;  ///< threads
  static constexpr int threads = consumers + 32;
  static constexpr int slot_rows = team_warps * rows_per_warp;
  static constexpr int piece_bytes = depth / column_blocks * static_cast<int>(sizeof(Element));
  static constexpr int slot_bytes = slot_rows * column_blocks * piece_bytes;
  static constexpr int steps = depth / 256;
  /// Steps of x that shared memory has room for: those that registers do not hold stay there, and those that
  /// they do hold pass through it before.
  static constexpr int x_steps = held_steps > steps - held_steps ? held_steps : steps - held_steps;
  static constexpr int x_bytes = x_steps * 256 * static_cast<int>(sizeof(float));

  /// Dynamic shared memory: the slots, x, and two barriers for each slot.
  static constexpr int shared_bytes(int slots) { return slots * (slot_bytes + 16) + x_bytes; }
};

namespace stream {

// Weights that make way for all else save the short rows 4 to 5 % (router, shared_down). For weights that are
// read again, one buffer in a loop, it would be wrong: a matrix that fits into L2 came from memory each time.
__device__ __forceinline__ std::uint64_t weight_policy(bool read_again) {
  return read_again ? hopper::evict_unchanged() : hopper::evict_first();
}

// Barriers of the block by number; 0 is __syncthreads().
constexpr int barriers_ready = 1, consumers_only = 2;

struct Barriers {
  std::uint32_t filled;   // of slot 0; slot i is 8 * i bytes on
  std::uint32_t drained;  // likewise: every lane of the slot's team has read it
};

// A position in the ring that goes on by one slot at a time, without divisions: the producer is one thread.
struct Turn {
  int slot = 0;
  std::uint32_t parity = 0;
  __device__ void next(int slots) {
    if (++slot == slots) {
      slot = 0;
      parity ^= 1U;
    }
  }
};

template <class S>
__device__ __forceinline__ void sync_consumers() {
  hopper::sync_named<consumers_only, S::consumers>();
}

// A thread's share of x: every S::consumers-th group of four columns.
template <class S>
struct Fours {
  static constexpr int all = S::depth / 4, each = (all + S::consumers - 1) / S::consumers;
  float4 v[each];

  __device__ __forceinline__ void load(const float* x) {
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const int i = j * S::consumers + static_cast<int>(threadIdx.x);
      if (i < all) v[j] = hopper::load_fresh(reinterpret_cast<const float4*>(x) + i);
    }
  }
  // Columns [256 first, 256 last), to two planes a step: the first and the second four columns of each lane's
  // eight, so that a lane's 16-byte loads do not conflict with its neighbours'.
  template <int first, int last>
  __device__ __forceinline__ void store(float4* planes) const {
#pragma unroll
    for (int j = first * 64 / S::consumers; j < each && j * S::consumers < last * 64; ++j) {
      const int i = j * S::consumers + static_cast<int>(threadIdx.x) - first * 64;
      if (i >= 0 && i < (last - first) * 64) planes[i / 64 * 64 + i % 2 * 32 + i / 2 % 32] = v[j];
    }
  }
};

// Run by all consumers. Leaves the held steps in registers and the others in `planes`, from its start.
template <class S, int held_fours>
__device__ __forceinline__ void stage_x(float4 (&held)[held_fours], float4* planes, const float* x,
                                        const float4* x0, const float4* x1) {
  Fours<S> fours;
  fours.load(x);
  fours.template store<0, S::held_steps>(planes);
  if constexpr (S::held_steps > 0) {
    sync_consumers<S>();
#pragma unroll
    for (int s = 0; s < S::held_steps; ++s) {
      held[2 * s] = x0[64 * s];
      held[2 * s + 1] = x1[64 * s];
    }
  }
  if constexpr (S::held_steps < S::steps) {
    if constexpr (S::held_steps > 0) sync_consumers<S>();  // all have read what is now overwritten
    fours.template store<S::held_steps, S::steps>(planes);
    sync_consumers<S>();
  }
}

// 1 for an f32 lane whose bit 2 is set: it takes its second four weights first, to keep its two loads free of
// bank conflicts, and its x in the same order.
template <class Element>
__device__ __forceinline__ int halves_swapped(int lane) {
  return std::is_same_v<Element, float> ? lane / 4 % 2 : 0;
}

// Eight weights of a lane, widened.
__device__ __forceinline__ void load_weights(float (&w)[8], const char* chunk, std::uint16_t, int) {
  const uint4 v = *reinterpret_cast<const uint4*>(chunk);
  const std::uint32_t pairs[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    w[2 * i] = __uint_as_float(pairs[i] << 16);
    w[2 * i + 1] = __uint_as_float(pairs[i] & 0xFFFF0000U);
  }
}
__device__ __forceinline__ void load_weights(float (&w)[8], const char* chunk, float, int swap) {
  const auto* fours = reinterpret_cast<const float4*>(chunk);
  const float4 a = fours[swap], b = fours[swap ^ 1];
  w[0] = a.x, w[1] = a.y, w[2] = a.z, w[3] = a.w;
  w[4] = b.x, w[5] = b.y, w[6] = b.z, w[7] = b.w;
}

// One step of 256 columns for the rows of a warp.
template <class S>
__device__ __forceinline__ void accumulate(float (&p)[S::rows_per_warp][8], const char* row, int step,
                                           const float4& x0, const float4& x1, int lane, int swap) {
  using Element = typename S::Element;
  constexpr int steps_per_block = S::steps / S::column_blocks, step_bytes = 256 * sizeof(Element);
  const float x[8] = {x0.x, x0.y, x0.z, x0.w, x1.x, x1.y, x1.z, x1.w};
  const char* chunk = row + step / steps_per_block * (S::slot_rows * S::piece_bytes) +
                      step % steps_per_block * step_bytes + lane * (8 * static_cast<int>(sizeof(Element)));
#pragma unroll
  for (int r = 0; r < S::rows_per_warp; ++r) {
    float w[8];
    load_weights(w, chunk + r * S::piece_bytes, Element{}, swap);
#pragma unroll
    for (int i = 0; i < 8; ++i) p[r][i] = __fmaf_rn(w[i], x[i], p[r][i]);
  }
}

// All steps of the rows of a warp: the held ones, then those in shared memory.
template <class S, int held_fours>
__device__ __forceinline__ void accumulate_row(float (&p)[S::rows_per_warp][8], const char* row,
                                               const float4 (&held)[held_fours], const float4* x0,
                                               const float4* x1, int lane, int swap) {
#pragma unroll
  for (int s = 0; s < S::held_steps; ++s) {
    accumulate<S>(p, row, s, held[2 * s], held[2 * s + 1], lane, swap);
  }
#pragma unroll 4
  for (int s = S::held_steps; s < S::steps; ++s) {
    const int staged = 64 * (s - S::held_steps);
    accumulate<S>(p, row, s, x0[staged], x1[staged], lane, swap);
  }
}

// halve over each lane's eight partials (swapped halves give the same sums: addition commutes), then over the
// lanes. While rows are left to share out, the two halves of the lanes take half of the rows each: fewer
// shuffles, the same additions. Lane 32 / rows * r returns row r.
template <int rows>
__device__ __forceinline__ float reduce(const float (&p)[rows][8], int lane) {
  float sums[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    float q[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) q[i] = __fadd_rn(p[r][i], p[r][i + 4]);
    sums[r] = __fadd_rn(__fadd_rn(q[0], q[2]), __fadd_rn(q[1], q[3]));
  }
  int d = 16;
#pragma unroll
  for (int left = rows; left > 1; left /= 2, d /= 2) {
    const bool upper = (lane & d) != 0;
#pragma unroll
    for (int r = 0; r < left / 2; ++r) {
      const float keep = upper ? sums[r + left / 2] : sums[r], give = upper ? sums[r] : sums[r + left / 2];
      sums[r] = __fadd_rn(keep, __shfl_xor_sync(~0U, give, d));
    }
  }
  for (; d >= 1; d /= 2) sums[0] = __fadd_rn(sums[0], __shfl_xor_sync(~0U, sums[0], d));
  return sums[0];
}

}  // namespace stream
}  // namespace kernels
