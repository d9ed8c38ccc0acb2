// SPDX-License-Identifier: MIT
// Compiled for a device linker, functions that kernels call keep sections of their own: what the tests of the
// code digest look for. Never launched.

__device__ __noinline__ float code_step(float x) {
  return x * x + 3;
}
__device__ __noinline__ float code_step_again(float x) {
  return x * x + 3;
}
__device__ __noinline__ float code_other_step(float x) {
  return x * x + 4;
}

extern "C" {
__global__ void linked(float* x) {
  x[threadIdx.x] = code_step(x[threadIdx.x]);
}
__global__ void linked_again(float* x) {
  x[threadIdx.x] = code_step_again(x[threadIdx.x]);
}
__global__ void linked_other(float* x) {
  x[threadIdx.x] = code_other_step(x[threadIdx.x]);
}
}
