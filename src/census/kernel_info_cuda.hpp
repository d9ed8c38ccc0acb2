// SPDX-License-Identifier: MIT
// Which kernels a captured graph really launches, read back from its nodes.
#pragma once

#include <census/result.hpp>

#include <cuda_runtime.h>

#include <vector>

namespace census {

/// Each different kernel launch of the graph once (name, shape, resources and attributes equal), in the order
/// of its nodes, with the digest of its code. The graph is of `launches` launches of a row. Throws CudaError
/// naming the query that failed.
[[nodiscard]] std::vector<LaunchedKernel> launched_kernels(cudaGraph_t graph, int launches);

}  // namespace census
