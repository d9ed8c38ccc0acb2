// SPDX-License-Identifier: MIT
#include <census/elf_sections.hpp>

#include <algorithm>

namespace census {
namespace {

// Sizes and offsets of the ELF-64 object file format: file header, section header, symbol.
constexpr std::uint64_t section_table_offset_at = 0x28, section_size_at = 0x3a, section_count_at = 0x3c,
                        names_index_at = 0x3e;
constexpr std::uint64_t section_header_bytes = 64, symbol_bytes = 24;

void check_magic(CodeBytes file) {
  if (file.size() < section_header_bytes || file.number(0, 4) != 0x464c457f)
    throw MalformedCode("it is no ELF file");
  constexpr std::uint64_t elf64_little_endian = 0x0102;
  if (file.number(4, 2) != elf64_little_endian) throw MalformedCode("it is no 64-bit little-endian ELF file");
}

}  // namespace

CodeBytes CodeBytes::slice(std::uint64_t offset, std::uint64_t length) const {
  if (offset > size() || length > size() - offset) {
    throw MalformedCode("it is truncated: " + std::to_string(length) + " bytes at " + std::to_string(offset) +
                        " of " + std::to_string(size()));
  }
  return CodeBytes(bytes_.subspan(offset, length));
}

std::uint64_t CodeBytes::number(std::uint64_t offset, int width) const {
  const CodeBytes digits = slice(offset, static_cast<std::uint64_t>(width));
  std::uint64_t value = 0;
  for (std::size_t i = digits.size(); i-- > 0;)
    value = value << 8 | std::to_integer<std::uint64_t>(digits.bytes_[i]);
  return value;
}

std::string_view CodeBytes::text(std::uint64_t offset) const {
  const std::span<const std::byte> rest = slice(offset, size() - std::min(offset, size())).bytes_;
  const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
  if (end == rest.end()) throw MalformedCode("it is truncated: a name does not end");
  return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

std::vector<ElfSection> elf_sections(CodeBytes file) {
  check_magic(file);
  const std::uint64_t count = file.number(section_count_at, 2);
  if (count == 0) return {};
  if (file.number(section_size_at, 2) != section_header_bytes)
    throw MalformedCode("its section headers have an unknown size");
  const CodeBytes table = file.slice(file.number(section_table_offset_at, 8), count * section_header_bytes);
  std::vector<ElfSection> sections;
  for (std::uint64_t i = 0; i < count; ++i) {
    const CodeBytes header = table.slice(i * section_header_bytes, section_header_bytes);
    ElfSection& section = sections.emplace_back();
    section.type = static_cast<std::uint32_t>(header.number(4, 4));
    section.flags = header.number(8, 8);
    section.link = static_cast<std::uint32_t>(header.number(40, 4));
    section.info = static_cast<std::uint32_t>(header.number(44, 4));
    if (section.type != elf::nobits && section.type != 0)
      section.bytes = file.slice(header.number(24, 8), header.number(32, 8));
  }
  const std::uint64_t names_index = file.number(names_index_at, 2);
  if (names_index >= count) throw MalformedCode("it has no table of section names");
  const CodeBytes names = sections[names_index].bytes;
  for (std::uint64_t i = 0; i < count; ++i)
    sections[i].name = names.text(table.number(i * section_header_bytes, 4));
  return sections;
}

ElfSymbol elf_symbol(const std::vector<ElfSection>& sections, const ElfSection& table, std::uint64_t index) {
  if (table.type != elf::symtab || table.link >= sections.size())
    throw MalformedCode("a relocation has no symbol table");
  if (index >= table.bytes.size() / symbol_bytes) throw MalformedCode("a relocation has no symbol");
  const CodeBytes entry = table.bytes.slice(index * symbol_bytes, symbol_bytes);
  return {.name = sections[table.link].bytes.text(entry.number(0, 4)),
          .section = static_cast<std::uint16_t>(entry.number(6, 2)),
          .value = entry.number(8, 8)};
}

}  // namespace census
