// SPDX-License-Identifier: MIT
// A whole ctest run, end to end: begin, rows, end.
#include "fake_run.hpp"

namespace gate_test {
namespace {

TEST(GateRun, WithAMeasuredRowIsReported) {
  const FakeRun fake;
  write_baseline(fake);
  ASSERT_EQ(fake.run("gate --begin results").code, 0);
  ASSERT_EQ(fake.gate("fake.one").code, 0);
  const auto ended = fake.run("gate --end results");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("fake.one"), HasSubstr("1 pass"), HasSubstr("where the time went")));
}

TEST(GateRun, CountsTheRowsThatWereNotSelected) {
  const FakeRun fake;
  write_baseline(fake);
  (void)fake.run("gate --begin results");
  (void)fake.gate("fake.one");
  EXPECT_THAT(fake.run("gate --end results").output,
              HasSubstr("2 of the 3 rows of the census were not selected"));
}

TEST(GateRun, ThatMeasuredNothingIsRed) {
  const FakeRun fake;
  (void)fake.run("gate --begin results");
  EXPECT_EQ(fake.run("gate --end results").code, 3);
}

TEST(GateRun, WhoseRowsWereAllSkippedIsRed) {
  const FakeRun fake;
  fake.script("none cuda no driver\n");
  (void)fake.run("gate --begin results");
  ASSERT_EQ(fake.gate("fake.one").code, 77);
  ASSERT_EQ(fake.gate("fake.two").code, 77);
  EXPECT_EQ(fake.run("gate --end results").code, 3);
}

TEST(GateRun, OfYesterdayDoesNotMakeAnEmptyRunGreen) {
  const FakeRun fake;
  write_baseline(fake);
  (void)fake.run("gate --begin results");
  ASSERT_EQ(fake.gate("fake.one").code, 0);
  ASSERT_EQ(fake.run("gate --end results").code, 0);
  (void)fake.run("gate --begin results");
  EXPECT_EQ(fake.run("gate --end results").code, 3);
}

TEST(GateRun, IgnoresARecordOfAnotherRunThatWasPutBack) {
  const FakeRun fake;
  write_baseline(fake);
  (void)fake.run("gate --begin results");
  (void)fake.gate("fake.one");
  const auto record = fake.path / "results" / "cuda.fake.one.json";
  std::filesystem::copy_file(record, fake.path / "kept.json");
  (void)fake.run("gate --begin results");
  std::filesystem::copy_file(fake.path / "kept.json", record);
  EXPECT_EQ(fake.run("gate --end results").code, 3);
}

TEST(GateRun, KeepsTheRecordsOfTheRunBefore) {
  const FakeRun fake;
  write_baseline(fake);
  (void)fake.run("gate --begin results");
  (void)fake.gate("fake.one");
  (void)fake.run("gate --begin results");
  const auto earlier = std::filesystem::directory_iterator(fake.path / "results" / "earlier");
  EXPECT_TRUE(std::filesystem::exists(earlier->path() / "cuda.fake.one.json"));
}

TEST(GateRun, ARegressionStaysRedWhenTheRowIsRepeated) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=11\n");
  (void)fake.run("gate --begin results");
  ASSERT_EQ(fake.gate("fake.one").code, 1);
  fake.script("");
  const auto again = fake.gate("fake.one");
  EXPECT_EQ(again.code, 1) << again.output;
  EXPECT_THAT(again.output, HasSubstr("attempt 1"));
}

TEST(GateRun, ARegressionOfAnEarlierRunIsForgotten) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=11\n");
  (void)fake.run("gate --begin results");
  ASSERT_EQ(fake.gate("fake.one").code, 1);
  fake.script("");
  (void)fake.run("gate --begin results");
  EXPECT_EQ(fake.gate("fake.one").code, 0);
}

