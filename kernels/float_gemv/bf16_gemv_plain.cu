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

namespace kernels {
namespace {

constexpr int warp_size = 32;
constexpr int warps = 8;          // per block: rows that share one staged x
constexpr int blocks_per_sm = 4;  // bounds a thread to 64 registers; 32 warps have up to 128 KB in flight
constexpr int ring = 8;           // loads in flight per lane
constexpr int chunk_columns = 8;  // columns of a 16-byte load
constexpr std::size_t most_shared_bytes = 48 << 10;  // dynamic shared memory that needs no opt-in

__device__ __forceinline__ uint4 load_streaming(const uint4* address) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(address));
  return v;
}

// Where a warp stands in its sequence of loads. A row has `steps` of 32 chunks, the steps of a column block
// all in one buffer.
template <bool blocked>
struct Reader {
  const FloatGemvArguments<Bf16>& arguments;
  int lane;

  __device__ int chunks() const { return arguments.columns / chunk_columns; }  // of a block
  __device__ int steps_per_block() const { return (chunks() + warp_size - 1) / warp_size; }
  __device__ int steps() const {
    return blocked ? steps_per_block() * arguments.column_blocks : steps_per_block();
  }

  // Only the last step of an unblocked row can be partly empty.
  __device__ bool holds(int step) const {
    return step * warp_size + lane < chunks() * (blocked ? arguments.column_blocks : 1);
  }

  __device__ void load(uint4& slot, int row, int step) const {
    if (row >= arguments.rows || !holds(step)) return;
    int block = 0;
    if constexpr (blocked) {
      block = step / steps_per_block();
      step -= block * steps_per_block();
    }
    const auto* weights = reinterpret_cast<const uint4*>(arguments.weights[block]);
    slot = load_streaming(weights + static_cast<long long>(row) * chunks() + step * warp_size + lane);
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

// grid: any, block 256; shared: x, two planes of chunks float4. Reads rows * columns * column_blocks * 2 B of
// weights. Until x is staged a block touches nothing but weights, so that it may start before its predecessor
// has ended.
template <bool blocked>
__global__ void __launch_bounds__(warps* warp_size, blocks_per_sm)
    bf16_gemv_plain_kernel(const __grid_constant__ FloatGemvArguments<Bf16> arguments) {
  extern __shared__ float4 planes[];
  const int lane = threadIdx.x % warp_size;
  const Reader<blocked> reader{arguments, lane};
  const int steps = reader.steps();
  const int chunks = reader.chunks() * (blocked ? arguments.column_blocks : 1);
  const int row_stride = gridDim.x * warps;
  int row = blockIdx.x * warps + threadIdx.x / warp_size;
  uint4 slots[ring];
#pragma unroll
  for (int i = 0; i < ring; ++i) reader.load(slots[i], row, i);
  stage_x(planes, arguments.x, chunks);
  census::read_extra(arguments.extra);
  __syncthreads();

  for (; row < arguments.rows; row += row_stride) {
    float p[8] = {};
    for (int first = 0; first < steps; first += ring) {
      const bool last = first + ring >= steps;
      const int next_row = last ? row + row_stride : row;
      const int next_first = last ? 0 : first + ring;
#pragma unroll
      for (int i = 0; i < ring; ++i) {
        const int chunk = (first + i) * warp_size + lane;
        if (chunk < chunks) accumulate(p, slots[i], planes[chunk], planes[chunks + chunk]);
        reader.load(slots[i], next_row, next_first + i);
      }
    }
    const float sum = reduce(p);
    if (lane == 0) arguments.y[row] = sum;
  }
}

template <bool blocked>
FloatGemvLaunch<Bf16> plan(const FloatGemvShape& shape) {
  const char* name = "bf16_gemv_plain_kernel";
  constexpr int block = warps * warp_size;
  const std::size_t shared_bytes = static_cast<std::size_t>(depth(shape)) * sizeof(float);
  if (shared_bytes > most_shared_bytes) {
    throw std::invalid_argument(std::string(name) + ": x of " + std::to_string(depth(shape)) +
                                " columns exceeds 48 KiB of shared memory");
  }
  const int resident = resident_blocks(name, bf16_gemv_plain_kernel<blocked>, block, shared_bytes);
  const LaunchShape launch{std::min((shape.rows + warps - 1) / warps, resident), block, shared_bytes};
  return [=](const FloatGemvArguments<Bf16>& arguments, census::Stream stream) {
    launch_kernel(name, bf16_gemv_plain_kernel<blocked>, launch, stream, arguments);
  };
}

}  // namespace

FloatGemvLaunch<Bf16> plan_bf16_gemv_plain(const FloatGemvShape& shape) {
  return shape.column_blocks == 1 ? plan<false>(shape) : plan<true>(shape);
}

}  // namespace kernels
