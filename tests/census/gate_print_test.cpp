// SPDX-License-Identifier: MIT
#include <census/gate.hpp>

#include <gmock/gmock.h>

#include <limits>
#include <locale>

namespace census {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

/// 40 MB in 10 us are 4 TB/s, 80 % of the ceiling; the floor is 9 us.
GatedRow gated() {
  GatedRow row;
  row.row.row = "bf16.qkvg_full.4096x5152";
  row.row.verdict.kind = Kind::regressed;
  row.row.verdict.reason = "a < b & \x1b[31m";
  row.row.verdict.us = 10;
  row.row.verdict.tbs = 4;
  row.row.verdict.baseline_us = 8;
  row.row.verdict.baseline_tbs = 5;
  row.row.verdict.ratio = 1.25;
  row.row.verdict.mde_percent = 4.5;
  RowRun run;
  run.status = RunStatus::measured;
  run.cold_bytes = {40'000'000};
  run.row_series = {{}, 10, 10, 10};
  run.floor = Series{{}, 9, 9, 9};
  run.ceiling_tbs = 5;
  run.during.sm_clock_mhz = Reading<double>::of(1980);
  row.runs = {run};
  return row;
}

std::string number(const std::string& name, const std::string& value) {
  return "<CTestMeasurement type=\"numeric/double\" name=\"" + name + "\">" + value + "</CTestMeasurement>\n";
}

TEST(MeasurementLines, HoldEveryNumberOfARedRow) {
  const auto lines = measurement_lines(gated());
  for (const auto& line :
       {number("us", "10.0000"), number("TB/s", "4.000000"), number("baseline us", "8.0000"),
        number("baseline TB/s", "5.000000"), number("ratio", "1.2500"), number("% ceiling", "80.00"),
        number("% floor", "90.00"), number("MDE", "4.50"), number("SM clock", "1980")}) {
    EXPECT_THAT(lines, Contains(line));
  }
  EXPECT_THAT(
      lines,
      Contains("<CTestMeasurement type=\"text/string\" name=\"verdict\">regressed</CTestMeasurement>\n"));
}

// ctest drops an element with a '<', a raw '&' or a control character in it.
TEST(MeasurementLines, AreOneElementInOneLineEach) {
  EXPECT_THAT(measurement_lines(gated()),
              Each(MatchesRegex("<CTestMeasurement type=\"[a-z/]+\" name=\"[A-Za-z/% ]+\">[-a-z0-9._]+"
                                "</CTestMeasurement>\n")));
}

// ctest writes entries of these names itself.
TEST(MeasurementLines, LeaveCtestsOwnNamesAlone) {
  for (const auto& line : measurement_lines(gated())) {
    for (const char* name : {"Execution Time", "Exit", "Completion Status", "Processors", "Environment"})
      EXPECT_THAT(line, Not(HasSubstr(name)));
  }
}

TEST(MeasurementLines, LeaveOutWhatIsNotFinite) {
  auto row = gated();
  row.row.verdict.us = std::numeric_limits<double>::quiet_NaN();
  row.row.verdict.tbs = std::numeric_limits<double>::infinity();
  row.row.verdict.ratio.reset();
  const auto lines = measurement_lines(row);
  for (const char* name : {"\"us\"", "\"TB/s\"", "\"ratio\""}) EXPECT_THAT(lines, Each(Not(HasSubstr(name))));
}

TEST(MeasurementLines, DoNotDependOnTheLocale) {
  struct Comma : std::numpunct<char> {
    [[nodiscard]] char do_decimal_point() const override { return ','; }
    [[nodiscard]] std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const auto lines = measurement_lines(gated());
  std::locale::global(before);
  EXPECT_THAT(lines, Contains(number("SM clock", "1980")));
  EXPECT_THAT(lines, Contains(number("us", "10.0000")));
}

}  // namespace
}  // namespace census
