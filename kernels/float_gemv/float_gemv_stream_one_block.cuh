// SPDX-License-Identifier: MIT
// bf16 and f32 GEMV, arm "stream", the kernel with one block on each multiprocessor, which owns its slice of
// the rows: for slices so short that the slot ring holds all of one and two launches fit side by side, and
// for those so long that the change of blocks at a launch's end does not count.
//
// Producer, consumers and teams are those of the kernel with two blocks. Where the ring holds the slice, the
// time from x to the last sum is what a launch costs, so weights must not come before x: what the thread that
// copies does before and between its copies is time that x gains. A kernel without the bookkeeping that a
// whole slice does not need was 13 % slower (kernels/README.md).
#pragma once

#include "dependent_launch_cuda.cuh"
#include "float_gemv/float_gemv_cuda.cuh"
#include "float_gemv/float_gemv_stream.hpp"
#include "float_gemv/float_gemv_stream_sums.cuh"
#include "hopper.cuh"

#include <cstdint>

namespace kernels {
namespace stream {

// Where a block's rows lie.
template <class S>
struct OneBlockSlice {
  int first_row, rows;

  __device__ OneBlockSlice(int all_rows) {
    const long long blocks = gridDim.x;
    first_row = static_cast<int>(all_rows * static_cast<long long>(blockIdx.x) / blocks);
    rows = static_cast<int>(all_rows * (blockIdx.x + 1LL) / blocks) - first_row;
  }
  __device__ int slots() const { return (rows + S::slot_rows - 1) / S::slot_rows; }
};

// Run by one thread. Every slot of the slice in turn, as far as the ring has room.
template <class S>
__device__ __forceinline__ void produce(const FloatGemvArguments<typename S::Element>& arguments,
                                        const OneBlockSlice<S>& slice, const OneBlockRing& ring,
                                        std::uint32_t slots, const Barriers& barriers) {
  const std::uint64_t policy = weight_policy(arguments.weights_read_again);
  const long long offset = static_cast<long long>(slice.first_row) * S::piece_bytes;
  const char* from[S::column_blocks];
#pragma unroll
  for (int b = 0; b < S::column_blocks; ++b) {
    from[b] = reinterpret_cast<const char*>(arguments.weights[b]) + offset;
  }
  const int count = slice.slots();
  Turn turn, landed;
  for (int i = 0; i < count; ++i) {
    if (i >= ring.in_flight) {
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

// Run by all consumers: all of x to the planes that Fours::store() describes.
template <class S>
__device__ __forceinline__ void stage_all_x(float4* planes, const float* x) {
  constexpr int fours = S::depth / 4, each = (fours + S::consumers - 1) / S::consumers;
  float4 v[each];
#pragma unroll
  for (int j = 0; j < each; ++j) {
    const int i = j * S::consumers + static_cast<int>(threadIdx.x);
    if (i < fours) v[j] = hopper::load_fresh(reinterpret_cast<const float4*>(x) + i);
  }
#pragma unroll
  for (int j = 0; j < each; ++j) {
    const int i = j * S::consumers + static_cast<int>(threadIdx.x);
    if (i < fours) planes[i / 64 * 64 + i % 2 * 32 + i / 2 % 32] = v[j];
  }
  asm volatile("bar.sync 1, %0;" ::"n"(S::consumers) : "memory");
}

template <class S>
__device__ __forceinline__ void consume(const FloatGemvArguments<typename S::Element>& arguments,
                                        const OneBlockSlice<S>& slice, const OneBlockRing& ring,
                                        const char* slots, const float4* planes, const Barriers& barriers) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int team = warp / S::team_warps, member = warp % S::team_warps;
  const int swap = halves_swapped<typename S::Element>(lane);
  const float4 *x0 = planes + 32 * swap + lane, *x1 = planes + 32 * (swap ^ 1) + lane;
  float4 held[S::held_steps == 0 ? 1 : 2 * S::held_steps];
#pragma unroll
  for (int s = 0; s < S::held_steps; ++s) {
    held[2 * s] = x0[64 * s];
    held[2 * s + 1] = x1[64 * s];
  }
  const int count = slice.slots();
  std::uint32_t parity = 0;
  for (int round = 0; round < count; round += ring.slots, parity ^= 1U) {
    for (int slot = team; slot < ring.slots && round + slot < count; slot += S::teams) {
      hopper::wait(barriers.filled + 8 * slot, parity);
      const char* row = slots + slot * S::slot_bytes + member * (S::rows_per_warp * S::piece_bytes);
      float p[S::rows_per_warp][8] = {};
      accumulate_row<S>(p, row, held, x0, x1, lane, swap);
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

// grid: the multiprocessors, block S::threads, shared S::shared_bytes(slots). Reads
// rows * depth * sizeof(Element) bytes of weights once, and depth * 4 B of x per block.
template <class S, int blocks_per_sm>
__global__ void __launch_bounds__(S::threads, blocks_per_sm)
    float_gemv_one_block_kernel(const __grid_constant__ FloatGemvArguments<typename S::Element> arguments,
                                const OneBlockRing ring) {
  static_assert(S::held_steps == 0 || S::held_steps == S::steps,
                "x is staged all at once, and read likewise");
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) char slots[];
  auto* planes = reinterpret_cast<float4*>(slots + ring.slots * S::slot_bytes);
  const std::uint32_t filled = hopper::shared_address(planes) + S::x_bytes;
  const stream::Barriers barriers{filled, filled + 8 * ring.slots};
  const stream::OneBlockSlice<S> slice(arguments.rows);
  if (threadIdx.x == S::consumers) {
    allow_dependents();
    for (int i = 0; i < ring.slots; ++i) {
      hopper::init_barrier(barriers.filled + 8 * i, 1);
      hopper::init_barrier(barriers.drained + 8 * i, 32 * S::team_warps);
    }
    hopper::publish_barriers();
  }
  __syncthreads();

  if (threadIdx.x < S::consumers) {
    // x lies cold in memory when copies rotate; in a decode the predecessor has just written it.
    const int line = blockIdx.x + gridDim.x * threadIdx.x;
    if (line < S::x_bytes / 128) hopper::prefetch_l2(arguments.x + 32 * line);
    wait_for_predecessor();
    stream::stage_all_x<S>(planes, arguments.x);
    census::read_extra(arguments.extra);
    stream::consume<S>(arguments, slice, ring, slots, planes, barriers);
  } else {
    if (threadIdx.x == S::consumers) {
      stream::produce<S>(arguments, slice, ring, hopper::shared_address(slots), barriers);
    }
    wait_for_predecessor();
    census::read_extra(arguments.extra);
  }
#endif
}

}  // namespace kernels
