// SPDX-License-Identifier: MIT
#include <census/json_io.hpp>
#include <census/json_io_waivers.hpp>
#include <census/waiver.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A file of one entry; `field` replaces that field's value, or is added.
std::string file_with(const std::string& field = "", const std::string& value = "") {
  std::vector<std::pair<std::string, std::string>> fields{{"row", "\"bf16.*\""},
                                                          {"owner", "\"Ann\""},
                                                          {"reason", "\"the new layout\""},
                                                          {"date", "\"2026-12-01\""},
                                                          {"until", "\"2027-01-15\""}};
  bool replaced = field.empty();
  std::string entry;
  for (auto& [name, text] : fields) {
    if (name == field) {
      text = value;
      replaced = true;
    }
    if (!text.empty()) entry += (entry.empty() ? "" : ", ") + ("\"" + name + "\": " + text);
  }
  if (!replaced) entry += ", \"" + field + "\": " + value;
  return R"({"kind": "waivers", "schema_version": 1, "waivers": [{)" + entry + "}]}";
}

std::string parse_error(const std::string& text) {
  try {
    (void)parse_waivers(text, "waivers.json");
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

Waiver waiver(const std::string& row = "bf16.*") {
  return {.row = row,
          .device = "",
          .owner = "Ann",
          .reason = "the new layout",
          .date = "2026-12-01",
          .until = "2027-01-15"};
}

std::string check_error(const Waiver& entry, const std::string& today = "2026-12-02") {
  const WaiverNames names{{"bf16.head", "f32.router"}, {"q8_0.old"}, {"nvidia-h200"}};
  try {
    check_waivers({"waivers.json", {entry}}, names, day_from(today).value());
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

/// The row as it counts on `today`, with `entry` in the file.
RowVerdict applied(Kind kind, const std::string& today, const Waiver& entry = waiver()) {
  RowVerdict row{.row = "bf16.head", .backend = Backend::cuda};
  row.verdict.kind = kind;
  apply_waivers(row, {"waivers.json", {entry}}, "nvidia-h200", day_from(today).value());
  return row;
}

TEST(WaiverFile, HoldsWhoLetsWhatPassAndUntilWhen) {
  const Waivers read = parse_waivers(file_with("device", "\"nvidia-h200\""), "waivers.json");
  ASSERT_EQ(read.entries.size(), 1U);
  EXPECT_EQ(read.entries[0].row, "bf16.*");
  EXPECT_EQ(read.entries[0].device, "nvidia-h200");
  EXPECT_EQ(waiver_text(read.entries[0]), "until 2027-01-15 by Ann: the new layout");
}

TEST(WaiverFile, NamesFileEntryAndFieldOfWhatIsMissing) {
  EXPECT_THAT(parse_error(file_with("owner", "")),
              HasSubstr("waivers.json: row bf16.*, field waivers[0].owner is missing"));
  EXPECT_THAT(parse_error(file_with("reason", "\" \"")),
              HasSubstr("field waivers[0].reason must not be empty"));
  EXPECT_THAT(parse_error(file_with("row", "\"\"")), HasSubstr("waivers[0].row must not be empty"));
  EXPECT_THAT(parse_error(file_with("until", "")), HasSubstr("waivers[0].until is missing"));
  EXPECT_THAT(parse_error(file_with("untill", "\"2027-01-15\"")),
              HasSubstr("waivers[0].untill is unknown to this version"));
}

TEST(WaiverFile, RefusesDatesThatAreNone) {
  for (const char* day : {"2027-02-29", "2027-1-15", "15.01.2027", "2027-01-15T00", "tomorrow", "2027--1-15"})
    EXPECT_THAT(parse_error(file_with("until", '"' + std::string(day) + '"')),
                HasSubstr("waivers[0].until must be a day like 2027-01-15"));
}

TEST(WaiverFile, EndsAtMostNinetyDaysAfterItsDate) {
  EXPECT_EQ(parse_error(file_with("until", "\"2027-03-01\"")), "no error");  // 31 + 31 + 28 days later
  EXPECT_THAT(parse_error(file_with("until", "\"2027-03-02\"")),
              HasSubstr("waivers[0].until is more than 90 days after the waiver's date"));
  EXPECT_THAT(parse_error(file_with("until", "\"2026-11-30\"")), HasSubstr("is before the waiver's date"));
}

TEST(WaiverFile, RefusesTwoEntriesOfOneRowAndOtherKinds) {
  std::string twice = file_with();
  const auto entry = twice.substr(twice.find("[{") + 1, twice.rfind("}]") - twice.find("[{"));
  twice.insert(twice.rfind("]"), ", " + entry);
  EXPECT_THAT(parse_error(twice), HasSubstr("waivers[1].row is waived twice"));
  EXPECT_THAT(parse_error(R"({"kind": "timing", "schema_version": 1})"), HasSubstr("must be \"waivers\""));
}

TEST(WaiverFile, IsNotNeeded) {
  EXPECT_THAT(read_waivers("/nonexistent").entries, IsEmpty());
}

TEST(CheckWaivers, RefusesRowsThatNothingAnswersTo) {
  EXPECT_EQ(check_error(waiver("bf16.head")), "no error");
  EXPECT_EQ(check_error(waiver("q8_0.old")), "no error");
  EXPECT_THAT(check_error(waiver("bf16.haed")),
              HasSubstr("waivers.json: row bf16.haed, field waivers[0].row is no row of the census"));
}

TEST(CheckWaivers, RefusesAWaiverOfEveryRow) {
  EXPECT_THAT(check_error(waiver("*")), HasSubstr("switch the gate off"));
  EXPECT_THAT(check_error(waiver("*.*")), HasSubstr("switch the gate off"));
}

TEST(CheckWaivers, RefusesADeviceWithoutABaseline) {
  Waiver entry = waiver();
  entry.device = "nvidia-h20";
  EXPECT_THAT(check_error(entry), HasSubstr("waivers[0].device \"nvidia-h20\" is no baseline"));
}

TEST(CheckWaivers, RefusesADateToCome) {
  EXPECT_EQ(check_error(waiver(), "2026-11-30"), "no error");  // it may be the first of December elsewhere
  EXPECT_THAT(check_error(waiver(), "2026-11-29"), HasSubstr("waivers[0].date 2026-12-01 is yet to come"));
}

TEST(ApplyWaivers, LetARegressionPassUntilTheLastDay) {
  const RowVerdict row = applied(Kind::regressed, "2027-01-15");
  ASSERT_TRUE(row.waiver.has_value());
  EXPECT_EQ(row.verdict.kind, Kind::regressed);
  EXPECT_EQ(exit_code(row, {}, false), 0);
  EXPECT_THAT(row.verdict.notices, IsEmpty());
}

TEST(ApplyWaivers, AreRedAgainTheDayAfterAndSaySo) {
  const RowVerdict row = applied(Kind::regressed, "2027-01-16");
  EXPECT_FALSE(row.waiver.has_value());
  EXPECT_EQ(exit_code(row, {}, false), 1);
  EXPECT_THAT(row.verdict.notices,
              ElementsAre(HasSubstr("the waiver by Ann (the new layout) expired after 2027-01-15: the row is "
                                    "red again; fix it, or renew it in waivers.json")));
}

TEST(ApplyWaivers, CoverNothingButARegression) {
  for (const Kind kind : {Kind::incorrect, Kind::invalid, Kind::error, Kind::environment, Kind::inconclusive,
                          Kind::no_baseline}) {
    const RowVerdict row = applied(kind, "2026-12-02");
    EXPECT_FALSE(row.waiver.has_value());
    EXPECT_NE(exit_code(row, {}, false), 0);
  }
  EXPECT_THAT(applied(Kind::incorrect, "2026-12-02").verdict.notices,
              ElementsAre(HasSubstr("is for a regression; the row is incorrect")));
}

TEST(ApplyWaivers, DoNotHideThatAnEarlierAttemptWasIncorrect) {
  RowVerdict row{.row = "bf16.head", .backend = Backend::cuda};
  row.verdict.kind = Kind::regressed;
  row.attempts.emplace_back().kind = Kind::incorrect;
  apply_waivers(row, {"waivers.json", {waiver()}}, "nvidia-h200", day_from("2026-12-02").value());
  EXPECT_FALSE(row.waiver.has_value());
}

TEST(ApplyWaivers, SayThatTheyAreUnused) {
  const RowVerdict row = applied(Kind::pass, "2026-12-02");
  EXPECT_FALSE(row.waiver.has_value());
  EXPECT_THAT(
      row.verdict.notices,
      ElementsAre("unused waiver until 2027-01-15 by Ann: the new layout; remove it from waivers.json "
                  "when the row stays so"));
}

TEST(ApplyWaivers, CountForTheirDeviceAlone) {
  Waiver entry = waiver();
  entry.device = "nvidia-h100";
  EXPECT_FALSE(applied(Kind::regressed, "2026-12-02", entry).waiver.has_value());
  entry.device = "nvidia-h200";
  EXPECT_TRUE(applied(Kind::regressed, "2026-12-02", entry).waiver.has_value());
}

TEST(ApplyWaivers, TakeTheOneThatEndsLast) {
  RowVerdict row{.row = "bf16.head", .backend = Backend::cuda};
  row.verdict.kind = Kind::regressed;
  Waiver longer = waiver("bf16.head");
  longer.until = "2027-02-01";
  apply_waivers(row, {"waivers.json", {waiver(), longer}}, "nvidia-h200", day_from("2027-01-20").value());
  EXPECT_EQ(row.waiver.value().until, "2027-02-01");
}

}  // namespace
}  // namespace census
