// SPDX-License-Identifier: MIT
#include "samples.hpp"
#include <census/json_io.hpp>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <limits>
#include <locale>

namespace census {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Baseline two_rows() {
  Baseline baseline =
      samples::baseline({samples::baseline_row("bf16.b", 12.5), samples::baseline_row("bf16.a", 10.1)});
  baseline.rows[0].aliases = {"bf16.old"};
  baseline.rows[0].min_ceiling_fraction = 0.35;
  baseline.rows[0].code_digest = "c0de";
  baseline.rows[1].tbs.reset();
  return baseline;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// The error of reading a baseline in which `from` was replaced by `to`.
std::string baseline_error(const std::string& from, const std::string& to) {
  try {
    (void)parse_baseline(replaced(format_baseline(two_rows()), from, to), "x.json");
  } catch (const FileError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "no error";
}

RowRun full_run() {
  RowRun run = samples::run("bf16.a", 10.1);
  run.phases = {{"make", 0.5}, {"time", 1.25}};
  run.footprint_override = Bytes{1 << 20};
  run.notices = {"fewer copies"};
  run.floor = Series{{9.1, 9.2}, 9.15, 9.12, 9.18};
  run.code_digest = "c0de";
  run.kernels[0].grid[1] = 7;
  run.first_difference = 12345678901;
  run.before.sm_clock_mhz = Reading<double>::of(1980);
  run.before.throttle_reasons = Reading<std::vector<std::string>>::of({"sw_power_cap"});
  run.before.processes = Reading<std::vector<ForeignProcess>>::of({{42, "other", "compute", {1 << 30}}});
  run.during.power_w = Reading<double>::denied();
  run.environment = {"it is hot"};
  run.plant = Plant{10, -0.25, 4096};
  return run;
}

ResultFile full_result() {
  ResultFile result{.run_id = "20261201-1", .settings = {"CENSUS_STRICT=1"}, .runs = {full_run()}};
  RowVerdict verdict{.row = "bf16.a", .wall_seconds = 3.5, .baseline_file = "baselines/nvidia-h200.json"};
  verdict.verdict = {.kind = Kind::regressed, .reason = "slow", .notices = {"n"}, .us = 10.1, .ratio = 1.05};
  verdict.attempts = {{.kind = Kind::environment, .reason = "busy"}};
  result.verdicts = {verdict};
  return result;
}

std::string result_error(const std::string& from, const std::string& to) {
  try {
    (void)parse_result(replaced(format_result(full_result()), from, to), "r.json");
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(BaselineFile, ReadsBackAsItWasWritten) {
  const std::string text = format_baseline(two_rows());
  const Baseline back = parse_baseline(text, "x.json");
  EXPECT_EQ(format_baseline(back), text);
  EXPECT_EQ(back.slug, "nvidia-h200");
  EXPECT_EQ(back.device.pci_device_id, 0x233510deU);
  EXPECT_EQ(back.device.ecc, true);
  EXPECT_EQ(back.control.ceiling_tbs, 4.4);
  EXPECT_EQ(back.control.occasions.at(2).id, "boot-3");
  const BaselineRow& row = back.rows.at(1);
  EXPECT_EQ(row.id, "bf16.b");
  EXPECT_EQ(row.us, 12.5);
  EXPECT_EQ(row.aliases, std::vector<std::string>{"bf16.old"});
  EXPECT_EQ(row.min_ceiling_fraction, 0.35);
  EXPECT_EQ(row.code_digest, "c0de");
  EXPECT_EQ(row.occasions.at(1).run_us, (std::vector<double>{12.5, 12.5, 12.5}));
  EXPECT_EQ(back.rows.at(0).tbs, std::nullopt);
}

TEST(BaselineFile, IsSortedWithOneRowPerLine) {
  const std::string text = format_baseline(two_rows());
  const std::size_t a = text.find("\n    {\"id\": \"bf16.a\"");
  const std::size_t b = text.find("\n    {\"id\": \"bf16.b\"");
  ASSERT_NE(a, std::string::npos);
  ASSERT_NE(b, std::string::npos);
  EXPECT_LT(a, b);
  EXPECT_EQ(text.find('\n', a + 1), b);
}

TEST(BaselineFile, ChangingOneRowChangesOneLine) {
  Baseline changed = two_rows();
  changed.rows[0].us = 11;
  const std::string before = format_baseline(two_rows());
  const std::string after = format_baseline(changed);
  const std::size_t line = before.find("    {\"id\": \"bf16.b\"");
  EXPECT_EQ(after.substr(0, line), before.substr(0, line));
  EXPECT_EQ(after.substr(after.find('\n', line)), before.substr(before.find('\n', line)));
}

TEST(BaselineFile, AByteOrderMarkAndWindowsLineEndsAreAccepted) {
  std::string text = format_baseline(two_rows());
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\r\n");
  EXPECT_EQ(parse_baseline("\xEF\xBB\xBF" + text, "x.json").rows.size(), 2U);
}

TEST(BaselineFile, EveryTruncationIsAnErrorThatNamesTheFile) {
  const std::string text = format_baseline(two_rows());
  for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
    try {
      (void)parse_baseline(text.substr(0, length), "x.json");
      ADD_FAILURE() << "accepted after " << length;
    } catch (const FileError& error) {
      EXPECT_THAT(error.what(), HasSubstr("x.json"));
    }
  }
}

TEST(BaselineFile, ATruncationSaysSoAndNamesRowAndField) {
  const std::string text = format_baseline(two_rows());
  const std::size_t cut = text.find("\"tolerance\": ", text.find("bf16.b")) + 15;
  try {
    (void)parse_baseline(text.substr(0, cut), "x.json");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("row bf16.b, field tolerance"), HasSubstr("ends too early")));
  }
}

TEST(BaselineFile, NotANumberIsRefusedByRowAndField) {
  EXPECT_THAT(baseline_error("\"us\": 12.5", "\"us\": NaN"),
              HasSubstr("row bf16.b, field us: this is not JSON"));
  EXPECT_THAT(baseline_error("\"us\": 12.5", "\"us\": \"NaN\""),
              HasSubstr("row bf16.b, field us must be a number"));
  EXPECT_THAT(baseline_error("\"us\": 12.5", "\"us\": null"),
              HasSubstr("row bf16.b, field us must be a number"));
}

TEST(BaselineFile, ANegativeOrZeroTimeIsRefusedByRowAndField) {
  EXPECT_THAT(baseline_error("\"us\": 12.5", "\"us\": -1"),
              HasSubstr("row bf16.b, field us must not be negative"));
  EXPECT_THAT(baseline_error("\"us\": 12.5", "\"us\": 0"),
              HasSubstr("row bf16.b, field us must be positive"));
}

TEST(BaselineFile, HugeNumbersAreRefusedByRowAndField) {
  EXPECT_THAT(baseline_error("\"us\": 12.5", "\"us\": 1e999"),
              HasSubstr("row bf16.b, field us: a number that is too large"));
  EXPECT_THAT(baseline_error("\"runs\": 9", "\"runs\": 99999999999"),
              HasSubstr("field runs must be a whole number"));
  EXPECT_THAT(baseline_error("\"runs\": 9", "\"runs\": 99999999999999999999999"),
              HasSubstr("field runs must be a whole"));
  EXPECT_THAT(baseline_error("\"runs\": 9", "\"runs\": 9.5"), HasSubstr("field runs must be a whole number"));
}

TEST(BaselineFile, AnotherSchemaVersionOrKindIsRefused) {
  EXPECT_THAT(baseline_error("\"schema_version\": 1", "\"schema_version\": 2"),
              HasSubstr("field schema_version must be 1, is 2"));
  EXPECT_THAT(baseline_error("\"kind\": \"timing\"", "\"kind\": \"static\""),
              HasSubstr("field kind must be \"timing\""));
}

TEST(BaselineFile, AnotherUnitIsRefused) {
  EXPECT_THAT(baseline_error("\"us\": \"microseconds\"", "\"us\": \"milliseconds\""),
              HasSubstr("field units.us must be \"microseconds\", is \"milliseconds\""));
}

TEST(BaselineFile, ARowThatIsThereTwiceIsRefused) {
  EXPECT_THAT(baseline_error("{\"id\": \"bf16.b\"", "{\"id\": \"bf16.a\""),
              HasSubstr("row bf16.a, field id is there twice"));
}

TEST(BaselineFile, AFieldThatIsThereTwiceIsRefused) {
  EXPECT_THAT(baseline_error("\"runs\": 9", "\"runs\": 9, \"runs\": 8"), HasSubstr("field runs is twice"));
}

TEST(BaselineFile, AnOccasionCountedTwiceIsRefused) {
  Baseline baseline = two_rows();
  baseline.rows[0].occasions[1].id = "boot-1";
  EXPECT_THROW((void)parse_baseline(format_baseline(baseline), "x.json"), FileError);
}

TEST(BaselineFile, AnUnknownOrMissingFieldIsRefused) {
  EXPECT_THAT(baseline_error("\"runs\": 9", "\"runs\": 9, \"fun\": 1"), HasSubstr("field fun is unknown"));
  EXPECT_THAT(baseline_error("\"runs\": 9, ", ""), HasSubstr("field runs is missing"));
}

TEST(BaselineFile, AToleranceInPercentIsRefused) {
  EXPECT_THAT(baseline_error("\"tolerance\": 0.03, \"provisional\"", "\"tolerance\": 3, \"provisional\""),
              HasSubstr("field tolerance must be a fraction"));
}

TEST(BaselineFile, WhatIsNotAnObjectIsRefused) {
  for (const char* text : {"", "[]", "7", "null", "{}", "{\"kind\": 1}", "\xFF\xFE", "<<<<<<< ours"}) {
    EXPECT_THROW((void)parse_baseline(text, "x.json"), FileError) << text;
  }
}

TEST(BaselineFile, AFileThatIsNotThereIsNamed) {
  try {
    (void)read_baseline("/nowhere/x.json");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/x.json: cannot be read"));
  }
}

TEST(ResultFile, ReadsBackAsItWasWritten) {
  const std::string text = format_result(full_result());
  const ResultFile back = parse_result(text, "r.json");
  EXPECT_EQ(format_result(back), text);
  EXPECT_EQ(back.run_id, "20261201-1");
  const RowRun& run = back.runs.at(0);
  EXPECT_EQ(run.status, RunStatus::measured);
  EXPECT_EQ(run.device.name, "NVIDIA H200");
  EXPECT_EQ(run.row_series.samples_us, full_result().runs.at(0).row_series.samples_us);
  EXPECT_EQ(run.phases.at(1), (std::pair<std::string, double>{"time", 1.25}));
  EXPECT_EQ(run.kernels.at(0).grid[1], 7);
  EXPECT_EQ(run.first_difference, 12345678901U);
  EXPECT_EQ(run.before.processes.value.at(0).name, "other");
  EXPECT_EQ(run.during.power_w.availability, Availability::denied);
  EXPECT_EQ(run.after.power_w.availability, Availability::unsupported);
  EXPECT_EQ(run.plant->achieved_percent, -0.25);
  EXPECT_EQ(run.dependent_floor.has_value(), false);
  EXPECT_EQ(back.verdicts.at(0).verdict.kind, Kind::regressed);
  EXPECT_EQ(back.verdicts.at(0).attempts.at(0).reason, "busy");
}

TEST(ResultFile, WhatIsNullHasAReason) {
  RowRun run = samples::resident(samples::run("quantize.4096", 2));
  run.ceiling_tbs.reset();
  const auto tree = nlohmann::json::parse(format_result({.runs = {run}}));
  const auto& written = tree["runs"][0];
  EXPECT_TRUE(written["tbs"].is_null());
  EXPECT_EQ(written["null_because"]["tbs"], "a resident row reads no memory");
  EXPECT_EQ(written["null_because"]["ceiling_tbs"], "not measured in this run");
  EXPECT_EQ(written["null_because"]["code_digest"], "not measured in this run");
  EXPECT_EQ(written["after"]["power_w"]["because"], "unsupported");
}

TEST(ResultFile, ATimeThatIsNotANumberIsWrittenAsNullAndReadAsNotANumber) {
  RowRun run = samples::run("a", std::numeric_limits<double>::quiet_NaN());
  run.ceiling_tbs = std::numeric_limits<double>::infinity();
  const std::string text = format_result({.runs = {run}});
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
  EXPECT_TRUE(std::isnan(parse_result(text, "r.json").runs.at(0).row_series.median_us));
}

TEST(ResultFile, AFieldOfANewerVersionIsSkipped) {
  EXPECT_EQ(result_error("\"run_id\"", "\"later\": {\"x\": [1]}, \"run_id\""), "no error");
}

TEST(ResultFile, ErrorsNameFileRowAndField) {
  EXPECT_THAT(result_error("\"copies\": 27", "\"copies\": -1"),
              HasSubstr("r.json: row bf16.a, field copies must be a whole"));
  EXPECT_THAT(result_error("\"status\": \"measured\"", "\"status\": \"fine\""),
              HasSubstr("row bf16.a, field status is \"fine\""));
  EXPECT_THAT(result_error("\"samples_us\": [10.1", "\"samples_us\": [-3"),
              HasSubstr("field row_series.samples_us[0]"));
  EXPECT_THAT(result_error("\"schema_version\": 1", "\"schema_version\": 7"),
              HasSubstr("field schema_version must be 1"));
}

TEST(ResultFile, TextThatIsNotUtf8CannotDamageTheFile) {
  RowRun run = samples::run("a", 10);
  run.reason = "\x1b[31m \xff <&> \"quoted\"\n";
  EXPECT_NO_THROW((void)parse_result(format_result({.runs = {run}}), "r.json"));
}

TEST(Numbers, HaveTheFewestDigitsThatReadBackTheSame) {
  Baseline baseline = samples::baseline({samples::baseline_row("a", 0.1)});
  for (const double us :
       {0.1, 1.0 / 3, 11.237, 5e-324, 9007199254740993.0, 1.7976931348623157e308, 123456.0}) {
    baseline.rows[0].us = us;
    const std::string text = format_baseline(baseline);
    char shortest[32];
    const auto end = std::to_chars(shortest, shortest + sizeof shortest, us).ptr;
    EXPECT_THAT(text, HasSubstr("\"id\": \"a\", \"us\": " + std::string(shortest, end) + ","));
    EXPECT_EQ(parse_baseline(text, "x.json").rows[0].us, us);
  }
}

struct CommaDecimals : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Numbers, DoNotDependOnTheLocale) {
  const std::string text = format_baseline(two_rows());
  const std::locale old = std::locale::global(std::locale(std::locale::classic(), new CommaDecimals));
  // Where such a locale is installed, the C library's notion of a decimal point changes too.
  const char* c_locale = setlocale(LC_ALL, "de_DE.UTF-8");
  const std::string under_comma = format_baseline(two_rows());
  const double read = parse_baseline(text, "x.json").rows[1].us;
  std::locale::global(old);
  setlocale(LC_ALL, "C");
  EXPECT_EQ(under_comma, text) << (c_locale != nullptr ? c_locale : "C++ locale only");
  EXPECT_EQ(read, 12.5);
}

}  // namespace
}  // namespace census
