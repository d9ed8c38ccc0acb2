// SPDX-License-Identifier: MIT
#include "q8_0_gemv/q8_0_gemv.hpp"

#include "cpu_arms.hpp"
#include "formats/q8_0.hpp"
#include <census/error.hpp>

namespace kernels {

void check_shape(const std::string& id, const Q8_0GemvShape& shape) {
  if (shape.rows <= 0) {
    throw census::UsageError(id + ": rows must be positive, not " + std::to_string(shape.rows));
  }
  if (shape.columns <= 0 || shape.columns % Q8_0Block::columns != 0) {
    throw census::UsageError(id + ": columns must be a positive multiple of 32, the q8_0 block, not " +
                             std::to_string(shape.columns));
  }
}

census::KernelCase q8_0_gemv(census::Backend backend, const Row& row, const Q8_0GemvShape& shape) {
  check_shape(row.id, shape);
  const std::int64_t rows = shape.rows, columns = shape.columns;
  census::KernelCase result;
  result.id = row.id;
  result.backend = backend;
  result.op = "q8_0 GEMV";
  result.shape = row.shape;
  result.source = row.source;
  result.cold_bytes = {rows * static_cast<std::int64_t>(q8_0_row_bytes(shape.columns))};
  result.other_bytes = {columns + (columns / 32 + rows) * static_cast<std::int64_t>(sizeof(float))};
  result.flops = 2.0 * static_cast<double>(rows * columns);
  result.uses = row.uses;
  if (backend == census::Backend::cpu) {
    result.arms = cpu_arms();
    result.make = [id = row.id, shape](const census::InstanceRequest& request) {
      return make_q8_0_gemv_cpu(id, shape, request);
    };
    return result;
  }
  result.arms = {{.name = "plain", .minimum_capability = 80, .needs = "sm_80 or newer"}};
#ifdef CENSUS_HAVE_CUDA
  result.make = [id = row.id, shape](const census::InstanceRequest& request) {
    return make_q8_0_gemv_cuda(id, shape, request);
  };
#endif
  return result;
}

}  // namespace kernels
