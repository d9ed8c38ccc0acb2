// SPDX-License-Identifier: MIT
// bf16 and f32 GEMV, arm "stream", the kernel: Hopper's bulk copies bring whole rows into a ring in shared
// memory.
//
// A multiprocessor owns a contiguous slice of the rows, which its one or two blocks share. A block's last
// warp produces: one thread keeps the ring's slots filled, a slot being the next rows of the block's part,
// and starts at once, before the predecessor of the chain has ended: weights are constants. The other warps
// wait for the predecessor, stage x, and consume a slot when its bytes have come. Lane g of a consumer owns
// the group p[8g..8g+7] of the order contract.
//
// Slots go round the teams of warps; the warps of a team share its slot, rows_per_warp rows each. A slot
// always belongs to the same team, else a team that runs ahead would take the phase before for its own.
#pragma once

#include "dependent_launch_cuda.cuh"
#include "float_gemv/float_gemv_cuda.cuh"
#include "float_gemv/float_gemv_stream.hpp"
#include "hopper.cuh"

#include <cstdint>
#include <type_traits>

namespace kernels {

/// The compile-time half of a stream kernel; StreamRing is the run-time half. depth is a multiple of 256, per
/// column block too.
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

// Barriers of the block by number; 0 is __syncthreads().
constexpr int barriers_ready = 1, consumers_only = 2;

// Where a block's pieces lie.
template <class S>
struct Slice {
  int part, first_row, rows;

  __device__ Slice(const StreamRing& ring) {
    const int slices = static_cast<int>(ring.first_part_slots == 0 ? gridDim.x : gridDim.x / 2);
    part = static_cast<int>(blockIdx.x) < slices ? 0 : 1;
    const int slice = static_cast<int>(blockIdx.x) - part * slices;
    first_row = ring.bounds.first_row(slice);
    rows = ring.bounds.first_row(slice + 1) - first_row;
    if (ring.first_part_slots == 0) return;
    const int first_rows = min(rows, ring.first_part_slots * S::slot_rows);
    first_row += part * first_rows;
    rows = part == 0 ? first_rows : rows - first_rows;
  }
  __device__ int slots() const { return (rows + S::slot_rows - 1) / S::slot_rows; }
};

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

// x lies cold in memory when copies rotate; in a decode the predecessor has just written it. It is needed
// first and queues behind what is asked for first, so it gets a start on the weights: against none,
// o_proj_full and dense_down take 1 to 2 % less and the router 8 %, shared_gate_up 2 % more
// (kernels/README.md).
constexpr unsigned x_ahead_ns = 100;

// Run by the warp that produces: a share of x's lines to L2.
template <class S>
__device__ __forceinline__ void ask_for_x(const float* x) {
  constexpr int floats_of_line = 32;
  const int lane = static_cast<int>(threadIdx.x) % 32, blocks = static_cast<int>(gridDim.x);
  for (int line = static_cast<int>(blockIdx.x) + blocks * lane; line < S::depth / floats_of_line;
       line += 32 * blocks) {
    hopper::prefetch_l2(x + floats_of_line * line);
  }
}

// Run by one thread. Every slot of the slice in turn, as far as the ring has room.
template <class S>
__device__ __forceinline__ void produce(const FloatGemvArguments<typename S::Element>& arguments,
                                        const Slice<S>& slice, const StreamRing& ring, std::uint32_t slots,
                                        const Barriers& barriers) {
  // Weights that make way for all else save the short rows 4 to 5 % (router, shared_down). For weights that
  // are read again, one buffer in a loop, it would be wrong: a matrix that fits into L2 came from memory each
  // time.
  const std::uint64_t policy =
      arguments.weights_read_again ? hopper::evict_unchanged() : hopper::evict_first();
  const long long offset = static_cast<long long>(slice.first_row) * S::piece_bytes;
  const char* from[S::column_blocks];
#pragma unroll
  for (int b = 0; b < S::column_blocks; ++b) {
    from[b] = reinterpret_cast<const char*>(arguments.weights[b]) + offset;
  }
  const int count = slice.slots();
  Turn turn, landed;
  int landed_slots = 0;
  for (int i = 0; i < count; ++i) {
    const int under_way = i < ring.slots ? ring.at_start[slice.part] : ring.in_flight;
    for (; i - landed_slots >= under_way; ++landed_slots) {
      hopper::wait(barriers.filled + 8 * landed.slot, landed.parity);
      landed.next(ring.slots);
    }
    if (i >= ring.slots) hopper::wait(barriers.drained + 8 * turn.slot, turn.parity ^ 1U);
    const int rows = min(S::slot_rows, slice.rows - i * S::slot_rows);
    const std::uint32_t filled = barriers.filled + 8 * turn.slot;
    hopper::arrive_expecting(filled, rows * S::column_blocks * S::piece_bytes);
#pragma unroll
    for (int b = 0; b < S::column_blocks; ++b) {
      hopper::bulk_copy(slots + turn.slot * S::slot_bytes + b * (S::slot_rows * S::piece_bytes), from[b],
                        rows * S::piece_bytes, filled, policy);
      from[b] += S::slot_rows * S::piece_bytes;
    }
    turn.next(ring.slots);
  }
}

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

// Eight weights of a lane, widened. An f32 lane whose bit 2 is set takes its second four first, to keep its
// two loads free of bank conflicts; `swap` says so, and its x comes in the same order.
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

template <class S>
__device__ __forceinline__ void consume(const FloatGemvArguments<typename S::Element>& arguments,
                                        const Slice<S>& slice, const StreamRing& ring, const char* slots,
                                        float4* planes, const Barriers& barriers) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int team = warp / S::team_warps, member = warp % S::team_warps;
  const int swap = std::is_same_v<typename S::Element, float> ? lane / 4 % 2 : 0;
  const float4 *x0 = planes + 32 * swap + lane, *x1 = planes + 32 * (swap ^ 1) + lane;
  float4 held[S::held_steps == 0 ? 1 : 2 * S::held_steps];
  stage_x<S>(held, planes, arguments.x, x0, x1);
  const int count = slice.slots();
  std::uint32_t parity = 0;
  for (int round = 0; round < count; round += ring.slots, parity ^= 1U) {
    for (int slot = team; slot < ring.slots && round + slot < count; slot += S::teams) {
      hopper::wait(barriers.filled + 8 * slot, parity);
      const char* row = slots + slot * S::slot_bytes + member * (S::rows_per_warp * S::piece_bytes);
      float p[S::rows_per_warp][8] = {};
#pragma unroll
      for (int s = 0; s < S::held_steps; ++s) {
        accumulate<S>(p, row, s, held[2 * s], held[2 * s + 1], lane, swap);
      }
#pragma unroll 4
      for (int s = S::held_steps; s < S::steps; ++s) {
        const int staged = 64 * (s - S::held_steps);
        accumulate<S>(p, row, s, x0[staged], x1[staged], lane, swap);
      }
      // Every lane: one arrival for the warp would do, at no gain in time, but racecheck does not see that it
      // speaks for the other lanes.
      hopper::arrive(barriers.drained + 8 * slot);
      const float y = reduce(p, lane);
      const int of_slice =
          (round + slot) * S::slot_rows + member * S::rows_per_warp + lane / (32 / S::rows_per_warp);
      if (lane % (32 / S::rows_per_warp) == 0 && of_slice < slice.rows) {
        arguments.y[slice.first_row + of_slice] = y;
      }
    }
  }
}

}  // namespace stream

