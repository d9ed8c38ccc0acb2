// SPDX-License-Identifier: MIT
#include "float_gemv/float_gemv.hpp"

#include "cpu_arms.hpp"
#include "float_gemv/float_gemv_stream.hpp"
#include "formats/bf16.hpp"
#include "formats/f32.hpp"

#include <stdexcept>

namespace kernels {
namespace {

// Partial sums of the order contract.
constexpr int chains = 256;

}  // namespace

void check_shape(const std::string& id, const FloatGemvShape& shape) {
  const auto refuse = [&](const std::string& what) { throw std::invalid_argument(id + ": " + what); };
  if (shape.rows <= 0) refuse("rows must be positive, not " + std::to_string(shape.rows));
  if (shape.column_blocks < 1 || shape.column_blocks > max_column_blocks) {
    refuse("column blocks must be 1 to 4, not " + std::to_string(shape.column_blocks));
  }
  const int multiple = shape.column_blocks == 1 ? 8 : chains;
  if (shape.columns <= 0 || shape.columns % multiple != 0) {
    refuse("columns must be a positive multiple of " + std::to_string(multiple) + ", not " +
           std::to_string(shape.columns));
  }
}

template <class Weight>
census::KernelCase float_gemv(census::Backend backend, const Row& row, const FloatGemvShape& shape) {
  check_shape(row.id, shape);
  const std::int64_t weights = static_cast<std::int64_t>(shape.rows) * depth(shape);
  census::KernelCase result;
  result.id = row.id;
  result.backend = backend;
  result.op = std::string(Weight::format) + " GEMV";
  result.shape = row.shape;
  result.source = row.source;
  result.cold_bytes = {weights * static_cast<std::int64_t>(sizeof(typename Weight::Element))};
  result.other_bytes = {(depth(shape) + shape.rows) * static_cast<std::int64_t>(sizeof(float))};
  result.flops = 2.0 * static_cast<double>(weights);
  result.uses = row.uses;
  if (backend == census::Backend::cpu) {
    result.arms = cpu_arms();
    result.make = [id = row.id, shape](const census::InstanceRequest& request) {
      return make_float_gemv_cpu<Weight>(id, shape, request);
    };
    return result;
  }
  if (has_stream_arm<typename Weight::Element>(shape)) {
    result.arms.push_back(
        {.name = "stream", .minimum_capability = 90, .maximum_capability = 99, .needs = "sm_90 (Hopper)"});
  }
  result.arms.push_back({.name = "plain", .minimum_capability = 80, .needs = "sm_80 or newer"});
#ifdef CENSUS_HAVE_CUDA
  result.make = [id = row.id, shape](const census::InstanceRequest& request) {
    return make_float_gemv_cuda<Weight>(id, shape, request);
  };
#endif
  return result;
}

template census::KernelCase float_gemv<Bf16Weight>(census::Backend, const Row&, const FloatGemvShape&);
template census::KernelCase float_gemv<F32Weight>(census::Backend, const Row&, const FloatGemvShape&);

}  // namespace kernels