TEST(GateRun, OtherVerdictsMayBeRepeatedAndAreShown) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one 0 crash=9\n");
  (void)fake.run("gate --begin results");
  ASSERT_EQ(fake.gate("fake.one").code, 2);
  EXPECT_EQ(fake.gate("fake.one").code, 0);
  EXPECT_THAT(fake.run("gate --end results").output, HasSubstr("earlier attempts in this run: error"));
}

TEST(GateRun, ReportsARegressedRowWithoutFailingASecondTime) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=11\n");
  (void)fake.run("gate --begin results");
  (void)fake.gate("fake.one");
  const auto ended = fake.run("gate --end results");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("regressed"));
}

TEST(GateRun, FailsWhenARequiredBackendIsMissing) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("none cpu no cores\n");
  (void)fake.run("gate --begin results");
  ASSERT_EQ(fake.gate("fake.one").code, 0);
  EXPECT_EQ(fake.run("gate --end results").code, 0);
  const auto ended = fake.run("gate --end results", "CENSUS_REQUIRE=cuda,cpu");
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.output, HasSubstr("required backend cpu has no device: no cores"));
}

TEST(GateRun, NamesBaselineRowsThatTheCensusLacks) {
  const FakeRun fake;
  auto baseline = fake_baseline();
  baseline.rows[1].id = "fake.gone";
  write_baseline(fake, baseline);
  (void)fake.run("gate --begin results");
  (void)fake.gate("fake.one");
  const auto ended = fake.run("gate --end results");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("removed"), HasSubstr("fake.gone")));
  EXPECT_EQ(fake.run("gate --end results --strict").code, 3);
}

TEST(GateRun, ARowThatAnswersToAnAliasIsNotRemoved) {
  const FakeRun fake;
  auto baseline = fake_baseline();
  baseline.rows[0].id = "fake.old";
  baseline.rows[0].aliases = {"fake.one"};
  std::swap(baseline.rows[0], baseline.rows[1]);
  write_baseline(fake, baseline);
  (void)fake.run("gate --begin results");
  ASSERT_EQ(fake.gate("fake.one").code, 0);
  EXPECT_THAT(fake.run("gate --end results").output, Not(HasSubstr("removed")));
}

TEST(GateRun, AKilledGateLeavesAnErrorInTheReport) {
  const FakeRun fake;
  write_baseline(fake);
  (void)fake.run("gate --begin results");
  fake.script("die cuda\n");
  ASSERT_EQ(fake.gate("fake.one").code, 137);  // 128 + SIGKILL, as a shell says it
  fake.script("");
  const auto ended = fake.run("gate --end results");
  EXPECT_THAT(ended.output, HasSubstr("did not end"));
  EXPECT_EQ(ended.code, 3);
}

TEST(GateRun, WithAnUnreadableRecordEndsWithTwo) {
  const FakeRun fake;
  write_baseline(fake);
  (void)fake.run("gate --begin results");
  (void)fake.gate("fake.one");
  std::ofstream(fake.path / "results" / "cuda.fake.two.json") << "{";
  const auto ended = fake.run("gate --end results");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("cuda.fake.two.json"));
}

TEST(GateRun, ThatWasNotBegunCannotEnd) {
  const FakeRun fake;
  const auto ended = fake.run("gate --end results");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("gate --begin results"));
}

TEST(GateRun, OverAllRowsCombinesTheirExitCodes) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("none cpu no cores\nfake.two * us=11\n");
  const auto ended = fake.run("gate --pause 0");
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("fake.one"), HasSubstr("fake.two"), HasSubstr("no cores")));
}

TEST(GateRun, IsJudgedAgainFromItsRecords) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=11\n");
  (void)fake.gate("fake.one");
  const auto ended = fake.run("judge results/cuda.fake.one.json");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("regressed"));
}

TEST(GateRun, IsJudgedFromAsManyRunsAsAsked) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=10\nfake.one 0 us=11\nfake.one 1 us=11\n");
  (void)fake.gate("fake.one", "--runs 5");
  EXPECT_EQ(fake.run("judge results --runs 5").code, 0);  // the median of 11, 11, 10, 10, 10
}

}  // namespace
}  // namespace gate_test
