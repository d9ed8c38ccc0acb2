// SPDX-License-Identifier: MIT
// The sections and symbols of a 64-bit little-endian ELF file, host executable or GPU code, out of untrusted
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace census {

/// The bytes are not what they should be; the text says what is wrong with them.
struct MalformedCode : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A view of bytes that refuses to be read beyond its end: every access throws MalformedCode instead.
class CodeBytes {
 public:
  CodeBytes() = default;
  explicit CodeBytes(std::span<const std::byte> bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  [[nodiscard]] std::span<const std::byte> span() const { return bytes_; }
  [[nodiscard]] CodeBytes slice(std::uint64_t offset, std::uint64_t length) const;
  /// Little-endian number of `width` bytes, at most 8.
  [[nodiscard]] std::uint64_t number(std::uint64_t offset, int width) const;
  /// The characters from `offset` up to the next zero byte.
  [[nodiscard]] std::string_view text(std::uint64_t offset) const;

 private:
  std::span<const std::byte> bytes_;
};

/// Section types and flags: the ELF specification (System V ABI, "Sections").
namespace elf {
inline constexpr std::uint32_t progbits = 1, symtab = 2, rela = 4, nobits = 8, rel = 9;
inline constexpr std::uint64_t alloc = 2;
}  // namespace elf

struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint32_t link = 0, info = 0;  ///< of a relocation section: its symbol table, and the section it is for
  CodeBytes bytes;                   ///< empty for one that the file does not hold
};

/// The sections in the order of the file; views into it. Throws MalformedCode.
[[nodiscard]] std::vector<ElfSection> elf_sections(CodeBytes file);

struct ElfSymbol {
  std::string_view name;
  std::uint16_t section = 0;  ///< index of the section that defines it; 0 = defined elsewhere
  std::uint64_t value = 0;    ///< offset in that section
};

/// Symbol `index` of the symbol table `table`. Throws MalformedCode.
[[nodiscard]] ElfSymbol elf_symbol(const std::vector<ElfSection>& sections, const ElfSection& table,
                                   std::uint64_t index);

}  // namespace census
