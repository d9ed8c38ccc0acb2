// SPDX-License-Identifier: MIT
// bf16 GEMV, arm "plain": one warp per row with 16-byte streaming loads, on sm_80 and newer.
//
// Lane g of a warp owns the group p[8g..8g+7] of the order contract: a step of 256 columns is one 16-byte
// load per lane. A ring of eight loads per lane runs ahead of the arithmetic across rows, so a warp always
// has 4 KB of weights in flight. The grid is what the device holds at once: x is staged once per block, and a
// warp takes every (grid * 8)th row.
#include "float_gemv/float_gemv_cuda.cuh"
#include "formats/bf16.hpp"
#include "launch_cuda.cuh"

#include <algorithm>
#include <stdexcept>

namespace kernels {
namespace {

constexpr int warp_size = 32;
constexpr int warps = 8;          // per block: rows that share one staged x
constexpr int blocks_per_sm = 4;  // bounds a thread to 64 registers; 32 warps have up to 128 KB in flight
constexpr int ring = 8;           // loads in flight per lane
constexpr int chunk_columns = 8;  // columns of a 16-byte load
constexpr std::size_t most_shared_bytes = 48 << 10;  // dynamic shared memory that needs no opt-in

// Loads when `wanted`, and keeps the slot when not: predicated by hand, so that no branch breaks the sequence
// of loads.
__device__ __forceinline__ void load_streaming(uint4& slot, const uint4* address, bool wanted) {
  asm volatile(
      "{\n"
      "  .reg .pred wanted;\n"
      "  setp.ne.s32 wanted, %5, 0;\n"
      "  @wanted ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];\n"
      "}"
      : "+r"(slot.x), "+r"(slot.y), "+r"(slot.z), "+r"(slot.w)
      : "l"(address), "r"(static_cast<int>(wanted)));
}

// What the ring holds at a time: up to eight steps of one column block of one row. Positions count chunks.
struct Batch {
  int row;
  int block;
  int first;  // chunk in the block

  // The batch that the same warp works on next.
  __device__ Batch next(const FloatGemvArguments<Bf16>& arguments, int chunks) const {
    if (first + ring * warp_size < chunks) return {row, block, first + ring * warp_size};
    if (block + 1 < arguments.column_blocks) return {row, block + 1, 0};
    return {row + static_cast<int>(gridDim.x) * warps, 0, 0};
  }
};

// A lane's part of a batch: its first chunk, and how many chunks lie from there to the end of the block. Step
// i is the lane's if its 32 * i-th chunk from there is still in the block.
struct LaneLoads {
  const uint4* address;
  int left;

