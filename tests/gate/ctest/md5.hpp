// SPDX-License-Identifier: MIT
// MD5 as RFC 1321 defines it, for checking what a test server received. No use where anyone could cheat.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

namespace gate_test {

class Md5 {
 public:
  /// 32 lower-case hex digits.
  [[nodiscard]] static std::string of(std::string text) {
    const std::uint64_t bits = std::uint64_t{text.size()} * 8;
    text += '\x80';
    while (text.size() % 64 != 56) text += '\0';
    for (int i = 0; i < 8; ++i) text += static_cast<char>(bits >> (8 * i));
    Md5 md5;
    for (std::size_t at = 0; at < text.size(); at += 64) md5.add(text.data() + at);
    return md5.hex();
  }

 private:
  void add(const char* block) {
    // RFC 1321, 3.4: rotations of the four rounds.
    constexpr std::array<std::array<int, 4>, 4> turns{
        {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};
    std::array<std::uint32_t, 16> words{};
    for (std::size_t i = 0; i < 64; ++i)
      words[i / 4] |= std::uint32_t{static_cast<unsigned char>(block[i])} << (8 * (i % 4));
    auto [a, b, c, d] = state_;
    for (std::uint32_t step = 0; step < 64; ++step) {
      const std::uint32_t round = step / 16;
      const std::uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                                  : round == 1 ? (b & d) | (c & ~d)
                                  : round == 2 ? b ^ c ^ d
                                               : c ^ (b | ~d);
      constexpr std::array<std::uint32_t, 4> factor{1, 5, 3, 7}, offset{0, 1, 5, 0};
      const std::uint32_t word = words[(factor[round] * step + offset[round]) % 16];
      const auto sine = static_cast<std::uint32_t>(std::floor(std::abs(std::sin(step + 1.0)) * 4294967296.0));
      const std::uint32_t sum = b + std::rotl(a + mixed + word + sine, turns[round][step % 4]);
      a = d;
      d = c;
      c = b;
      b = sum;
    }
    state_ = {state_[0] + a, state_[1] + b, state_[2] + c, state_[3] + d};
  }

  [[nodiscard]] std::string hex() const {
    std::string text;
    for (const auto word : state_) {
      for (int i = 0; i < 8; ++i) {
        const int nibble = i % 2 == 0 ? i * 4 + 4 : i * 4 - 4;  // the high digit of each byte first
        text += "0123456789abcdef"[word >> nibble & 15];
      }
    }
    return text;
  }

  std::array<std::uint32_t, 4> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
};

}  // namespace gate_test
