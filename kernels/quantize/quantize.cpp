// SPDX-License-Identifier: MIT
#include "quantize/quantize.hpp"

#include "cpu_arms.hpp"
#include "formats/q8_1.hpp"
#include <census/error.hpp>

#include <limits>

namespace kernels {

void check_shape(const std::string& id, const QuantizeShape& shape) {
  if (shape.rows <= 0) {
    throw census::UsageError(id + ": rows must be positive, not " + std::to_string(shape.rows));
  }
  if (shape.columns <= 0 || shape.columns % q8_1_columns != 0) {
    throw census::UsageError(id + ": columns must be a positive multiple of 32, the q8_1 block, not " +
                             std::to_string(shape.columns));
  }
}

std::vector<float> quantize_output(const std::vector<std::int8_t>& codes, const std::vector<float>& scales) {
  std::vector<float> output;
  output.reserve(codes.size() + scales.size());
  for (const std::int8_t code : codes) {
    output.push_back(code == q8_1_unwritten ? std::numeric_limits<float>::quiet_NaN()
                                            : static_cast<float>(code));
  }
  output.insert(output.end(), scales.begin(), scales.end());
  return output;
}

census::KernelCase quantize(census::Backend backend, const Row& row, const QuantizeShape& shape) {
  check_shape(row.id, shape);
  const std::int64_t elements = static_cast<std::int64_t>(shape.rows) * shape.columns;
  census::KernelCase result;
  result.id = row.id;
  result.backend = backend;
  result.op = "quantise to q8_1";
  result.shape = row.shape;
  result.source = row.source;
  result.other_bytes = {elements * 4 + elements + elements / q8_1_columns * 4};  // x, codes, scales
  result.flops = 3.0 * static_cast<double>(elements);                            // compare, divide, round
  result.resident = true;
  result.uses = row.uses;
  if (backend == census::Backend::cpu) {
    result.arms = cpu_arms();
    result.make = [id = row.id, shape](const census::InstanceRequest& request) {
      return make_quantize_cpu(id, shape, request);
    };
    return result;
  }
  result.arms = {{.name = "plain", .minimum_capability = 80, .needs = "sm_80 or newer"}};
#ifdef CENSUS_HAVE_CUDA
  result.make = [id = row.id, shape](const census::InstanceRequest& request) {
    return make_quantize_cuda(id, shape, request);
  };
#endif
  return result;
}

}  // namespace kernels