  __device__ LaneLoads(const FloatGemvArguments<Bf16>& arguments, const Batch& batch, int chunks, int lane) {
    const auto* weights = reinterpret_cast<const uint4*>(arguments.weights[batch.block]);
    address = weights + static_cast<long long>(batch.row) * chunks + batch.first + lane;
    asm volatile("" : "+l"(address));  // once per batch: without it the sum is made again for every load
    left = batch.row < arguments.rows ? chunks - batch.first - lane : 0;
  }
  __device__ bool holds(int step) const { return step * warp_size < left; }
  __device__ void load(uint4& slot, int step) const {
    load_streaming(slot, address + step * warp_size, holds(step));
  }
};

// x goes to two planes, the first and the second four columns of each chunk, so that neither of a lane's two
// 16-byte loads conflicts with its neighbours'. x is the previous kernel's output: never through the
// read-only cache.
__device__ __forceinline__ void stage_x(float4* planes, const float* x, int chunks) {
  const auto* fours = reinterpret_cast<const float4*>(x);
  for (int i = threadIdx.x; i < 2 * chunks; i += blockDim.x)
    planes[(i & 1) * chunks + (i >> 1)] = __ldcg(fours + i);
}

__device__ __forceinline__ float low(unsigned pair) {
  return __uint_as_float(pair << 16);
}
__device__ __forceinline__ float high(unsigned pair) {
  return __uint_as_float(pair & 0xFFFF0000U);
}

__device__ __forceinline__ void accumulate(float (&p)[8], const uint4& w, const float4& x0,
                                           const float4& x1) {
  p[0] = __fmaf_rn(low(w.x), x0.x, p[0]);
  p[1] = __fmaf_rn(high(w.x), x0.y, p[1]);
  p[2] = __fmaf_rn(low(w.y), x0.z, p[2]);
  p[3] = __fmaf_rn(high(w.y), x0.w, p[3]);
  p[4] = __fmaf_rn(low(w.z), x1.x, p[4]);
  p[5] = __fmaf_rn(high(w.z), x1.y, p[5]);
  p[6] = __fmaf_rn(low(w.w), x1.z, p[6]);
  p[7] = __fmaf_rn(high(w.w), x1.w, p[7]);
}

// halve over the eight partials of each lane, then over the 32 lanes: the same bits in every lane.
__device__ __forceinline__ float reduce(float (&p)[8]) {
#pragma unroll
  for (int d = 4; d >= 1; d /= 2) {
#pragma unroll
    for (int i = 0; i < d; ++i) p[i] = __fadd_rn(p[i], p[i + d]);
  }
  float sum = p[0];
#pragma unroll
  for (int d = warp_size / 2; d >= 1; d /= 2) sum = __fadd_rn(sum, __shfl_xor_sync(~0U, sum, d));
  return sum;
}

// Adds the batch in the ring to p, and refills each slot with the next batch's load as soon as it is read.
// `whole`: every lane has all eight steps.
template <bool whole>
__device__ __forceinline__ void consume(float (&p)[8], uint4 (&slots)[ring], const float4* x0,
                                        const float4* x1, int left, const LaneLoads& next) {
#pragma unroll
  for (int i = 0; i < ring; ++i) {
    if (whole || i * warp_size < left) accumulate(p, slots[i], x0[i * warp_size], x1[i * warp_size]);
    next.load(slots[i], i);
  }
}

// grid: any, block 256; shared: x, two planes of chunks float4. Reads rows * columns * column_blocks * 2 B of
// weights. Until x is staged a block touches nothing but weights, so that it may start before its predecessor
// has ended.
__global__ void __launch_bounds__(warps* warp_size, blocks_per_sm)
    bf16_gemv_plain_kernel(const __grid_constant__ FloatGemvArguments<Bf16> arguments) {
  extern __shared__ float4 planes[];
  const int lane = threadIdx.x % warp_size;
  const int chunks = arguments.columns / chunk_columns;  // of a column block
  const int plane = chunks * arguments.column_blocks;
  Batch batch{static_cast<int>(blockIdx.x * warps + threadIdx.x / warp_size), 0, 0};
  const LaneLoads first(arguments, batch, chunks, lane);
  int left = first.left;
  uint4 slots[ring] = {};
#pragma unroll
  for (int i = 0; i < ring; ++i) first.load(slots[i], i);
  stage_x(planes, arguments.x, plane);
  census::read_extra(arguments.extra);
  __syncthreads();

  float p[8] = {};
  while (batch.row < arguments.rows) {
    const Batch next_batch = batch.next(arguments, chunks);
    const LaneLoads next(arguments, next_batch, chunks, lane);
    const float4* x = planes + batch.block * chunks + batch.first + lane;
    if (batch.first + ring * warp_size <= chunks) {
      consume<true>(p, slots, x, x + plane, left, next);
    } else {
      consume<false>(p, slots, x, x + plane, left, next);
    }
    if (next_batch.row != batch.row) {
      const float sum = reduce(p);
      if (lane == 0) arguments.y[batch.row] = sum;
#pragma unroll
      for (float& partial : p) partial = 0.0F;
    }
    batch = next_batch;
    left = next.left;
  }
}

}  // namespace

FloatGemvLaunch<Bf16> plan_bf16_gemv_plain(const FloatGemvShape& shape) {
  const char* name = "bf16_gemv_plain_kernel";
  constexpr int block = warps * warp_size;
  const std::size_t shared_bytes = static_cast<std::size_t>(depth(shape)) * sizeof(float);
  if (shared_bytes > most_shared_bytes) {
    throw std::invalid_argument(std::string(name) + ": x of " + std::to_string(depth(shape)) +
                                " columns exceeds 48 KiB of shared memory");
  }
  const int resident = resident_blocks(name, bf16_gemv_plain_kernel, block, shared_bytes);
  const LaunchShape launch{std::min((shape.rows + warps - 1) / warps, resident), block, shared_bytes};
  return {[=](const FloatGemvArguments<Bf16>& arguments, census::Stream stream) {
    launch_kernel(name, bf16_gemv_plain_kernel, launch, stream, arguments);
  }};
}

}  // namespace kernels
