// SPDX-License-Identifier: MIT
// Marks in the two-block ring: when a block passes an event. float-gemv-timeline is compiled with
// CENSUS_MARKS and reads them; in the census a mark is nothing, and its machine code is the code without.
#pragma once

#include "float_gemv/float_gemv_timeline.hpp"

#include <cstdint>

namespace kernels::stream {

using timeline::Event;

#ifdef CENSUS_MARKS

/// Where marks go. A launch is known by its output: each of the chain has its own, one after the other.
struct MarkSheet {
  timeline::BlockTimes* times = nullptr;  ///< [launches, blocks]
  const float* y = nullptr;               ///< [launches, rows]
  int rows = 0;
};

// Constant, as a kernel's arguments are: read from memory it would hold up a block's first copy.
static __constant__ MarkSheet mark_sheet;

__device__ __forceinline__ void mark(Event event, const float* y) {
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)::"memory");
  const auto launch = static_cast<unsigned>(y - mark_sheet.y) / static_cast<unsigned>(mark_sheet.rows);
  auto& ns = mark_sheet.times[launch * gridDim.x + blockIdx.x].ns;
  // Not by operator[], which is the host's.
  auto* of_event = reinterpret_cast<unsigned long long*>(&ns) + static_cast<int>(event);
  atomicMax(of_event, now);
}

#else

__device__ __forceinline__ void mark(Event, const float*) {}

#endif

}  // namespace kernels::stream
