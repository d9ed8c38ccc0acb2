// SPDX-License-Identifier: MIT
// Fills device memory by the data contract, on the device: a gibibyte takes milliseconds.
#pragma once

#include "formats/data.hpp"
#include <census/cuda.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace kernels {

// data: [count]. grid any, block 256; one element per thread and step.
template <class Make>
__global__ void fill_kernel(Make make, typename Make::Element* data, std::size_t count, std::uint64_t seed) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    data[i] = make(element_bits(seed, i));
  }
}

/// data[i] = make(u(i)) for i < count, queued on the default stream; the caller synchronises.
template <class Make>
void fill_on_device(Make make, typename Make::Element* data, std::size_t count, std::uint64_t seed) {
  constexpr std::size_t block = 256;
  constexpr std::size_t most_blocks =
      4096;  // several waves on the largest devices, few enough that blocks are not the cost
  const std::size_t blocks = std::min((count + block - 1) / block, most_blocks);
  fill_kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(block)>>>(make, data, count, seed);
  census::check(cudaGetLastError(), "launch fill_kernel");
}

}  // namespace kernels
