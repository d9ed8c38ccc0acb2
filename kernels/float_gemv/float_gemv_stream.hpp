// SPDX-License-Identifier: MIT
// For which matrices the float GEMV has the arm "stream", and how it shares a slice of one among blocks.
#pragma once

#include "float_gemv/float_gemv.hpp"
#include "formats/data.hpp"

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

/// Slices of the rows that differ by one row at most, the longer ones spread evenly, told without a division:
/// that would delay a block's first copy.
struct SliceBounds {
  int rows = 0;                 ///< of the shorter slices
  std::uint32_t longer_in = 0;  ///< longer slices in 2^32 of them, rounded up

  /// First row of slice `i`, and the end of the slice before it. 0 <= i <= the number of slices.
  [[nodiscard]] CENSUS_HOST_DEVICE constexpr int first_row(int i) const {
    const std::uint64_t longer_before = static_cast<std::uint64_t>(longer_in) * static_cast<unsigned>(i);
    return i * rows + static_cast<int>(longer_before >> 32);
  }
};

/// `slices` of them over `all_rows`. Exact for fewer than 2^16 slices: what `longer_in` is rounded up by
/// stays below 1 / slices.
[[nodiscard]] constexpr SliceBounds slice_bounds(int all_rows, int slices) {
  const std::uint64_t longer = static_cast<std::uint64_t>(all_rows % slices) << 32;
  const auto count = static_cast<std::uint64_t>(slices);
  return {all_rows / slices, static_cast<std::uint32_t>((longer + count - 1) / count)};
}

/// How a multiprocessor brings its slice of the rows, in slots of a few rows, through the rings of its
/// blocks. The blocks of a launch come in as many parts as a multiprocessor has blocks; those of the first
/// part start first, and have most of their ring when the others start.
struct StreamRing {
  SliceBounds bounds = {};
  int slots = 0;             ///< of a block
  int first_part_slots = 0;  ///< of the slice, the first part's; 0: there is one part
  int at_start[2] = {};      ///< slots that may be under way at once in the ring's first turn, by part
  int in_flight = 0;         ///< and later
};

/// The same with one block on each multiprocessor.
struct OneBlockRing {
  int slots = 0;
  int in_flight = 0;  ///< slots that may be under way from memory at once
};

/// All of a slice, asked for at once.
[[nodiscard]] constexpr OneBlockRing whole_slice(int slice_slots) {
  return {slice_slots, slice_slots};
}

/// Slices of more slots are long runs: the change of blocks at the end of a launch, 1.1 us, is less than 2 %
/// of it, and one ring for two teams of warps reads 0.3 to 0.6 % faster than two rings do.
inline constexpr int long_run_slots = 64;

/// The ring of a long run. x and the last sums queue behind weights already asked for: with two thirds of the
/// ring under way the head is 1 % faster than with all of it, or with a third.
[[nodiscard]] constexpr OneBlockRing long_run_ring(int slots) {
  return {slots, std::max(2, 2 * slots / 3)};
}

/// Parts of fewer slots are short: one slot more or less is a quarter of them.
inline constexpr int long_part_slots = 5;

/// Two blocks on a multiprocessor, `slots` fit into each one's shared memory: when one ends, a block of the
/// next launch takes its place and fills its ring while the other still sums. One slot of a ring is being
/// summed, the others are under way. But x queues behind weights already asked for, so where a part is short
/// the second asks for one slot until its ring has gone round once, and where the rings hold the whole slice
/// the first does too. A long slice is split one slot past its half: the first part has a start on the
/// second. The figures are in kernels/README.md.
[[nodiscard]] constexpr StreamRing two_part_ring(int slots, int slice_slots) {
  const bool is_long = slice_slots >= 2 * long_part_slots;
  const int first = std::max(1, (slice_slots + (is_long ? 2 : 1)) / 2);
  const int ring = std::min(slots, first), in_flight = std::max(1, ring - 1);
  return {.slots = ring,
          .first_part_slots = first,
          .at_start = {slice_slots > 2 * slots ? in_flight : 1, is_long ? in_flight : 1},
          .in_flight = in_flight};
}

}  // namespace kernels
