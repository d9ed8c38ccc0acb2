// SPDX-License-Identifier: MIT
#include <census/cpu_cache.hpp>

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>

namespace census {
namespace {

/// Used where nothing is reported: the last-level cache of a common server core complex.
constexpr Bytes assumed_cache{32LL << 20};
/// The largest last-level cache that one core can fill today: a core complex with stacked cache.
constexpr Bytes largest_cache_of_a_core{96LL << 20};

struct Cache {
  int level = 0;
  Bytes size;
  std::string shared_by;  ///< the list of threads on it: tells two caches apart
};

std::string first_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// "32768K" -> bytes; 0 when it is not of that form.
Bytes parse_size(const std::string& text) {
  std::int64_t value = 0;
  std::size_t i = 0;
  for (; i < text.size() && i < 12 && text[i] >= '0' && text[i] <= '9'; ++i)
    value = value * 10 + (text[i] - '0');
  const std::string unit = text.substr(i);
  const int shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
  return {value << shift};
}

/// The highest data cache of one hardware thread; level 0 when none is described.
Cache highest_cache(const std::filesystem::path& cpu) {
  Cache best;
  for (int index = 0;; ++index) {
    const auto directory = cpu / "cache" / ("index" + std::to_string(index));
    const std::string level = first_line(directory / "level");
    if (level.empty()) return best;
    if (first_line(directory / "type") == "Instruction") continue;
    Cache cache{.level = level[0] - '0',
                .size = parse_size(first_line(directory / "size")),
                .shared_by = first_line(directory / "shared_cpu_list")};
    if (cache.level > best.level && cache.size.value > 0) best = std::move(cache);
  }
}

}  // namespace

std::optional<Bytes> last_level_cache_in(const std::filesystem::path& sysfs_cpus,
                                         const std::vector<int>& cpus) {
  std::map<std::string, Bytes> caches;
  for (const int cpu : cpus) {
    const std::string name = "cpu" + std::to_string(cpu);
    const Cache cache = highest_cache(sysfs_cpus / name);
    if (cache.level > 0) caches[cache.shared_by.empty() ? name : cache.shared_by] = cache.size;
  }
  if (caches.empty()) return std::nullopt;
  Bytes total;
  for (const auto& [shared_by, size] : caches) total.value += size.value;
  return total;
}

Bytes bounded_cache(Bytes reported, int threads) {
  if (reported.value <= 0) return assumed_cache;
  return std::min(reported, Bytes{largest_cache_of_a_core.value * std::max(threads, 1)});
}

Bytes last_level_cache(const std::vector<int>& cpus) {
  if (const auto described = last_level_cache_in("/sys/devices/system/cpu", cpus)) return *described;
  std::int64_t reported = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
  for (const int level : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE}) {
    reported = std::max<std::int64_t>(reported, sysconf(level));
  }
#endif
  return bounded_cache({reported}, static_cast<int>(cpus.size()));
}

}  // namespace census
