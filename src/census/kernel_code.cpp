// SPDX-License-Identifier: MIT
#include <census/kernel_code.hpp>
#include <census/sha256.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

namespace census {
namespace {

// The container that nvcc makes, as seen in its output (12.8 to 13.0): a header of magic, version, header
// size and length of what follows, then entries, each a header and a payload. Containers are padded to 8
// bytes.
constexpr std::uint64_t container_magic = 0xba55ed50, container_header_bytes = 16;
constexpr std::uint64_t entry_kind_at = 0, entry_header_size_at = 4, entry_payload_size_at = 8,
                        entry_architecture_at = 28, entry_flags_at = 40, smallest_entry_header = 64;
constexpr std::uint64_t kind_machine_code = 2;
/// Flags of the two compressions: LZ4 (before 12.8), Zstandard.
constexpr std::uint64_t compressed_flags = 0x2000 | 0x8000;

struct Entry {
  std::uint64_t kind = 0;
  int architecture = 0;
  bool compressed = false;
  CodeBytes payload;
};

void walk_container(CodeBytes body, const std::function<void(const Entry&)>& visit) {
  std::uint64_t at = 0;
  while (at < body.size()) {
    const std::uint64_t header = body.number(at + entry_header_size_at, 4);
    const std::uint64_t payload = body.number(at + entry_payload_size_at, 8);
    if (header < smallest_entry_header) throw MalformedCode("an entry of a fatbinary has no header");
    visit({.kind = body.number(at + entry_kind_at, 2),
           .architecture = static_cast<int>(body.number(at + entry_architecture_at, 4)),
           .compressed = (body.number(at + entry_flags_at, 8) & compressed_flags) != 0,
           .payload = body.slice(at + header, payload)});
    at += header + payload;
  }
}

void walk(CodeBytes fatbinaries, const std::function<void(const Entry&)>& visit) {
  std::uint64_t at = 0;
  while (at + container_header_bytes <= fatbinaries.size()) {
    if (fatbinaries.number(at, 4) == 0) {  // padding that the linker puts between two object files
      at += 8;
      continue;
    }
    if (fatbinaries.number(at, 4) != container_magic) throw MalformedCode("a fatbinary has no magic number");
    const std::uint64_t header = fatbinaries.number(at + 6, 2), body = fatbinaries.number(at + 8, 8);
    if (header < container_header_bytes) throw MalformedCode("a fatbinary has no header");
    walk_container(fatbinaries.slice(at + header, body), visit);
    at += header + body;
    at += (8 - at % 8) % 8;
  }
}

/// ".text._Z3fooPf" -> ".text": the rest names a kernel, and the name of one in an unnamed namespace holds a
/// hash of its file's path.
std::string_view kind_of(std::string_view section) {
  const std::size_t dot = section.find('.', 1);
  return dot == std::string_view::npos ? section : section.substr(0, dot);
}

constexpr std::string_view constants =
    ".nv.constant";  // then the bank; then '.' and a kernel where it is the kernel's

/// Data of the whole module that its kernels may read: user constants, addresses, initialised variables.
/// Which kernel reads what cannot be told, so all of it counts.
bool module_data(std::string_view section) {
  if (section == ".nv.global.init") return true;
  return section.starts_with(constants) && section.find('.', constants.size()) == std::string_view::npos;
}

/// The compiler's own constants of a kernel. Bank 0 holds its parameters, which the driver fills in.
bool constants_of(std::string_view kernel, std::string_view section) {
  return section.starts_with(constants) && !section.starts_with(".nv.constant0.") &&
         section.ends_with("." + std::string(kernel));
}

/// Hashes sections of one ELF file, each once, and what their relocations refer to.
class CodeHash {
 public:
  explicit CodeHash(const std::vector<ElfSection>& sections) : sections_(sections) {}

