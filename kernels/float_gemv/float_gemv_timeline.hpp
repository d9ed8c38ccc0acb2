// SPDX-License-Identifier: MIT
// Where the time of a launch goes: when the blocks of a chain of launches passed their events, and the means
// of that. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace kernels::timeline {

/// What a block of the two-block ring passes, in this order.
enum class Event { started, may_read, x_staged, weights_there, stored };
inline constexpr int events = 5;

/// Nanoseconds of the device's global timer, by event; where several warps pass one, the last of them. 0: not
/// passed.
struct BlockTimes {
  std::array<std::uint64_t, events> ns = {};
};

/// Means over the blocks of a part and over the launches, in nanoseconds after the last sum of the
/// predecessor's last block.
struct Timeline {
  std::vector<std::array<double, events>> parts;  ///< the blocks of a multiprocessor, in the order they start
  double launch_ns = 0;                           ///< from one launch's last sum to the next one's
};

/// `times`: [launches, parts * slices], part by part, of one chain. The first launch has no predecessor and
/// serves as one. Throws std::invalid_argument for fewer than two launches, and where a block did not pass an
/// event.
[[nodiscard]] Timeline mean_timeline(std::span<const BlockTimes> times, int launches, int parts);

/// The mean of several, all of as many parts. Throws std::invalid_argument for none.
[[nodiscard]] Timeline mean_timeline(const std::vector<Timeline>& replays);

}  // namespace kernels::timeline
