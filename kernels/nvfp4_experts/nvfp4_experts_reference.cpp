// SPDX-License-Identifier: MIT
// The order contract for NVFP4 weights as scalar code: nothing shared with the kernels but the formats.
#include "formats/halve.hpp"
#include "formats/q8_1.hpp"
#include "nvfp4_experts/nvfp4_experts.hpp"

#include <array>
#include <cmath>

namespace kernels {
namespace {

constexpr std::size_t group_columns = Nvfp4Block::group_columns;
constexpr std::size_t groups_of_block = Nvfp4Block::columns / group_columns;

// The exact dot product of group `group` of a block, twice its codes, with sixteen activation codes.
int doubled_dot(const Nvfp4Block& block, std::size_t group, const std::int8_t* codes) {
  int dot = 0;
  for (std::size_t j = 0; j < 8; ++j) {
    const unsigned pair = block.codes[8 * group + j];
    dot += nvfp4_doubled(pair & 0xFU) * codes[j] + nvfp4_doubled(pair >> 4) * codes[j + 8];
  }
  return dot;
}

// halve(p, 32) of row `row` of the matrix made from `seed`, with `x` starting at block 0 of this matrix's
// activation.
float row_sum(std::uint64_t seed, std::size_t row, std::size_t blocks, const std::int8_t* codes,
              const float* scales) {
  std::array<float, 32> p{};
  for (std::size_t k = 0; k < blocks; ++k) {
    const Nvfp4Block block = Nvfp4Weight{}(element_bits(seed, row * blocks + k));
    for (std::size_t group = 0; group < groups_of_block; ++group) {
      const std::size_t b = k * groups_of_block + group;
      const float s = nvfp4_half_scale(block.scales[group]) * scales[b / 2];
      p[b % 32] =
          std::fma(s, static_cast<float>(doubled_dot(block, group, codes + group_columns * b)), p[b % 32]);
    }
  }
  return halve(p);
}

}  // namespace

std::vector<float> nvfp4_experts_reference(const std::string& id, const Nvfp4ExpertsShape& shape, int copy,
                                           std::uint64_t user_seed) {
  const int bank = copy / lists_of_bank;
  const std::vector<int> experts = expert_list(id, copy, user_seed);
  const std::vector<float> factors = tensor_scales(id, shape.matrices, bank, user_seed);
  const Q8_1Activation x = random_q8_1(buffer_seed(id, "x", copy, user_seed),
                                       shape.x_per_expert ? chosen_experts * shape.columns : shape.columns);
  const auto columns = static_cast<std::size_t>(shape.columns), rows = static_cast<std::size_t>(shape.rows);
  std::vector<float> y;
  for (std::size_t slot = 0; slot < chosen_experts; ++slot) {
    const std::size_t first = shape.x_per_expert ? slot * columns : 0;
    for (int matrix = 0; matrix < shape.matrices; ++matrix) {
      const std::uint64_t seed = expert_seed(id, matrix, experts[slot], bank, user_seed);
      const float factor = factors[static_cast<std::size_t>(matrix * bank_experts + experts[slot])];
      const std::size_t start = y.size();
      y.resize(start + rows);
#pragma omp parallel for
      for (std::size_t r = 0; r < rows; ++r) {
        y[start + r] = row_sum(seed, r, columns / Nvfp4Block::columns, x.codes.data() + first,
                               x.scales.data() + first / q8_1_columns) *
                       factor;
      }
    }
  }
  return y;
}

}  // namespace kernels
