// SPDX-License-Identifier: MIT
#include <census/device.hpp>

#include <string_view>

namespace census {
namespace {

/// Lower case; every run of characters that are not letters, digits or in `kept` becomes one '-', none at the
/// ends.
std::string file_name_part(std::string_view text, std::string_view kept) {
  std::string part;
  bool gap = false;
  for (const char c : text) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool letter_or_digit = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (!letter_or_digit && kept.find(lower) == std::string_view::npos) {
      gap = true;
      continue;
    }
    if (gap && !part.empty()) part += '-';
    gap = false;
    part += lower;
  }
  return part;
}

}  // namespace

std::string slug(const Device& device) {
  // One file for all CPUs: their rows are judged by a share of the same run's ceiling, not by a time.
  if (device.backend == Backend::cpu) return "cpu-generic";
  std::string text = file_name_part(device.name, "");
  // A profile name is only unique with its point: "1g.18gb".
  if (!device.mig_profile.empty()) text += "-mig-" + file_name_part(device.mig_profile, ".");
  return text;
}

std::optional<TerabytesPerSecond> peak(const Device& device) {
  if (device.memory_clock_mhz <= 0 || device.bus_width_bits <= 0) return std::nullopt;
  const double transfers_per_second = 2.0 * device.memory_clock_mhz * 1e6;
  return TerabytesPerSecond{transfers_per_second * device.bus_width_bits / 8 / 1e12};
}

}  // namespace census
