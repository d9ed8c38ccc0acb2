// SPDX-License-Identifier: MIT
#include "float_gemv/float_gemv_timeline.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace kernels::timeline {
namespace {

std::uint64_t at(const BlockTimes& block, Event event) {
  return block.ns[static_cast<std::size_t>(event)];
}

std::uint64_t last_sum(std::span<const BlockTimes> launch) {
  std::uint64_t last = 0;
  for (const BlockTimes& block : launch) last = std::max(last, at(block, Event::stored));
  return last;
}

void check_passed(std::span<const BlockTimes> times) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (const std::uint64_t ns : times[i].ns) {
      if (ns == 0)
        throw std::invalid_argument("block " + std::to_string(i) +
                                    " of the chain did not pass every event; marks are in the two-block ring "
                                    "only, and a short or a very long slice gets another kernel");
    }
  }
}

}  // namespace

Timeline mean_timeline(std::span<const BlockTimes> times, int launches, int parts) {
  if (launches < 2 || parts < 1 || times.size() % static_cast<std::size_t>(launches * parts) != 0)
    throw std::invalid_argument("a timeline needs two launches of whole parts");
  check_passed(times);
  const std::size_t blocks = times.size() / static_cast<std::size_t>(launches);
  const std::size_t slices = blocks / static_cast<std::size_t>(parts);
  Timeline mean;
  mean.parts.resize(static_cast<std::size_t>(parts));
  const double counted = static_cast<double>(slices) * (launches - 1);
  for (std::size_t launch = 1; launch < static_cast<std::size_t>(launches); ++launch) {
    const std::uint64_t before = last_sum(times.subspan((launch - 1) * blocks, blocks));
    for (std::size_t block = 0; block < blocks; ++block) {
      const BlockTimes& passed = times[launch * blocks + block];
      for (std::size_t event = 0; event < events; ++event) {
        // Signed: a block starts before its predecessor's last sum.
        const auto after = static_cast<std::int64_t>(passed.ns[event] - before);
        mean.parts[block / slices][event] += static_cast<double>(after) / counted;
      }
    }
  }
  const std::uint64_t first = last_sum(times.first(blocks)), last = last_sum(times.last(blocks));
  mean.launch_ns = static_cast<double>(last - first) / (launches - 1);
  return mean;
}

Timeline mean_timeline(const std::vector<Timeline>& replays) {
  if (replays.empty()) throw std::invalid_argument("the mean of no timeline");
  Timeline mean;
  mean.parts.resize(replays[0].parts.size());
  const auto count = static_cast<double>(replays.size());
  for (const Timeline& one : replays) {
    mean.launch_ns += one.launch_ns / count;
    for (std::size_t part = 0; part < mean.parts.size(); ++part) {
      for (std::size_t event = 0; event < events; ++event)
        mean.parts[part][event] += one.parts.at(part)[event] / count;
    }
  }
  return mean;
}

}  // namespace kernels::timeline
