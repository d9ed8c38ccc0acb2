// SPDX-License-Identifier: MIT
// For which matrices the float GEMV has the arm "stream".
#pragma once

#include "float_gemv/float_gemv.hpp"

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

}  // namespace kernels
