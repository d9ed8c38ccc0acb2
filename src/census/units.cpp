// SPDX-License-Identifier: MIT
// Units of everything the census prints.
#include <census/units.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace census {
namespace {

struct Scale {
  double one;
  const char* name;
  int digits;
};

/// The largest unit that leaves at least 1 before the point.
template <std::size_t N>
std::string format_scaled(Bytes bytes, const std::array<Scale, N>& scales) {
  const double value = static_cast<double>(bytes.value);
  for (const Scale& scale : scales) {
    if (std::abs(value) >= scale.one) return format_fixed(value / scale.one, scale.digits) + " " + scale.name;
  }
  return std::to_string(bytes.value) + " B";
}

}  // namespace

TerabytesPerSecond bandwidth(Bytes moved, Microseconds took) {
  if (!(took.value > 0)) return {std::numeric_limits<double>::quiet_NaN()};
  return {static_cast<double>(moved.value) / took.value *
          1e-6};  // bytes per microsecond are 1e6 bytes per second
}

std::string format_traffic(Bytes bytes) {
  constexpr std::array<Scale, 4> scales{{{1e12, "TB", 2}, {1e9, "GB", 2}, {1e6, "MB", 1}, {1e3, "kB", 1}}};
  return format_scaled(bytes, scales);
}

std::string format_memory(Bytes bytes) {
  constexpr double kib = 1024;
  constexpr std::array<Scale, 4> scales{{{kib * kib * kib * kib, "TiB", 2},
                                         {kib * kib * kib, "GiB", 2},
                                         {kib * kib, "MiB", 1},
                                         {kib, "KiB", 1}}};
  return format_scaled(bytes, scales);
}

std::string format_fixed(double value, int digits) {
  if (!std::isfinite(value)) return "n/a";
  std::array<char, 512> text{};  // the longest double in fixed notation has 309 digits before the point
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits);
  if (error != std::errc{}) return "n/a";
  return {text.data(), end};
}

std::string format_signed(double value, int digits) {
  if (!std::isfinite(value)) return "n/a";
  const std::string text = format_fixed(value, digits);
  if (text[0] != '-') return "+" + text;
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return zero ? "+" + text.substr(1) : text;
}

std::string format_shortest(double value) {
  char digits[32];  // the longest double takes 24
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace census
