// SPDX-License-Identifier: MIT
// report: what a gate recorded, as a page for a person or a CI system.
#include "fake_run.hpp"

namespace gate_test {
namespace {

TEST(ReportCommand, GivesJunitWithNumbersAndReason) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=11\n");
  (void)fake.gate("fake.one");
  (void)fake.gate("fake.two");
  const auto ended = fake.run("report results --format junit");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""));
  EXPECT_THAT(ended.output, HasSubstr("<failure type=\"regressed\" message=\"median of 3 runs 11"));
  EXPECT_THAT(ended.output, HasSubstr("<property name=\"us\" value=\"11.0000\"/>"));
}

TEST(ReportCommand, TakesStrictnessFromTheRecord) {
  const FakeRun fake;
  (void)fake.gate("fake.one");
  EXPECT_THAT(fake.run("report results --format junit").output,
              HasSubstr("<skipped message=\"no_baseline: "));
  (void)fake.gate("fake.one", "", "CENSUS_STRICT=1");
  EXPECT_THAT(fake.run("report results --format junit").output, HasSubstr("<error type=\"no_baseline\""));
}

TEST(ReportCommand, GivesTheOtherFormatsToo) {
  const FakeRun fake;
  write_baseline(fake);
  (void)fake.gate("fake.one");
  EXPECT_THAT(fake.run("report results").output, HasSubstr("fake.one"));
  EXPECT_THAT(fake.run("report results --format markdown").output, HasSubstr("| fake.one |"));
  EXPECT_THAT(fake.run("report results --format json").output, HasSubstr("\"row\": \"fake.one\""));
}

TEST(ReportCommand, SendsBareRunsToJudge) {
  const FakeRun fake;
  (void)fake.run("measure --row fake.one -o run.json");
  const auto ended = fake.run("report run.json");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("see judge"));
}

TEST(ReportCommand, AsksForWhatToRead) {
  EXPECT_EQ(FakeRun().run("report").code, 2);
  EXPECT_EQ(FakeRun().run("report --format xml").code, 2);
}

TEST(ReportCommand, AloneHasJunit) {
  EXPECT_EQ(FakeRun().run("list --format junit").code, 2);
}

}  // namespace
}  // namespace gate_test