// grid: the multiprocessors times ring's parts, block S::threads, shared S::shared_bytes(slots). Reads
// rows * depth * sizeof(Element) bytes of weights once, and depth * 4 B of x per block.
template <class S, int blocks_per_sm>
__global__ void __launch_bounds__(S::threads, blocks_per_sm)
    float_gemv_stream_kernel(const __grid_constant__ FloatGemvArguments<typename S::Element> arguments,
                             const __grid_constant__ StreamRing ring) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) char slots[];
  auto* planes = reinterpret_cast<float4*>(slots + ring.slots * S::slot_bytes);
  const std::uint32_t filled = hopper::shared_address(planes) + S::x_bytes;
  const stream::Barriers barriers{filled, filled + 8 * ring.slots};
  const stream::Slice<S> slice(ring);
  if (threadIdx.x == S::consumers) {
    allow_dependents();
    for (int i = 0; i < ring.slots; ++i) {
      hopper::init_barrier(barriers.filled + 8 * i, 1);
      hopper::init_barrier(barriers.drained + 8 * i, 32 * S::team_warps);
    }
    hopper::publish_barriers();
  }
  if (threadIdx.x < S::consumers) {
    hopper::sync_named<stream::barriers_ready, S::threads>();
    wait_for_predecessor();
    census::read_extra(arguments.extra);
    stream::consume<S>(arguments, slice, ring, slots, planes, barriers);
  } else {
    __syncwarp();  // the barriers are initialised
    stream::ask_for_x<S>(arguments.x);
    __syncwarp();
    // The first copies need not wait until the consumers are there.
    hopper::arrive_named<stream::barriers_ready, S::threads>();
    // The whole warp sleeps: where one thread did, the others went on to the wait below and held it up there.
    __nanosleep(stream::x_ahead_ns);
    if (threadIdx.x == S::consumers) {
      stream::produce<S>(arguments, slice, ring, hopper::shared_address(slots), barriers);
    }
    wait_for_predecessor();
    census::read_extra(arguments.extra);
  }
#endif
}

}  // namespace kernels
