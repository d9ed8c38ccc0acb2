// SPDX-License-Identifier: MIT
// The ELF file under test is this executable.
#include <census/elf_sections.hpp>
#include <census/loaded_code.hpp>

#include <gmock/gmock.h>

#include <algorithm>

namespace census {
namespace {

using ::testing::HasSubstr;

TEST(ElfSections, AreThoseOfTheFile) {
  const MappedFile file("/proc/self/exe");
  const std::vector<ElfSection> sections = elf_sections(file.bytes());
  const auto named = [&](const char* name) {
    return std::find_if(sections.begin(), sections.end(), [&](const auto& s) { return s.name == name; });
  };
  ASSERT_NE(named(".text"), sections.end());
  EXPECT_EQ(named(".text")->type, elf::progbits);
  EXPECT_GT(named(".text")->bytes.size(), 0U);
  EXPECT_EQ(named(".bss")->bytes.size(), 0U);
}

TEST(ElfSections, RefuseWhatIsNoElfFile) {
  const std::string text(200, 'x');
  EXPECT_THROW((void)elf_sections(CodeBytes(std::as_bytes(std::span(text)))), MalformedCode);
  EXPECT_THROW((void)elf_sections(CodeBytes()), MalformedCode);
}

TEST(ElfSections, RefuseATruncatedFile) {
  const MappedFile file("/proc/self/exe");
  // The table of sections is the last thing in the file.
  for (const std::uint64_t size : {std::uint64_t{63}, std::uint64_t{1000}, file.bytes().size() - 1})
    EXPECT_THROW((void)elf_sections(file.bytes().slice(0, size)), MalformedCode) << size;
}

TEST(CodeBytes, ReadLittleEndianNumbersAndNothingBeyondTheEnd) {
  const std::string text("\x01\x02\x03", 3);
  const CodeBytes bytes(std::as_bytes(std::span(text)));
  EXPECT_EQ(bytes.number(1, 2), 0x0302U);
  EXPECT_THROW((void)bytes.number(2, 2), MalformedCode);
  EXPECT_THROW((void)bytes.slice(~std::uint64_t{0}, 2), MalformedCode);
  EXPECT_THROW((void)bytes.text(0), MalformedCode) << "no zero ends it";
}

TEST(LoadedCode, SaysThatAnExecutableHoldsNoGpuCode) {
  EXPECT_THAT(loaded_kernel_code("kernel", 90).reason, HasSubstr("GPU code"));
  EXPECT_THROW(MappedFile("/nowhere/at/all"), MalformedCode);
}

}  // namespace
}  // namespace census
