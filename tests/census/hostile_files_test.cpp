// SPDX-License-Identifier: MIT
// Files as editors, transfers and accidents leave them: each is read, or refused with one line that says what
// to do.
#include "../fuzz/check_file.hpp"
#include <census/ab.hpp>
#include <census/json_io.hpp>
#include <census/json_io_waivers.hpp>
#include <census/listed_row.hpp>
#include <census/results_dir.hpp>
#include <census/selftest.hpp>
#include <census/temporary_directory.hpp>

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <map>

namespace census {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::filesystem::path corpus = PROJECT_SOURCE_DIR "/tests/fuzz/corpus";

/// The seeds and how each is read.
const std::map<std::string, std::function<void(const std::string&)>> seeds{
    {"ab.json", [](const std::string& text) { (void)parse_ab_report(text, "f"); }},
    {"list.json", [](const std::string& text) { (void)parse_list(text, "f"); }},
    {"result.json", [](const std::string& text) { (void)parse_result(text, "f"); }},
    {"selftest.json", [](const std::string& text) { (void)parse_selftest(text, "f"); }},
    {"timing-cpu.json", [](const std::string& text) { (void)parse_baseline(text, "f"); }},
    {"timing.json", [](const std::string& text) { (void)parse_baseline(text, "f"); }},
    {"waivers.json", [](const std::string& text) { (void)parse_waivers(text, "f"); }}};

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(HostileFiles, SeedsOfTheFuzzerAreAllRead) {
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    const auto seed = seeds.find(entry.path().filename().string());
    ASSERT_NE(seed, seeds.end()) << entry.path();
    EXPECT_NO_THROW(seed->second(read_text(entry.path()))) << entry.path();
  }
}

TEST(HostileFiles, WithWindowsLineEndsAndAByteOrderMarkAreRead) {
  for (const auto& [name, read] : seeds) {
    std::string text = "\xef\xbb\xbf";
    for (const char c : read_text(corpus / name)) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    EXPECT_NO_THROW(read(text)) << name;
  }
}

TEST(HostileFiles, CutAnywhereAreRefusedClearly) {
  for (const auto& [name, read] : seeds) {
    const std::string text = read_text(corpus / name);
    for (std::size_t size = 0; size + 2 < text.size(); size += 7) {
      const std::string cut = text.substr(0, size);
      EXPECT_NO_THROW(census_fuzz::check_file(cut)) << name << " " << size;
      EXPECT_THROW(read(cut), FileError) << name << " " << size;
    }
  }
}

TEST(HostileFiles, NestedAMillionDeepAreRefused) {
  const std::string deep = R"({"kind": )" + std::string(1'000'000, '[');
  EXPECT_THAT(error_of([&] { (void)parse_result(deep, "x.json"); }),
              AllOf(HasSubstr("x.json"), HasSubstr("nested more than 64 deep; measure again")));
}

TEST(HostileFiles, WithNumbersTooLargeAreRefused) {
  for (const char* number : {"1e999", "-1e999", "99999999999999999999999999"}) {
    const std::string text = R"({"kind": "result", "schema_version": )" + std::string(number) + "}";
    EXPECT_THAT(error_of([&] { (void)parse_result(text, "x.json"); }),
                AllOf(HasSubstr("x.json"), HasSubstr("schema_version"), HasSubstr("; measure again")));
  }
}

TEST(HostileFiles, KeepAnErrorOneShortLineWhateverTheirNamesHold) {
  const std::string name = "a\\nb\\u001b" + std::string(5000, 'c');
  const std::string text = R"({"kind": "timing", ")" + name + R"(": 1, ")" + name + R"(": 2})";
  const std::string error = error_of([&] { (void)parse_baseline(text, "x.json"); });
  EXPECT_THAT(error,
              AllOf(Not(HasSubstr("\n")), Not(HasSubstr("\x1b")), HasSubstr("is twice in one object")));
  EXPECT_LT(error.size(), 300u);
}

TEST(HostileFiles, OfAnotherKindAreRefusedByEveryReader) {
  for (const auto& [name, read] : seeds) {
    for (const char* text : {"{}", "[]", "null", R"({"kind": 7, "schema": "1", "schema_version": []})"})
      EXPECT_THROW(read(text), FileError) << name << " " << text;
  }
}

TEST(HostileFiles, LargerThanAnyOfOursAreNotRead) {
  const TemporaryDirectory directory;
  const auto file = directory.file("large.json");
  std::ofstream(file) << "{}";
  std::filesystem::resize_file(file, std::uintmax_t{300} << 20);  // sparse: takes no disk
  EXPECT_THAT(error_of([&] { (void)read_text(file); }),
              AllOf(HasSubstr("large.json"), HasSubstr("give the right file")));
}

TEST(HostileFiles, RosterWithABackendOfAnotherVersionIsNamed) {
  const TemporaryDirectory directory;
  std::ofstream(directory.file("roster.txt")) << "kernel-census roster 1\nrun r\nhip some.row\n";
  EXPECT_THAT(error_of([&] { (void)read_roster(directory.file("")); }),
              AllOf(HasSubstr("roster.txt"), HasSubstr("\"hip\""), HasSubstr("gate --begin")));
}

}  // namespace
}  // namespace census
