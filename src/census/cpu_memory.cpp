// SPDX-License-Identifier: MIT
#include <census/cpu_memory.hpp>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace census {
namespace {

/// The number that a file holds; nullopt for "max" and for no file.
std::optional<std::int64_t> number_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::int64_t value = 0;
  return stream >> value ? std::optional(value) : std::nullopt;
}

std::int64_t estimate_of(const std::filesystem::path& meminfo) {
  std::ifstream stream(meminfo);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("MemAvailable:")) continue;
    return std::stoll(line.substr(line.find(':') + 1)) * 1024;  // the kernel's "kB" are KiB
  }
  return 0;
}

}  // namespace

Bytes available_memory(const std::filesystem::path& meminfo, const std::filesystem::path& cgroup) {
  const std::int64_t estimate = estimate_of(meminfo);
  const auto limit = number_in(cgroup / "memory.max");
  const auto used = number_in(cgroup / "memory.current");
  if (!limit || !used) return {estimate};
  return {std::clamp<std::int64_t>(*limit - *used, 0, estimate)};
}

}  // namespace census
