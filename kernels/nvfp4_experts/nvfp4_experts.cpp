// SPDX-License-Identifier: MIT
#include "nvfp4_experts/nvfp4_experts.hpp"

#include "cpu_arms.hpp"
#include <census/error.hpp>

#include <array>
#include <numeric>
#include <utility>

namespace kernels {

void check_shape(const std::string& id, const Nvfp4ExpertsShape& shape) {
  const auto refuse = [&](const std::string& what, int value) {
    throw census::UsageError(id + ": " + what + ", not " + std::to_string(value));
  };
  if (shape.matrices < 1 || shape.matrices > 2) refuse("an expert has 1 or 2 matrices", shape.matrices);
  if (shape.rows <= 0) refuse("rows must be positive", shape.rows);
  if (shape.columns <= 0 || shape.columns % Nvfp4Block::columns != 0) {
    refuse("columns must be a positive multiple of 64, the NVFP4 block", shape.columns);
  }
}

void check_experts(const std::string& id, std::span<const int> experts) {
  if (experts.size() != chosen_experts) {
    throw census::UsageError(id + ": the list must choose 8 experts, not " + std::to_string(experts.size()));
  }
  std::array<bool, bank_experts> seen{};
  for (const int expert : experts) {
    if (expert < 0 || expert >= bank_experts) {
      throw census::UsageError(id + ": the list chooses expert " + std::to_string(expert) +
                               ", but the bank holds 0 to 287");
    }
    if (std::exchange(seen[static_cast<std::size_t>(expert)], true)) {
      throw census::UsageError(id + ": the list chooses expert " + std::to_string(expert) + " twice");
    }
  }
}

void check_scales(const std::string& id, std::span<const Nvfp4Block> blocks) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const std::uint8_t scale : blocks[b].scales) {
      if (is_nvfp4_scale(scale)) continue;
      throw census::UsageError(
          id + ": scale byte " + std::to_string(scale) + " of block " + std::to_string(b) +
          " does not occur in NVFP4: 127 is not a number, and 128 and above carry a sign");
    }
  }
}

std::vector<int> expert_list(const std::string& id, int copy, std::uint64_t user_seed) {
  const std::uint64_t seed = buffer_seed(id, "experts", copy / lists_of_bank, user_seed);
  std::vector<int> permutation(bank_experts);
  std::iota(permutation.begin(), permutation.end(), 0);
  for (std::uint32_t i = bank_experts - 1; i >= 1; --i) {
    std::swap(permutation[i], permutation[below(i + 1, element_bits(seed, i))]);
  }
  const auto first = permutation.begin() + copy % lists_of_bank * chosen_experts;
  return {first, first + chosen_experts};
}

std::uint64_t expert_seed(const std::string& id, int matrix, int expert, int bank, std::uint64_t user_seed) {
  return buffer_seed(id, "w" + std::to_string(matrix) + "." + std::to_string(expert), bank, user_seed);
}

std::vector<float> tensor_scales(const std::string& id, int matrices, int bank, std::uint64_t user_seed) {
  const std::uint64_t seed = buffer_seed(id, "tensor_scale", bank, user_seed);
  std::vector<float> scales(static_cast<std::size_t>(matrices) * bank_experts);
  for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = Nvfp4TensorScale{}(element_bits(seed, i));
  return scales;
}

census::KernelCase nvfp4_experts(census::Backend backend, const Row& row, const Nvfp4ExpertsShape& shape) {
  check_shape(row.id, shape);
  const std::int64_t rows = static_cast<std::int64_t>(chosen_experts) * shape.matrices * shape.rows;
  const std::int64_t x_columns =
      static_cast<std::int64_t>(shape.x_per_expert ? chosen_experts : 1) * shape.columns;
  const std::int64_t words =
      x_columns / 32 + rows + chosen_experts * (shape.matrices + 1);  // scales, y, list, tensor scales
  census::KernelCase result;
  result.id = row.id;
  result.backend = backend;
  result.op = "NVFP4 expert GEMV";
  result.shape = row.shape;
  result.source = row.source;
  result.cold_bytes = {rows * static_cast<std::int64_t>(nvfp4_row_bytes(shape.columns))};
  result.other_bytes = {x_columns + words * static_cast<std::int64_t>(sizeof(float))};
  result.flops = 2.0 * static_cast<double>(rows * shape.columns);
  result.uses = row.uses;
  if (backend == census::Backend::cpu) {
    result.arms = cpu_arms();
    result.make = [id = row.id, shape](const census::InstanceRequest& request) {
      return make_nvfp4_experts_cpu(id, shape, request);
    };
    return result;
  }
  result.arms = {{.name = "plain", .minimum_capability = 80, .needs = "sm_80 or newer"}};
#ifdef CENSUS_HAVE_CUDA
  result.make = [id = row.id, shape](const census::InstanceRequest& request) {
    return make_nvfp4_experts_cuda(id, shape, request);
  };
#endif
  return result;
}

}  // namespace kernels
