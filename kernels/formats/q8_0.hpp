// SPDX-License-Identifier: MIT
// q8_0 weights: blocks of 32 signed bytes with one fp16 scale, as GGUF stores them.
#pragma once

#include "formats/data.hpp"
#include "formats/words.hpp"

#include <cstddef>
#include <cstdint>

namespace kernels {

/// One block: the weight of column j is scale * codes[j]. 34 bytes, 2-byte aligned.
struct Q8_0Block {
  static constexpr int columns = 32;
  std::uint16_t scale;  ///< fp16 as its bits
  std::int8_t codes[columns];
};
static_assert(sizeof(Q8_0Block) == 34 && alignof(Q8_0Block) == 2);

/// Bytes of a row of `columns` weights; `columns` is a multiple of 32.
[[nodiscard]] CENSUS_HOST_DEVICE constexpr std::size_t q8_0_row_bytes(int columns) {
  return sizeof(Q8_0Block) * static_cast<std::size_t>(columns / Q8_0Block::columns);
}

/// Makes the block of u. Scale: bits 54..63 the mantissa, exponent 8 + below(7, u), sign +, so 2^-7 <= scale
/// < 1. Code 8k + j: byte j, lowest first, of splitmix64(u + k + 1), any of its 256 values.
struct Q8_0Weight {
  using Element = Q8_0Block;
  [[nodiscard]] CENSUS_HOST_DEVICE Q8_0Block operator()(std::uint64_t u) const {
    Q8_0Block block;
    block.scale = static_cast<std::uint16_t>((8U + below(7, u)) << 10 | static_cast<std::uint32_t>(u >> 54));
    for (unsigned k = 0; k < 4; ++k) {
      const std::uint64_t codes = splitmix64(u + k + 1);
      for (unsigned j = 0; j < 8; ++j) block.codes[8 * k + j] = static_cast<std::int8_t>(codes >> (8 * j));
    }
    return block;
  }
};

/// The f32 of the same value; exact for every finite fp16. The exponent field moves to its place and the
/// difference of the biases, 127 - 15, is multiplied in, which also turns fp16 subnormals into f32 normals.
[[nodiscard]] CENSUS_HOST_DEVICE float widen_f16(std::uint16_t bits) {
  const auto wide = static_cast<std::uint32_t>(bits);
  return float_of((wide & 0x8000U) << 16 | (wide & 0x7FFFU) << 13) * 0x1p112F;
}

/// A block as a GPU lane reads it: the nine aligned words that contain it.
struct Q8_0Words {
  std::uint32_t words[9];

  /// `second_half`: the block starts in the upper half of words[0], as every odd block of a row does.
  [[nodiscard]] CENSUS_HOST_DEVICE float scale(bool second_half) const {
    return widen_f16(static_cast<std::uint16_t>(second_half ? words[0] >> 16 : words[0]));
  }

  /// The exact dot product of the codes with the 32 signed bytes of `activation`.
  [[nodiscard]] CENSUS_HOST_DEVICE std::int32_t dot(bool second_half,
                                                    const std::uint32_t (&activation)[8]) const {
    const std::uint32_t selector = second_half ? 0x7654U : 0x5432U;
    std::int32_t sum = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int k = 0; k < 8; ++k) {
      sum = dot4(byte_permute(words[k], words[k + 1], selector), activation[k], sum);
    }
    return sum;
  }
};

}  // namespace kernels
