// SPDX-License-Identifier: MIT
#include <census/cuda.hpp>
#include <census/kernel_info_cuda.hpp>
#include <census/loaded_code.hpp>

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>

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

/// A kernel's launches in the graph: one of its nodes stands for all.
struct Launches {
  LaunchedKernel kernel;
  const void* function = nullptr;
  std::string name;  ///< mangled
  int count = 0;
  std::set<std::string> edges;  ///< kinds of the dependencies that lead to them
};

void add_attribute(LaunchedKernel& kernel, const std::string& text) {
  if (!text.empty()) kernel.attributes += (kernel.attributes.empty() ? "" : ", ") + text;
}

/// One attribute of the node where the device and the toolkit know it.
template <class Format>
void read_attribute(cudaGraphNode_t node, LaunchedKernel& kernel, cudaLaunchAttributeID id, Format format) {
  cudaLaunchAttributeValue value{};
  if (cudaGraphKernelNodeGetAttribute(node, id, &value) != cudaSuccess) {
    (void)cudaGetLastError();
    return;
  }
  add_attribute(kernel, format(value));
}

/// What is no address (two processes launch the same kernel on different buffers), where it is not the
/// default: a driver that does not know an attribute is no other launch.
void read_attributes(cudaGraphNode_t node, LaunchedKernel& kernel) {
  using Value = cudaLaunchAttributeValue;
  const auto number = [](const char* name, int value, int usual) {
    return value == usual ? std::string() : std::string(name) + " " + std::to_string(value);
  };
  read_attribute(node, kernel, cudaLaunchAttributeCooperative,
                 [&](const Value& value) { return number("cooperative", value.cooperative, 0); });
  read_attribute(node, kernel, cudaLaunchAttributePriority,
                 [&](const Value& value) { return number("priority", value.priority, 0); });
  read_attribute(node, kernel, cudaLaunchAttributeClusterSchedulingPolicyPreference, [&](const Value& value) {
    return number("cluster scheduling", static_cast<int>(value.clusterSchedulingPolicyPreference), 0);
  });
  read_attribute(node, kernel, cudaLaunchAttributePreferredClusterDimension, [&](const Value& value) {
    const auto& size = value.preferredClusterDim;
    if (size.x * size.y * size.z <= 1) return std::string();
    return "preferred cluster " + std::to_string(size.x) + "x" + std::to_string(size.y) + "x" +
           std::to_string(size.z);
  });
  read_attribute(node, kernel, cudaLaunchAttributePreferredSharedMemoryCarveout, [&](const Value& value) {
    return number("carveout", static_cast<int>(value.sharedMemCarveout), cudaSharedmemCarveoutDefault);
  });
  read_attribute(node, kernel, cudaLaunchAttributeMemSyncDomain, [&](const Value& value) {
    return number("domain", static_cast<int>(value.memSyncDomain), cudaLaunchMemSyncDomainDefault);
  });
  read_attribute(node, kernel, cudaLaunchAttributeAccessPolicyWindow, [&](const Value& value) {
    const cudaAccessPolicyWindow& window = value.accessPolicyWindow;
    if (window.num_bytes == 0) return std::string();
    return "window " + std::to_string(window.num_bytes) + " hit " + std::to_string(window.hitRatio) + " as " +
           std::to_string(static_cast<int>(window.hitProp)) + " else " +
           std::to_string(static_cast<int>(window.missProp));
  });
}

