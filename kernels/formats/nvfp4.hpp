// SPDX-License-Identifier: MIT
// NVFP4 weights: blocks of 64 E2M1 codes with four unsigned E4M3 scales, as GGUF stores them.
#pragma once

#include "formats/data.hpp"
#include "formats/f32.hpp"
#include "formats/words.hpp"

#include <cstddef>
#include <cstdint>

namespace kernels {

/// One block of 64 weights in four groups of 16. Byte j of a group's eight code bytes holds column j in its
/// low nibble and column j + 8 in its high nibble. 36 bytes, 4-byte aligned.
struct alignas(4) Nvfp4Block {
  static constexpr int columns = 64;
  static constexpr int group_columns = 16;
  std::uint8_t scales[columns / group_columns];
  std::uint8_t codes[columns / 2];
};
static_assert(sizeof(Nvfp4Block) == 36 && alignof(Nvfp4Block) == 4);

/// Bytes of a row of `columns` weights; `columns` is a multiple of 64.
[[nodiscard]] CENSUS_HOST_DEVICE constexpr std::size_t nvfp4_row_bytes(int columns) {
  return sizeof(Nvfp4Block) * static_cast<std::size_t>(columns / Nvfp4Block::columns);
}

/// Makes the block of u. Scale g: 1 + below(126, splitmix64(u + 5 + g)), any code of 0x01..0x7E. Code bytes
/// 8k + j: byte j, lowest first, of splitmix64(u + k + 1).
struct Nvfp4Weight {
  using Element = Nvfp4Block;
  [[nodiscard]] CENSUS_HOST_DEVICE Nvfp4Block operator()(std::uint64_t u) const {
    Nvfp4Block block;
    for (unsigned g = 0; g < 4; ++g) {
      block.scales[g] = static_cast<std::uint8_t>(1U + below(126, splitmix64(u + 5 + g)));
      const std::uint64_t codes = splitmix64(u + g + 1);
      for (unsigned j = 0; j < 8; ++j) block.codes[8 * g + j] = static_cast<std::uint8_t>(codes >> (8 * j));
    }
    return block;
  }
};

/// Makes the factor of a whole matrix from u: bits 40..62 the mantissa, exponent 120 + below(7, u), sign +.
struct Nvfp4TensorScale {
  using Element = float;
  [[nodiscard]] CENSUS_HOST_DEVICE float operator()(std::uint64_t u) const {
    return random_f32(u & ~(1ULL << 63), 120, 7);
  }
};

/// Whether a scale byte has a meaning here: 0x7F is E4M3's NaN, and scales carry no sign.
[[nodiscard]] constexpr bool is_nvfp4_scale(std::uint8_t scale) {
  return scale < 0x7F;
}

/// Half the value of an E4M3 scale: the other half is in the codes, which count halves. Exact. The byte moves
/// to the exponent and mantissa fields of an f32, and 2^(127 - 7 - 1) makes up for the biases and the half;
/// this turns E4M3 subnormals, which become f32 subnormals, into normals.
[[nodiscard]] CENSUS_HOST_DEVICE float nvfp4_half_scale(std::uint8_t scale) {
  return float_of(static_cast<std::uint32_t>(scale) << 20) * 0x1p119F;
}

/// Twice the value of an E2M1 code (its low four bits): -12..12. Bit 3 the sign, bits 1..2 the exponent, bit
/// 0 the mantissa.
[[nodiscard]] constexpr int nvfp4_doubled(unsigned code) {
  const unsigned exponent = code >> 1 & 3U;
  const unsigned mantissa = code & 1U;
  const int magnitude = static_cast<int>(exponent == 0 ? mantissa : (2U + mantissa) << (exponent - 1));
  return (code & 8U) != 0 ? -magnitude : magnitude;
}

/// Sixteen activation bytes in the order in which a group's code words name their columns, nibble by nibble
/// from the lowest: 0, 8, 1, 9 | 2, 10, 3, 11 | 4, 12, 5, 13 | 6, 14, 7, 15.
struct Nvfp4Activation {
  std::uint32_t words[4];
};

/// `natural`: the bytes of columns 0..15 in order, as four words.
[[nodiscard]] CENSUS_HOST_DEVICE Nvfp4Activation nvfp4_activation(const std::uint32_t (&natural)[4]) {
  return {{byte_permute(natural[0], natural[2], 0x5140), byte_permute(natural[0], natural[2], 0x7362),
           byte_permute(natural[1], natural[3], 0x5140), byte_permute(natural[1], natural[3], 0x7362)}};
}

/// The exact dot product of a group's doubled codes, eight to a word, with its activation bytes. A code is a
/// selector: the lookup gives its magnitude where bit 3 is clear, and where it is set the top bit of that
/// magnitude, which is 0. So one lookup finds the positive codes and, with bit 3 flipped, another the
/// negative ones.
[[nodiscard]] CENSUS_HOST_DEVICE std::int32_t nvfp4_dot(const std::uint32_t (&codes)[2],
                                                        const Nvfp4Activation& activation) {
  constexpr std::uint32_t low = 0x03020100;   // doubled magnitudes of codes 0..3, lowest byte first
  constexpr std::uint32_t high = 0x0C080604;  // and of codes 4..7
  std::int32_t positive = 0;
  std::int32_t negative = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int half = 0; half < 4; ++half) {
    const std::uint32_t selector = codes[half / 2] >> (16 * (half % 2));
    positive = dot4(byte_permute(low, high, selector), activation.words[half], positive);
    negative = dot4(byte_permute(low, high, selector ^ 0x88888888U), activation.words[half], negative);
  }
  return positive - negative;
}

}  // namespace kernels
