// SPDX-License-Identifier: MIT
// The data contract: where the random bits of every input element come from, the same on host and device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Marks what both host and device code call. Always inlined, because some host files are built once for each
// instruction set, and a shared out-of-line copy could be the one that an old CPU cannot run.
#ifdef __CUDACC__
#define CENSUS_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define CENSUS_HOST_DEVICE inline __attribute__((always_inline))
#endif

namespace kernels {

/// The output function of the SplitMix64 generator: a bijection that mixes every bit of `state` into every
/// bit of the result. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014),
/// with Stafford's mix 13 constants.
[[nodiscard]] CENSUS_HOST_DEVICE constexpr std::uint64_t splitmix64(std::uint64_t state) {
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9ULL;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EBULL;
  return state ^ (state >> 31);
}

/// u(i), the 64 bits that element i of a buffer is made from: the (i+1)th output of SplitMix64 started at
/// `seed`. An element uses its own u(i) only, so that any part of a buffer can be made alone and in any
/// order.
[[nodiscard]] CENSUS_HOST_DEVICE constexpr std::uint64_t element_bits(std::uint64_t seed, std::uint64_t i) {
  return splitmix64(seed + 0x9E3779B97F4A7C15ULL * (i + 1));
}

/// An integer in [0, count) from the low 32 bits of `u`: floor(low * count / 2^32).
[[nodiscard]] CENSUS_HOST_DEVICE constexpr std::uint32_t below(std::uint32_t count, std::uint64_t u) {
  return static_cast<std::uint32_t>(((u & 0xFFFFFFFFULL) * count) >> 32);
}

/// FNV-1a, 64 bits.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

/// The seed of one buffer of one copy: FNV-1a of "<row id>/<buffer>/<copy>/<user seed>".
[[nodiscard]] inline std::uint64_t buffer_seed(std::string_view row_id, std::string_view buffer, int copy,
                                               std::uint64_t user_seed) {
  std::string text{row_id};
  text.append("/").append(buffer).append("/").append(std::to_string(copy)).append("/");
  return fnv1a(text.append(std::to_string(user_seed)));
}

}  // namespace kernels
