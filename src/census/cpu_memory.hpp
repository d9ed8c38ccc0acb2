// SPDX-License-Identifier: MIT
// How much memory this process can still have without being killed for it.
#pragma once

#include <census/units.hpp>

#include <filesystem>

namespace census {

/// The kernel's estimate (MemAvailable), or what the control group's limit leaves where that is less; 0 where
/// neither can be read. The arguments are for tests.
[[nodiscard]] Bytes available_memory(const std::filesystem::path& meminfo = "/proc/meminfo",
                                     const std::filesystem::path& cgroup = "/sys/fs/cgroup");

}  // namespace census
