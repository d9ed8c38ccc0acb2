// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/measure.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace census {
namespace {

/// Smallest footprint that a row rotates through, whatever the cache: also hides from page-table caches and
/// prefetchers.
constexpr std::int64_t smallest_target_bytes = 1LL << 30;
/// The footprint in multiples of the last-level cache: less than a quarter of it can survive a rotation.
constexpr std::int64_t cache_multiple = 4;
constexpr std::int64_t fewest_copies = 2;
/// Bounds a graph's length and the time to fill the copies of a small row.
constexpr std::int64_t most_copies = 256;
/// A resident row's input is in the cache by nature; its copies only keep launches from depending on each
/// other.
constexpr int resident_copies = 16;

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

CopyPlan too_little_memory(Bytes needed, Bytes free) {
  CopyPlan plan{.invalid = true};
  plan.reason = "too little memory to measure from memory and not from cache: needs " +
                format_memory(needed) + " (" + std::to_string(needed.value) + " B), free " +
                format_memory(free) + " (" + std::to_string(free.value) + " B); free memory on the device";
  return plan;
}

std::string arm_list(const KernelCase& row) {
  std::string list;
  for (const Arm& arm : row.arms)
    list += (list.empty() ? "" : ", ") + arm.name + " (needs " + arm.needs + ")";
  return list;
}

bool runs_on(const Arm& arm, const Device& device) {
  return arm.minimum_capability <= device.capability && device.capability <= arm.maximum_capability;
}

}  // namespace

CopyPlan plan_copies(const KernelCase& row, const Device& device, Bytes free, const MeasureOptions& options) {
  const std::int64_t cold = std::max<std::int64_t>(row.cold_bytes.value, 1);
  // The probe reads a buffer of its own, as large as the row's copies.
  const std::int64_t bytes_per_copy = 2 * cold + row.other_bytes.value;
  const std::int64_t cache_rule = cache_multiple * device.last_level_cache.value;
  const std::int64_t target = options.footprint_override ? options.footprint_override->value
                                                         : std::max(smallest_target_bytes, cache_rule);

  std::int64_t wanted = std::clamp(ceil_divide(target, cold), fewest_copies, most_copies);
  std::int64_t needed = std::max(ceil_divide(cache_rule, cold), fewest_copies);
  if (options.footprint_override) needed = fewest_copies;
  if (row.resident) wanted = needed = resident_copies;
  if (options.hot) wanted = needed = 1;

  if (needed > most_copies) {
    return {.invalid = true,
            .reason = std::to_string(most_copies) + " copies of " + format_traffic(row.cold_bytes) +
                      " lie inside " + std::to_string(cache_multiple) + " x the cache of " +
                      format_memory(device.last_level_cache) +
                      ": the row is too small to be measured cold; mark it resident or use --footprint"};
  }
  const std::int64_t possible = free.value / bytes_per_copy;
  if (possible < needed) return too_little_memory({needed * bytes_per_copy}, free);
  CopyPlan plan{.copies = static_cast<int>(std::min(wanted, possible))};
  if (possible < wanted) {
    plan.notice = std::to_string(plan.copies) + " copies instead of " + std::to_string(wanted) +
                  ": free memory is " + format_memory(free);
  }
  return plan;
}

const Arm& choose_arm(const KernelCase& row, const Device& device, const std::string& wanted) {
  const auto fits = [&](const Arm& arm) {
    return wanted.empty() ? runs_on(arm, device) : arm.name == wanted;
  };
  const auto arm = std::find_if(row.arms.begin(), row.arms.end(), fits);
  const std::string capability = std::to_string(device.capability);
  if (arm == row.arms.end() && wanted.empty()) {
    throw UsageError(row.id + ": no arm runs on " + device.name + " (capability " + capability +
                     "): " + arm_list(row));
  }
  if (arm == row.arms.end())
    throw UsageError(row.id + ": no arm '" + wanted + "'; there are " + arm_list(row));
  if (!runs_on(*arm, device)) {
    throw UsageError(row.id + ": arm '" + wanted + "' needs " + arm->needs + ", " + device.name +
                     " has capability " + capability);
  }
  return *arm;
}

std::string output_digest(const std::vector<float>& output) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a 64: offset basis and prime of its definition
  for (const float value : output) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ (bits >> shift & 0xff)) * 0x100000001b3u;
  }
  std::string digits(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) digits[i] = "0123456789abcdef"[hash & 15];
  return digits;
}

}  // namespace census