  void add(std::size_t index) {
    if (!seen_.insert(index).second) return;
    const ElfSection& section = sections_[index];
    label(kind_of(section.name));
    number(section.bytes.size());
    hash_.add(section.bytes.span());
    for (const ElfSection& other : sections_) {
      if ((other.type == elf::rela || other.type == elf::rel) && other.info == index) relocate(other);
    }
  }
  [[nodiscard]] std::string finish() { return hash_.finish(); }

 private:
  void label(std::string_view text) { hash_.add(std::string(text) + "\n"); }
  void number(std::uint64_t value) { label(std::to_string(value)); }

  void relocate(const ElfSection& table) {
    if (table.link >= sections_.size()) throw MalformedCode("a relocation has no symbol table");
    const std::uint64_t entry_bytes = table.type == elf::rela ? 24 : 16;
    for (std::uint64_t at = 0; at < table.bytes.size(); at += entry_bytes) {
      const CodeBytes entry = table.bytes.slice(at, entry_bytes);
      number(entry.number(0, 8));
      number(entry.number(8, 4));  // the kind of relocation; the symbol's number is no property of the code
      if (table.type == elf::rela) number(entry.number(16, 8));
      target(elf_symbol(sections_, sections_[table.link], entry.number(12, 4)));
    }
  }

  void target(const ElfSymbol& symbol) {
    constexpr std::uint16_t first_reserved = 0xff00;  // absolute and common symbols have no section
    if (symbol.section == 0 || symbol.section >= first_reserved) {
      label(symbol.name);
      return;
    }
    if (symbol.section >= sections_.size()) throw MalformedCode("a symbol has no section");
    label(kind_of(sections_[symbol.section].name));
    number(symbol.value);
    if (sections_[symbol.section].type == elf::progbits) add(symbol.section);
  }

  const std::vector<ElfSection>& sections_;
  std::set<std::size_t> seen_;
  Sha256 hash_;
};

std::optional<std::string> hash_kernel(CodeBytes machine_code, std::string_view name) {
  const std::vector<ElfSection> sections = elf_sections(machine_code);
  const std::string wanted = ".text." + std::string(name);
  const auto text = std::find_if(sections.begin(), sections.end(),
                                 [&](const ElfSection& section) { return section.name == wanted; });
  if (text == sections.end()) return std::nullopt;
  CodeHash hash(sections);
  hash.add(static_cast<std::size_t>(text - sections.begin()));
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const ElfSection& section = sections[i];
    if (section.type == elf::progbits && (constants_of(name, section.name) || module_data(section.name)))
      hash.add(i);
  }
  return hash.finish();
}

KernelCode search(CodeBytes fatbinaries, std::string_view name, int architecture) {
  std::set<std::string> digests;
  bool compressed = false, any = false;
  walk(fatbinaries, [&](const Entry& entry) {
    if (entry.kind != kind_machine_code || entry.architecture != architecture) return;
    any = true;
    compressed = compressed || entry.compressed;
    if (entry.compressed) return;
    if (const auto digest = hash_kernel(entry.payload, name)) digests.insert(*digest);
  });
  if (digests.size() == 1) return {*digests.begin(), ""};
  const std::string code = "machine code for sm_" + std::to_string(architecture);
  if (digests.size() > 1)
    return {std::nullopt, "there are several kernels of that name with different " + code};
  if (compressed) return {std::nullopt, "the " + code + " is compressed; compile with nvcc --no-compress"};
  if (!any)
    return {std::nullopt, "there is no " + code + ", so the driver compiled PTX; add that architecture"};
  return {std::nullopt, "it has no " + code};
}

}  // namespace

KernelCode kernel_code(CodeBytes fatbinaries, std::string_view name, int architecture) {
  try {
    return search(fatbinaries, name, architecture);
  } catch (const MalformedCode& error) {
    return {std::nullopt, std::string("the fatbinary cannot be read: ") + error.what()};
  }
}

}  // namespace census
