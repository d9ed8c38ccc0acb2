// SPDX-License-Identifier: MIT
// f32 GEMV, arm "plain": one block per row, thread c owning the partial p[c] of the order contract, on sm_80
// and newer.
//
// Made for the few long rows of a router: 288 rows of 16 KB are too few warps for one warp per row, and with
// 256 threads per row a thread has its 16 weights in flight at once. Each x value is used once per block, so
// x is not staged.
#include "float_gemv/float_gemv_cuda.cuh"
#include "launch_cuda.cuh"

namespace kernels {
namespace {

constexpr int warp_size = 32;
constexpr int chains = 256;         // partials of the order contract: the threads of a block
constexpr int groups = chains / 8;  // first-level sums
constexpr int batch = 16;           // loads in flight per thread: the whole row at 4096 columns

__device__ __forceinline__ float load_streaming(const float* address) {
  float v;
  asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(v) : "l"(address));
  return v;
}

// halve over the `count` lanes of each aligned part of a warp: the same bits in each of them.
template <int count>
__device__ __forceinline__ float halve_lanes(float sum) {
#pragma unroll
  for (int d = count / 2; d >= 1; d /= 2) sum = __fadd_rn(sum, __shfl_xor_sync(~0U, sum, d));
  return sum;
}

// Fused multiply-adds of columns thread, thread + 256, ... of one buffer's row. x is the previous kernel's
// output: never through the read-only cache.
__device__ __forceinline__ float accumulate(float p, const float* weights, const float* x, int columns) {
  for (int first = threadIdx.x; first < columns; first += chains * batch) {
    float w[batch];
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      if (first + i * chains < columns) w[i] = load_streaming(weights + first + i * chains);
    }
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      if (first + i * chains < columns) p = __fmaf_rn(w[i], __ldcg(x + first + i * chains), p);
    }
  }
  return p;
}

// grid [rows], block 256; one row per block. Reads rows * columns * column_blocks * 4 B of weights.
__global__ void __launch_bounds__(chains)
    f32_gemv_plain_kernel(const __grid_constant__ FloatGemvArguments<float> arguments) {
  __shared__ float sums[groups];
  const long long row = blockIdx.x;
  float p = 0.0F;
  for (int b = 0; b < arguments.column_blocks; ++b) {
    p = accumulate(p, arguments.weights[b] + row * arguments.columns, arguments.x + b * arguments.columns,
                   arguments.columns);
  }
  p = halve_lanes<8>(p);
  if (threadIdx.x % 8 == 0) sums[threadIdx.x / 8] = p;
  census::read_extra(arguments.extra);
  __syncthreads();
  if (threadIdx.x >= warp_size) return;
  const float y = halve_lanes<groups>(sums[threadIdx.x]);
  if (threadIdx.x == 0) arguments.y[row] = y;
}

}  // namespace

FloatGemvLaunch<float> plan_f32_gemv_plain(const FloatGemvShape& shape) {
  return {[launch = LaunchShape{shape.rows, chains}](const FloatGemvArguments<float>& arguments,
                                                     census::Stream stream) {
    launch_kernel("f32_gemv_plain_kernel", f32_gemv_plain_kernel, launch, stream, arguments);
  }};
}

}  // namespace kernels
