// SPDX-License-Identifier: MIT
// Fills host memory by the data contract, on all threads.
#pragma once

#include "formats/data.hpp"

#include <cstddef>

namespace kernels {

/// data[i] = make(u(i)) for i < count, where `make` is an element maker of the formats, such as Bf16Weight.
/// Threads take contiguous parts, so that on first touch each page lies near the thread that reads it in a
/// row loop.
template <class Make>
void fill(Make make, typename Make::Element* data, std::size_t count, std::uint64_t seed) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) data[i] = make(element_bits(seed, i));
}

}  // namespace kernels
