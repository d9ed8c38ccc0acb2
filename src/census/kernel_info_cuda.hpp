// SPDX-License-Identifier: MIT
// Which kernels a captured graph really launches, read back from its nodes.
#pragma once

#include <census/result.hpp>

#include <cuda_runtime.h>

#include <vector>

namespace census {

/// Each different kernel launch of the graph once (name, shape and resources equal), in the order of its
/// nodes. Throws CudaError naming the query that failed.
[[nodiscard]] std::vector<LaunchedKernel> launched_kernels(cudaGraph_t graph);

}  // namespace census
