// SPDX-License-Identifier: MIT
// The read-only kernels behind ceiling and floors, and the SM clock kernel. Plain loads everywhere, bulk
// copies on sm_90 to sm_103.
#pragma once

#include <census/device.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace census {

/// How a probe kernel reads its bytes.
struct ReadStrategy {
  bool bulk =
      false;  ///< cp.async.bulk into a ring in shared memory, no consumer; else 16-byte loads to registers
  bool programmatic =
      false;  ///< programmatic dependent launch: the next launch may start its reads before this one ends
  int blocks_per_sm = 1;
  int threads = 256;   ///< of a block
  int stages = 0;      ///< bulk: length of the ring in pieces of 16 KiB
  bool dealt = false;  ///< bulk: pieces dealt to the blocks in turn instead of one contiguous slice each
};

/// "bulk copies, 12 stages" or "plain loads, 2 x 256 threads per SM": for the record.
[[nodiscard]] std::string describe(const ReadStrategy& strategy);

/// What is worth trying on this device for long reads, and for reads the size of one row. The best is chosen
/// by timing.
[[nodiscard]] std::vector<ReadStrategy> ceiling_strategies(const Device& device);
[[nodiscard]] std::vector<ReadStrategy> floor_strategies(const Device& device);

/// What a launch of the dependent floor does besides reading: when its predecessor has ended, every block
/// loads all of x, and the blocks together store one value per output. Null x: an independent read.
struct DependentWork {
  const uint4* x = nullptr;
  int x_chunks = 0;  ///< of 16 bytes
  float* y = nullptr;
  int outputs = 0;
};

/// Launches a read of `bytes` (whole 16-byte chunks of them) at `data`, aligned to 16 bytes. `sink` is device
/// memory for one word, which no launch is expected to write: it keeps the loads alive. Throws CudaError.
void launch_read(cudaStream_t stream, const Device& device, const ReadStrategy& strategy, const void* data,
                 std::int64_t bytes, const DependentWork& work, unsigned* sink);

/// Fills `bytes` (a multiple of 8) at `data` with random bits: data that compresses would read faster than
/// weights.
void launch_random_fill(cudaStream_t stream, void* data, std::int64_t bytes);

/// Spins for 50 us on one SM and writes {SM clock ticks, nanoseconds} of that time to `result`.
void launch_clock(cudaStream_t stream, long long* result);

/// cudaSuccess when this build has machine code for the current device; else what cudaFuncGetAttributes says.
/// Makes the context.
[[nodiscard]] cudaError_t probe_kernel_status();

}  // namespace census
