// SPDX-License-Identifier: MIT
// Eight f32 lanes for the CPU kernels: AVX2 where the file is built with it, plain loops where not; the same
// bits from both. Everything is in the namespace of the arm, CENSUS_CPU_ARM, so that the two builds of a file
// share no symbol.
#pragma once

#include <cstdint>

#ifdef __AVX2__
#include <immintrin.h>
#else
#include "formats/bf16.hpp"

#include <cmath>
#endif

namespace kernels::CENSUS_CPU_ARM {

#ifdef __AVX2__

using Vector8 = __m256;

inline Vector8 zero8() {
  return _mm256_setzero_ps();
}
inline Vector8 load8(const float* p) {
  return _mm256_loadu_ps(p);
}
/// Eight bf16 widened: the bits move to the upper half of each lane.
inline Vector8 load8(const std::uint16_t* p) {
  const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
}
inline Vector8 add8(Vector8 a, Vector8 b) {
  return _mm256_add_ps(a, b);
}
/// a * b + c, rounded once.
inline Vector8 fma8(Vector8 a, Vector8 b, Vector8 c) {
  return _mm256_fmadd_ps(a, b, c);
}

/// Lane g is halve(p[g]): all eight reductions at once.
inline Vector8 halve_each(const Vector8 (&p)[8]) {
  __m256 fours[4];  // fours[j]: p[j][i] + p[j][i+4] in the low half, of p[j+4] in the high half
  for (int j = 0; j < 4; ++j) {
    fours[j] = _mm256_add_ps(_mm256_permute2f128_ps(p[j], p[j + 4], 0x20),
                             _mm256_permute2f128_ps(p[j], p[j + 4], 0x31));
  }
  // In each half: lanes 0 and 1 have i = 0 of two vectors, lanes 2 and 3 have i = 1, each already plus i + 2.
  const __m256 twos_01 =
      _mm256_add_ps(_mm256_unpacklo_ps(fours[0], fours[1]), _mm256_unpackhi_ps(fours[0], fours[1]));
  const __m256 twos_23 =
      _mm256_add_ps(_mm256_unpacklo_ps(fours[2], fours[3]), _mm256_unpackhi_ps(fours[2], fours[3]));
  const __m256d a = _mm256_castps_pd(twos_01), b = _mm256_castps_pd(twos_23);
  return _mm256_add_ps(_mm256_castpd_ps(_mm256_unpacklo_pd(a, b)),
                       _mm256_castpd_ps(_mm256_unpackhi_pd(a, b)));
}

inline float halve8(Vector8 p) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(p), _mm256_extractf128_ps(p, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

#else

struct Vector8 {
  float lane[8];
};

inline Vector8 zero8() {
  return {};
}
template <class Weight>
Vector8 load8(const Weight* p) {
  Vector8 v;
  for (int i = 0; i < 8; ++i) {
    if constexpr (sizeof(Weight) == sizeof(Bf16)) {
      v.lane[i] = widen(p[i]);
    } else {
      v.lane[i] = p[i];
    }
  }
  return v;
}
inline Vector8 add8(const Vector8& a, const Vector8& b) {
  Vector8 v;
  for (int i = 0; i < 8; ++i) v.lane[i] = a.lane[i] + b.lane[i];
  return v;
}
inline Vector8 fma8(const Vector8& a, const Vector8& b, const Vector8& c) {
  Vector8 v;
  for (int i = 0; i < 8; ++i) v.lane[i] = std::fma(a.lane[i], b.lane[i], c.lane[i]);
  return v;
}
inline float halve8(Vector8 p) {
  for (int d = 4; d >= 1; d /= 2) {
    for (int i = 0; i < d; ++i) p.lane[i] = p.lane[i] + p.lane[i + d];
  }
  return p.lane[0];
}
inline Vector8 halve_each(const Vector8 (&p)[8]) {
  Vector8 sums;
  for (int g = 0; g < 8; ++g) sums.lane[g] = halve8(p[g]);
  return sums;
}

#endif

}  // namespace kernels::CENSUS_CPU_ARM
