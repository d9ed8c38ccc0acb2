// SPDX-License-Identifier: MIT
// SHA-256, so that a digest of machine code needs no cryptographic library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace census {

/// Hashes what it is given piece by piece. Source: FIPS 180-4, sections 4.1.2, 4.2.2, 5.1.1 and 6.2.
class Sha256 {
 public:
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);
  /// 64 hex digits over everything added. Call it once, last.
  [[nodiscard]] std::string finish();

 private:
  static constexpr std::size_t block_bytes = 64;
  void compress();

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, block_bytes> block_{};
  std::uint64_t length_ = 0;  ///< bytes added so far
};

/// 64 hex digits.
[[nodiscard]] std::string sha256(std::string_view text);

}  // namespace census
