// SPDX-License-Identifier: MIT
#include "launch_empty/launch_empty.hpp"

namespace kernels {

census::KernelCase launch_empty(census::Backend backend, const Row& row) {
  census::KernelCase result;
  result.id = row.id;
  result.backend = backend;
  result.op = "empty launch";
  result.shape = row.shape;
  result.source = row.source;
  result.other_bytes = {sizeof(float)};
  result.resident = true;
  result.uses = row.uses;
  if (backend == census::Backend::cpu) {
    result.arms = {{.name = "portable", .needs = "any CPU"}};
    result.make = make_launch_empty_cpu;
    return result;
  }
  result.arms = {{.name = "plain", .minimum_capability = 80, .needs = "sm_80 or newer"}};
#ifdef CENSUS_HAVE_CUDA
  result.make = make_launch_empty_cuda;
#endif
  return result;
}

}  // namespace kernels
