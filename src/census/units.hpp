// SPDX-License-Identifier: MIT
// Units of everything the census prints: bytes, microseconds, terabytes per second.
#pragma once

#include <cstdint>
#include <string>

namespace census {

/// A byte count. 1 GB = 1e9 B, 1 GiB = 2^30 B; reports use the first for traffic and the second for memory.
struct Bytes {
  std::int64_t value = 0;
  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};

/// A duration in microseconds.
struct Microseconds {
  double value = 0;
  friend auto operator<=>(const Microseconds&, const Microseconds&) = default;
};

/// A bandwidth in 1e12 bytes per second.
struct TerabytesPerSecond {
  double value = 0;
  friend auto operator<=>(const TerabytesPerSecond&, const TerabytesPerSecond&) = default;
};

/// Bandwidth of moving `moved` in `took`. Not a number when `took` is not positive.
[[nodiscard]] TerabytesPerSecond bandwidth(Bytes moved, Microseconds took);

/// Bytes for people: "42.2 MB" (powers of ten).
[[nodiscard]] std::string format_traffic(Bytes bytes);

/// Bytes for people: "1.00 GiB" (powers of two).
[[nodiscard]] std::string format_memory(Bytes bytes);

/// A number in fixed notation with `digits` after the point, always with a decimal point whatever the locale.
/// "n/a" for a value that is not finite.
[[nodiscard]] std::string format_fixed(double value, int digits);

/// The same with a sign, "+0.0" for what rounds to zero: 1.25 -> "+1.2", -0.04 -> "+0.0".
[[nodiscard]] std::string format_signed(double value, int digits);

/// The shortest digits that read back as the same number, whatever the locale: 10 -> "10", 2.5 -> "2.5".
[[nodiscard]] std::string format_shortest(double value);

}  // namespace census
