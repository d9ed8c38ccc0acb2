// SPDX-License-Identifier: MIT
// bf16 and f32 GEMV, arm "stream", the kernel with two blocks on each multiprocessor: Hopper's bulk copies
// bring whole rows into a ring in shared memory.
//
// A multiprocessor owns a contiguous slice of the rows, which its blocks share. A block's last warp produces:
// one thread keeps the ring's slots filled, a slot being the next rows of the block's part, and starts at
// once, before the predecessor of the chain has ended: weights are constants. The other warps wait for the
// predecessor, stage x, and consume a slot when its bytes have come.
//
// Slots go round the teams of warps; the warps of a team share its slot, rows_per_warp rows each. A slot
// always belongs to the same team, else a team that runs ahead would take the phase before for its own.
#pragma once

#include "dependent_launch_cuda.cuh"
#include "float_gemv/float_gemv_cuda.cuh"
#include "float_gemv/float_gemv_stream.hpp"
#include "float_gemv/float_gemv_stream_marks.cuh"
#include "float_gemv/float_gemv_stream_sums.cuh"
#include "hopper.cuh"

#include <cstdint>

namespace kernels {
namespace stream {

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

// x lies cold in memory when copies rotate; in a decode the predecessor has just written it. It is needed
// first and queues behind what is asked for first, so it gets a start on the weights: against none,
// o_proj_full, qkvg_full and dense_down take 0.4 to 2.4 % less, shared_gate_up 2 % more (kernels/README.md).
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
  const std::uint64_t policy = weight_policy(arguments.weights_read_again);
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
__device__ __forceinline__ void consume(const FloatGemvArguments<typename S::Element>& arguments,
                                        const Slice<S>& slice, const StreamRing& ring, const char* slots,
                                        float4* planes, const Barriers& barriers) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int team = warp / S::team_warps, member = warp % S::team_warps;
  const int swap = halves_swapped<typename S::Element>(lane);
  const float4 *x0 = planes + 32 * swap + lane, *x1 = planes + 32 * (swap ^ 1) + lane;
  float4 held[S::held_steps == 0 ? 1 : 2 * S::held_steps];
  stage_x<S>(held, planes, arguments.x, x0, x1);
  if (lane == 0) mark(Event::x_staged, arguments.y);
  const int count = slice.slots();
  std::uint32_t parity = 0;
  for (int round = 0; round < count; round += ring.slots, parity ^= 1U) {
    for (int slot = team; slot < ring.slots && round + slot < count; slot += S::teams) {
      hopper::wait(barriers.filled + 8 * slot, parity);
      if (lane == 0 && round + slot == count - 1) mark(Event::weights_there, arguments.y);
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
  if (lane == 0) mark(Event::stored, arguments.y);
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
    stream::mark(stream::Event::started, arguments.y);
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
    if (threadIdx.x == 0) stream::mark(stream::Event::may_read, arguments.y);
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
