// SPDX-License-Identifier: MIT
// For which matrices the float GEMV has the arm "stream", and how much of its ring it asks for at once.
#pragma once

#include "float_gemv/float_gemv.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace kernels {

/// The kernel is compiled for one depth at a time, so that x can stay in registers: another depth is one more
/// line here. Depths are multiples of 256, per column block too.
struct StreamForm {
  int depth = 0;
  int column_blocks = 1;
};

/// By element of W: std::uint16_t for bf16, float.
template <class Element>
inline constexpr std::array<StreamForm, 0> stream_forms{};
template <>
inline constexpr std::array stream_forms<std::uint16_t>{
    StreamForm{1280, 1}, StreamForm{4096, 1}, StreamForm{4096, 4}, StreamForm{5632, 1}, StreamForm{6144, 4}};
template <>
inline constexpr std::array stream_forms<float>{StreamForm{4096, 1}};

[[nodiscard]] constexpr bool matches(const StreamForm& form, const FloatGemvShape& shape) {
  return form.depth == shape.columns * shape.column_blocks && form.column_blocks == shape.column_blocks;
}

template <class Element>
[[nodiscard]] constexpr bool has_stream_arm(const FloatGemvShape& shape) {
  for (const StreamForm& form : stream_forms<Element>) {
    if (matches(form, shape)) return true;
  }
  return false;
}

/// Slots that a ring has under way from memory at once, where a block's slice of the rows fills
/// `slice_slots`. x and the last sums queue behind weights already asked for, so a slice that is soon over
/// asks for a third of the ring, a long one for two thirds, and both for two slots at least: fewer leave
/// memory idle. A slice between one and a half rings and two was best with everything under way in 13 of 16
/// kernels tried; why is not known. The figures are in kernels/README.md.
[[nodiscard]] constexpr int stream_slots_in_flight(int slots, int slice_slots) {
  if (2 * slice_slots > 3 * slots && slice_slots < 2 * slots) return slots;
  const int thirds = slice_slots < 2 * slots ? 1 : 2;
  return std::min(slots, std::max(2, thirds * slots / 3));
}

}  // namespace kernels
