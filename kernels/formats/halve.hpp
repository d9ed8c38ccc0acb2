// SPDX-License-Identifier: MIT
// The reduction of the order contract, as the references write it.
#pragma once

#include <cstddef>
#include <span>

namespace kernels {

/// halve(p, n): for d = n/2, ..., 1: p[i] += p[i + d] for i < d; returns p[0]. n = p.size() is a power of
/// two. Overwrites p. Addition commutes, so a butterfly of xor-shuffles gives the same bits.
[[nodiscard]] inline float halve(std::span<float> p) {
  for (std::size_t d = p.size() / 2; d >= 1; d /= 2) {
    for (std::size_t i = 0; i < d; ++i) p[i] = p[i] + p[i + d];
  }
  return p[0];
}

}  // namespace kernels
