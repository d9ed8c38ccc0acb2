// SPDX-License-Identifier: MIT
#include <census/cuda.hpp>
#include <census/kernel_info_cuda.hpp>

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <tuple>

namespace census {
namespace {

std::string demangle(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 ? readable.get() : name;
}

void copy_dimensions(const dim3& from, int (&to)[3]) {
  to[0] = static_cast<int>(from.x);
  to[1] = static_cast<int>(from.y);
  to[2] = static_cast<int>(from.z);
}

void read_cluster(cudaGraphNode_t node, LaunchedKernel& kernel) {
  cudaKernelNodeAttrValue value{};
  const cudaError_t status =
      cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &value);
  if (status != cudaSuccess) {
    (void)cudaGetLastError();  // a device without clusters
    return;
  }
  // Zero means that none was asked for.
  kernel.cluster[0] = std::max(1, static_cast<int>(value.clusterDim.x));
  kernel.cluster[1] = std::max(1, static_cast<int>(value.clusterDim.y));
  kernel.cluster[2] = std::max(1, static_cast<int>(value.clusterDim.z));
}

LaunchedKernel describe(cudaGraphNode_t node) {
  cudaKernelNodeParams parameters{};
  check(cudaGraphKernelNodeGetParams(node, &parameters), "cudaGraphKernelNodeGetParams");
  LaunchedKernel kernel;
  const char* name = nullptr;
  check(cudaFuncGetName(&name, parameters.func), "cudaFuncGetName");
  kernel.name = demangle(name);
  copy_dimensions(parameters.gridDim, kernel.grid);
  copy_dimensions(parameters.blockDim, kernel.block);
  read_cluster(node, kernel);
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, parameters.func), "cudaFuncGetAttributes(" + kernel.name + ")");
  kernel.registers = attributes.numRegs;
  kernel.static_shared_bytes = static_cast<int>(attributes.sharedSizeBytes);
  kernel.dynamic_shared_bytes = static_cast<int>(parameters.sharedMemBytes);
  kernel.spill_bytes = static_cast<int>(attributes.localSizeBytes);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&kernel.blocks_per_sm, parameters.func,
                                                      kernel.block[0] * kernel.block[1] * kernel.block[2],
                                                      parameters.sharedMemBytes),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor(" + kernel.name + ")");
  return kernel;
}

bool same(const LaunchedKernel& a, const LaunchedKernel& b) {
  const auto dimensions_equal = [](const int(&x)[3], const int(&y)[3]) { return std::equal(x, x + 3, y); };
  return a.name == b.name && dimensions_equal(a.grid, b.grid) && dimensions_equal(a.block, b.block) &&
         dimensions_equal(a.cluster, b.cluster) && a.dynamic_shared_bytes == b.dynamic_shared_bytes;
}

}  // namespace

std::vector<LaunchedKernel> launched_kernels(cudaGraph_t graph) {
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count), "cudaGraphGetNodes");
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(graph, nodes.data(), &count), "cudaGraphGetNodes");
  std::vector<LaunchedKernel> kernels;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    check(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
    if (type != cudaGraphNodeTypeKernel) continue;
    const LaunchedKernel kernel = describe(node);
    const auto known = [&](const LaunchedKernel& other) { return same(kernel, other); };
    if (std::none_of(kernels.begin(), kernels.end(), known)) kernels.push_back(kernel);
  }
  return kernels;
}

}  // namespace census
