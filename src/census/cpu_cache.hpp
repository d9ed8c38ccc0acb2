// SPDX-License-Identifier: MIT
// How much last-level cache the usable hardware threads of a CPU can fill: what a cold footprint must exceed.
#pragma once

#include <census/units.hpp>

#include <filesystem>
#include <optional>
#include <vector>

namespace census {

/// Sum over the distinct caches of the highest level that `cpus` reach, from a directory laid out like
/// /sys/devices/system/cpu. nullopt where it describes no data cache (many virtual machines).
[[nodiscard]] std::optional<Bytes> last_level_cache_in(const std::filesystem::path& sysfs_cpus,
                                                       const std::vector<int>& cpus);

/// What is known without sysfs: `reported` is the C library's figure for the largest cache (0 where it has
/// none), which some processors give for the whole package; `threads` hardware threads cannot fill more than
/// their own caches.
[[nodiscard]] Bytes bounded_cache(Bytes reported, int threads);

/// The last-level cache of this machine's `cpus`: sysfs, else the C library (which asks the processor),
/// bounded.
[[nodiscard]] Bytes last_level_cache(const std::vector<int>& cpus);

}  // namespace census