Launches describe(cudaGraphNode_t node) {
  cudaKernelNodeParams parameters{};
  check(cudaGraphKernelNodeGetParams(node, &parameters), "cudaGraphKernelNodeGetParams");
  Launches found;
  LaunchedKernel& kernel = found.kernel;
  const char* name = nullptr;
  check(cudaFuncGetName(&name, parameters.func), "cudaFuncGetName");
  found.name = name;
  found.function = parameters.func;
  kernel.name = demangle(name);
  copy_dimensions(parameters.gridDim, kernel.grid);
  copy_dimensions(parameters.blockDim, kernel.block);
  read_cluster(node, kernel);
  read_attributes(node, kernel);
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, parameters.func), "cudaFuncGetAttributes(" + kernel.name + ")");
  kernel.registers = attributes.numRegs;
  if (attributes.preferredShmemCarveout != cudaSharedmemCarveoutDefault)
    add_attribute(kernel, "function carveout " + std::to_string(attributes.preferredShmemCarveout));
  kernel.static_shared_bytes = static_cast<int>(attributes.sharedSizeBytes);
  kernel.dynamic_shared_bytes = static_cast<int>(parameters.sharedMemBytes);
  kernel.spill_bytes = static_cast<int>(attributes.localSizeBytes);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&kernel.blocks_per_sm, parameters.func,
                                                      kernel.block[0] * kernel.block[1] * kernel.block[2],
                                                      parameters.sharedMemBytes),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor(" + kernel.name + ")");
  return found;
}

bool same(const LaunchedKernel& a, const LaunchedKernel& b) {
  const auto dimensions_equal = [](const int(&x)[3], const int(&y)[3]) { return std::equal(x, x + 3, y); };
  return a.name == b.name && dimensions_equal(a.grid, b.grid) && dimensions_equal(a.block, b.block) &&
         dimensions_equal(a.cluster, b.cluster) && a.dynamic_shared_bytes == b.dynamic_shared_bytes &&
         a.attributes == b.attributes;
}

std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count), "cudaGraphGetNodes");
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(graph, nodes.data(), &count), "cudaGraphGetNodes");
  return nodes;
}

// CUDA 13 gave the call that knows the kinds of edges the plain name.
cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* kinds,
                      std::size_t* count) {
#if CUDART_VERSION >= 13000
  return cudaGraphGetEdges(graph, from, to, kinds, count);
#else
  return cudaGraphGetEdges_v2(graph, from, to, kinds, count);
#endif
}

/// For each node the kinds of its incoming edges: a programmatic dependency is no attribute of a captured
/// node.
std::map<cudaGraphNode_t, std::set<std::string>> edges_of(cudaGraph_t graph) {
  std::size_t count = 0;
  check(get_edges(graph, nullptr, nullptr, nullptr, &count), "cudaGraphGetEdges");
  std::vector<cudaGraphNode_t> from(count), to(count);
  std::vector<cudaGraphEdgeData> kinds(count);
  check(get_edges(graph, from.data(), to.data(), kinds.data(), &count), "cudaGraphGetEdges");
  std::map<cudaGraphNode_t, std::set<std::string>> edges;
  for (std::size_t i = 0; i < count; ++i) {
    edges[to[i]].insert(std::to_string(kinds[i].from_port) + "." + std::to_string(kinds[i].to_port) + "." +
                        std::to_string(kinds[i].type));
  }
  return edges;
}

/// What only the whole graph, or the executable, tells about the launches.
LaunchedKernel completed(Launches launches, int of) {
  LaunchedKernel kernel = std::move(launches.kernel);
  kernel.per_launch = static_cast<double>(launches.count) / std::max(1, of);
  for (const std::string& edge : launches.edges) add_attribute(kernel, "edge " + edge);
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, launches.function), "cudaFuncGetAttributes(" + kernel.name + ")");
  const KernelCode code = loaded_kernel_code(launches.name, attributes.binaryVersion);
  kernel.code_sha256 = code.sha256;
  kernel.code_reason = code.reason;
  return kernel;
}

}  // namespace

std::vector<LaunchedKernel> launched_kernels(cudaGraph_t graph, int launches) {
  std::vector<Launches> groups;
  auto edges = edges_of(graph);
  for (cudaGraphNode_t node : nodes_of(graph)) {
    cudaGraphNodeType type{};
    check(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
    if (type != cudaGraphNodeTypeKernel) continue;
    Launches found = describe(node);
    auto known = std::find_if(groups.begin(), groups.end(),
                              [&](const Launches& other) { return same(found.kernel, other.kernel); });
    if (known == groups.end()) known = groups.insert(groups.end(), std::move(found));
    ++known->count;
    known->edges.merge(edges[node]);
  }
  std::vector<LaunchedKernel> kernels;
  for (Launches& group : groups) kernels.push_back(completed(std::move(group), launches));
  return kernels;
}

}  // namespace census
