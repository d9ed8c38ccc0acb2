// SPDX-License-Identifier: MIT
// Rows of one NVFP4 matrix times x on one CPU thread; built once per arm (CENSUS_CPU_ARM).
// The AVX2 build takes two blocks at a time: their eight groups are one vector of the order contract's
// partials.
#include "nvfp4_experts/nvfp4_experts_cpu_rows.hpp"

#include "formats/nvfp4.hpp"
#include "sums32_cpu.hpp"

namespace kernels::CENSUS_CPU_ARM {
namespace {

constexpr std::int64_t groups_of_block = Nvfp4Block::columns / Nvfp4Block::group_columns;

// sums[b mod 32] of the four groups b of block k. The dot products are exact in any order.
inline void add_block(float* sums, const Nvfp4Block& block, const Nvfp4View& view, std::int64_t k) {
  for (int g = 0; g < groups_of_block; ++g) {
    const std::int64_t b = k * groups_of_block + g;
    const std::int8_t* q = view.codes + b * Nvfp4Block::group_columns;
    std::int32_t dot = 0;
    for (int j = 0; j < 8; ++j) {
      const unsigned pair = block.codes[8 * g + j];
      dot += nvfp4_doubled(pair & 0xFU) * q[j] + nvfp4_doubled(pair >> 4) * q[j + 8];
    }
    add_term(sums, b, nvfp4_half_scale(block.scales[g]) * view.scales[b / 2], dot);
  }
}

#ifdef __AVX2__
// Products of 32 doubled codes (|w| <= 12) with activation codes, pairs of neighbours added: at most 3048.
inline __m256i products(__m256i doubled, __m256i q) {
  return _mm256_maddubs_epi16(_mm256_abs_epi8(doubled), _mm256_sign_epi8(q, doubled));
}

// Half sums of a block's four groups: 0 0 2 2 | 1 1 3 3.
inline __m256i half_sums(const Nvfp4Block& block, const std::int8_t* q) {
  const __m256i doubled = _mm256_setr_epi8(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12,  //
                                           0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12);
  const __m256i nibble = _mm256_set1_epi8(0xF);
  // Groups in the order 0 2 | 1 3, in which unpacking puts the activation's halves.
  const __m256i codes =
      _mm256_permute4x64_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(block.codes)), 0xD8);
  const __m256i q01 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(q));
  const __m256i q23 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(q + 32));
  const __m256i low = _mm256_shuffle_epi8(doubled, _mm256_and_si256(codes, nibble));
  const __m256i high = _mm256_shuffle_epi8(doubled, _mm256_and_si256(_mm256_srli_epi16(codes, 4), nibble));
  const __m256i pairs = _mm256_add_epi16(products(low, _mm256_unpacklo_epi64(q01, q23)),
                                         products(high, _mm256_unpackhi_epi64(q01, q23)));
  return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

// Half the scales of two blocks' eight groups, by the arithmetic of nvfp4_half_scale.
inline __m256 half_scales8(const Nvfp4Block* blocks) {
  std::int32_t four[2];
  __builtin_memcpy(&four[0], blocks[0].scales, 4);
  __builtin_memcpy(&four[1], blocks[1].scales, 4);
  const __m256i bytes = _mm256_cvtepu8_epi32(_mm_setr_epi32(four[0], four[1], 0, 0));
  return _mm256_mul_ps(_mm256_castsi256_ps(_mm256_slli_epi32(bytes, 20)), _mm256_set1_ps(0x1p119F));
}

// Adds the first blocks, as many as make whole vectors, and returns how many.
inline std::int64_t add_vectors(float* sums, const Nvfp4Block* row, const Nvfp4View& view,
                                std::int64_t blocks) {
  const __m256i each_twice = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
  const __m256i in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  std::int64_t k = 0;
  for (; k + 2 <= blocks; k += 2) {
    prefetch_ahead(row + k + rows_ahead * blocks, 2 * sizeof(Nvfp4Block));
    const std::int8_t* q = view.codes + k * Nvfp4Block::columns;
    const __m256i dots =
        _mm256_hadd_epi32(half_sums(row[k], q), half_sums(row[k + 1], q + Nvfp4Block::columns));
    const __m256 dot = _mm256_cvtepi32_ps(_mm256_permutevar8x32_epi32(dots, in_order));
    const __m256 four_scales = _mm256_castps128_ps256(_mm_loadu_ps(view.scales + 2 * k));
    const __m256 scale =
        _mm256_mul_ps(half_scales8(row + k), _mm256_permutevar8x32_ps(four_scales, each_twice));
    float* eight = sums + k * groups_of_block % 32;
    _mm256_store_ps(eight, _mm256_fmadd_ps(scale, dot, _mm256_load_ps(eight)));
  }
  return k;
}
#else
inline std::int64_t add_vectors(float*, const Nvfp4Block*, const Nvfp4View&, std::int64_t) {
  return 0;
}
#endif

}  // namespace

void nvfp4_rows(const Nvfp4View& view, std::int64_t first_row, std::int64_t end_row) {
  const std::int64_t blocks = view.columns / Nvfp4Block::columns;
  for (std::int64_t r = first_row; r < end_row; ++r) {
    const Nvfp4Block* row = view.weights + r * blocks;
    alignas(32) float sums[32] = {};
    for (std::int64_t k = add_vectors(sums, row, view, blocks); k < blocks; ++k)
      add_block(sums, row[k], view, k);
    view.y[r] = halve32(sums) * view.tensor_scale;
  }
}

}  // namespace kernels::CENSUS_CPU_ARM
