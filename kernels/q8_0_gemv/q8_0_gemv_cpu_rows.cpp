// SPDX-License-Identifier: MIT
// Rows of y = W x with q8_0 weights on one CPU thread; built once per arm (CENSUS_CPU_ARM).
// The AVX2 build takes eight blocks at a time: their eight sums are one vector of the order contract's
// partials.
#include "q8_0_gemv/q8_0_gemv_cpu_rows.hpp"

#include "formats/q8_0.hpp"
#include "sums32_cpu.hpp"

namespace kernels::CENSUS_CPU_ARM {
namespace {

// sums[b mod 32] of block b. The dot product is exact in any order.
inline void add_block(float* sums, const Q8_0Block& block, const std::int8_t* codes, float scale,
                      std::int64_t b) {
  std::int32_t dot = 0;
  for (int j = 0; j < Q8_0Block::columns; ++j) dot += block.codes[j] * codes[j];
  add_term(sums, b, widen_f16(block.scale) * scale, dot);
}

#ifdef __AVX2__
// The dot products of eight consecutive blocks with their codes. |w| * (q with the sign of w) is w * q, and
// the sum of two such products, at most 2 * 128 * 127, fits 16 bits.
inline __m256i dots8(const Q8_0Block* blocks, const std::int8_t* codes) {
  __m256i sums[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    const __m256i w = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(blocks[i].codes));
    const __m256i q = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + 32 * i));
    const __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(w), _mm256_sign_epi8(q, w));
    sums[i] = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
  }
  const __m256i a =
      _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3]));
  const __m256i b =
      _mm256_hadd_epi32(_mm256_hadd_epi32(sums[4], sums[5]), _mm256_hadd_epi32(sums[6], sums[7]));
  return _mm256_add_epi32(_mm256_permute2x128_si256(a, b, 0x20), _mm256_permute2x128_si256(a, b, 0x31));
}

inline __m256 scales8(const Q8_0Block* blocks) {
  const auto half = [&](int i) { return static_cast<short>(blocks[i].scale); };
  return _mm256_cvtph_ps(
      _mm_setr_epi16(half(0), half(1), half(2), half(3), half(4), half(5), half(6), half(7)));
}

// Adds the first blocks, as many as make whole vectors, and returns how many.
inline std::int64_t add_vectors(float* sums, const Q8_0Block* row, const Q8_0GemvView& view,
                                std::int64_t blocks) {
  std::int64_t b = 0;
  for (; b + 8 <= blocks; b += 8) {
    prefetch_ahead(row + b + rows_ahead * blocks, 8 * sizeof(Q8_0Block));
    const __m256 dot = _mm256_cvtepi32_ps(dots8(row + b, view.codes + 32 * b));
    const __m256 scale = _mm256_mul_ps(scales8(row + b), _mm256_loadu_ps(view.scales + b));
    float* eight = sums + b % 32;
    _mm256_store_ps(eight, _mm256_fmadd_ps(scale, dot, _mm256_load_ps(eight)));
  }
  return b;
}
#else
inline std::int64_t add_vectors(float*, const Q8_0Block*, const Q8_0GemvView&, std::int64_t) {
  return 0;
}
#endif

}  // namespace

void q8_0_gemv_rows(const Q8_0GemvView& view, std::int64_t first_row, std::int64_t end_row) {
  const std::int64_t blocks = view.columns / Q8_0Block::columns;
  for (std::int64_t r = first_row; r < end_row; ++r) {
    const Q8_0Block* row = view.weights + r * blocks;
    alignas(32) float sums[32] = {};
    for (std::int64_t b = add_vectors(sums, row, view, blocks); b < blocks; ++b) {
      add_block(sums, row[b], view.codes + 32 * b, view.scales[b], b);
    }
    view.y[r] = halve32(sums);
  }
}

}  // namespace kernels::CENSUS_CPU_ARM
