// SPDX-License-Identifier: MIT
// Kernels whose machine code the tests of the code digest look for; they are never launched. CODE_NAME(x)
// gives the names of this file's copy, CODE_STEP is in its data, CODE_ADDED in the code of its functions.
#pragma once

__constant__ float CODE_NAME(table)[2] = {CODE_STEP, 2 * CODE_STEP};

// Called through a pointer, so that they stay functions.
__device__ __noinline__ float CODE_NAME(step)(float x) {
  return x + CODE_ADDED;
}
__device__ __noinline__ float CODE_NAME(back)(float x) {
  return x - CODE_ADDED;
}
__device__ float (*CODE_NAME(steps)[2])(float) = {CODE_NAME(step), CODE_NAME(back)};

extern "C" {
__global__ void CODE_NAME(double)(float* x) {
  x[threadIdx.x] = 2 * x[threadIdx.x];
}
__global__ void CODE_NAME(triple)(float* x) {
  x[threadIdx.x] = 3 * x[threadIdx.x];
}
__global__ void CODE_NAME(constant)(float* x) {
  x[threadIdx.x] += CODE_NAME(table)[threadIdx.x % 2];
}
__global__ void CODE_NAME(call)(float* x, int which) {
  x[threadIdx.x] = CODE_NAME(steps)[which](x[threadIdx.x]);
}
}
