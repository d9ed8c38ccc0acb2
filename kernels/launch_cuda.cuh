// SPDX-License-Identifier: MIT
// The one place that launches a kernel of the census, so that all launches share their attributes and their
// error text.
#pragma once

#include <census/cuda.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace kernels {

/// Grid and block of a one-dimensional launch.
struct LaunchShape {
  int grid = 1;
  int block = 256;
  std::size_t shared_bytes = 0;  ///< dynamic shared memory of a block
  bool dependent = false;        ///< may start before its predecessor ends; the kernel waits for it by itself
};

/// Whether the current device has programmatic dependent launch: from compute capability 9.0 on.
[[nodiscard]] inline bool has_dependent_launch() {
  int device = 0, major = 0;
  census::check(cudaGetDevice(&device), "get the current device");
  census::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
                "read the compute capability");
  return major >= 9;
}

/// Lets `kernel` use the shared memory of `shape`, which may be more than the 48 KiB that need no asking.
template <class Kernel>
void allow_shared_memory(const char* name, Kernel kernel, const LaunchShape& shape) {
  census::check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(shape.shared_bytes)),
      std::string(name) + ": ask for " + std::to_string(shape.shared_bytes) + " bytes of shared memory");
}

/// Queues `kernel` on `stream`. Throws CudaError naming the kernel.
template <class... Parameters, class... Arguments>
void launch_kernel(const char* name, void (*kernel)(Parameters...), const LaunchShape& shape,
                   census::Stream stream, Arguments&&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(shape.grid));
  config.blockDim = dim3(static_cast<unsigned>(shape.block));
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  cudaLaunchAttribute dependent{};
  dependent.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  dependent.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &dependent;
  config.numAttrs = shape.dependent ? 1 : 0;
  census::check(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...),
                std::string("launch ") + name);
}

/// Blocks of `kernel` that the current device holds at once. Throws CudaError, also when not even one fits on
/// a multiprocessor.
template <class Kernel>
int resident_blocks(const char* name, Kernel kernel, int block, std::size_t shared_bytes) {
  int device = 0, multiprocessors = 0, per_multiprocessor = 0;
  census::check(cudaGetDevice(&device), "get the current device");
  census::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
                "count multiprocessors");
  census::check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, block, shared_bytes),
      std::string("occupancy of ") + name);
  if (per_multiprocessor == 0) {
    throw census::CudaError(std::string(name) + ": a block with " + std::to_string(shared_bytes) +
                            " bytes of shared memory does not fit on this device");
  }
  return multiprocessors * per_multiprocessor;
}

}  // namespace kernels
