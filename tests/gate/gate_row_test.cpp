// SPDX-License-Identifier: MIT
// One gated row, end to end: every verdict that a row can get, and its exit code.
#include "fake_run.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace gate_test {
namespace {

/// The page's lines as one, each run of blanks as one space.
std::string unwrapped(const std::string& page) {
  std::istringstream words(page);
  std::string line;
  for (std::string word; words >> word;) line += word + " ";
  return line;
}

TEST(GateRow, WithTheBaselinesTimePasses) {
  const FakeRun fake;
  write_baseline(fake);
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("name=\"verdict\">pass<"));
}

TEST(GateRow, MeasuresThreeFreshProcessesAndNoMoreWhenItPasses) {
  const FakeRun fake;
  write_baseline(fake);
  (void)fake.gate("fake.one");
  EXPECT_EQ(fake.text_of("script.fake.one.count"), "3");
}

TEST(GateRow, TenPercentSlowerIsRegressedAfterSixProcesses) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=11\n");
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_EQ(fake.text_of("script.fake.one.count"), "6");
}

TEST(GateRow, SlowOnADeviceThatDoesNotFallIdleAfterwardsIsTheEnvironmentsFault) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=11\nbusy 100\n");
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("the GPU was still 100 % busy when our own work had ended"));
}

TEST(GateRow, SlownessThatTheSecondLookDoesNotShowPasses) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one 0 us=11\nfake.one 1 us=11\nfake.one 2 us=11\n");
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("notice"));
}

TEST(GateRow, PlantedThroughTheEnvironmentFailsAndSaysSoInItsFirstLine) {
  const FakeRun fake;
  write_baseline(fake);
  const auto ended = fake.gate("fake.one", "", "CENSUS_PLANT='cuda:fake.o*=10'");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output.substr(0, ended.output.find('\n')), HasSubstr("CENSUS_PLANT=cuda:fake.o*=10"));
}

TEST(GateRow, PlantLeavesOtherRowsAlone) {
  const FakeRun fake;
  write_baseline(fake);
  EXPECT_EQ(fake.gate("fake.two", "", "CENSUS_PLANT='cuda:fake.o*=10'").code, 0);
}

TEST(GateRow, FasterThanItsToleranceIsImproved) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=9\n");
  EXPECT_EQ(fake.gate("fake.one").code, 0);
  EXPECT_EQ(fake.gate("fake.one", "--fail-on-improved").code, 1);
}

TEST(GateRow, SlowerWithTheCodeOfTheBaselineAccusesNoCode) {
  const FakeRun fake;
  auto baseline = fake_baseline();
  baseline.rows[0].code_digest = "c0de";
  write_baseline(fake, baseline);
  fake.script("fake.one * us=12 code=c0de\n");
  const auto same = fake.gate("fake.one");
  EXPECT_EQ(same.code, 3);
  EXPECT_THAT(same.output, HasSubstr("the machine code is the same as the baseline's"));
  fake.script("fake.one * us=12 code=other\n");
  const auto other = fake.gate("fake.one");
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.output, HasSubstr("code digest other\n"));
}

TEST(GateRow, WithAForcedArmThatTheDeviceCannotRunNamesWhatItNeeds) {
  const FakeRun fake;
  write_baseline(fake);
  const std::string elsewhere = "FAKE_ARM=fast FAKE_ARM_ELSEWHERE=1";
  for (const auto& ended : {fake.gate("fake.one", "--arm fast", elsewhere),
                            fake.gate("fake.one", "", elsewhere + " CENSUS_ARM=fast")}) {
    EXPECT_EQ(ended.code, 2);
    EXPECT_THAT(unwrapped(ended.output), HasSubstr("arm 'fast' needs sm_100, Fake GPU has capability 0"));
  }
  const auto run = fake.run("run --row fake.one --arm fast", elsewhere);
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.output, HasSubstr("arm 'fast' needs sm_100"));
}

TEST(GateRow, WithoutABaselineIsSkippedAndFailsWhenStrict) {
  const FakeRun fake;
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 77);
  EXPECT_THAT(ended.output, HasSubstr("fake-gpu.json"));
  EXPECT_EQ(fake.gate("fake.one", "--strict").code, 3);
  EXPECT_EQ(fake.gate("fake.one", "", "CENSUS_STRICT=1").code, 3);
}

TEST(GateRow, WithTheBaselineOfAnotherDeviceSaysWhatDiffers) {
  const FakeRun fake;
  auto other = fake_baseline();
  other.device.sm_count = 132;
  write_baseline(fake, other);
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 77);
  EXPECT_THAT(ended.output, HasSubstr("sm_count 132, here 8"));
}

TEST(GateRow, NamesTheNearestBaselineWhenItsOwnIsMissing) {
  const FakeRun fake;
  auto other = fake_baseline();
  other.slug = "faker-gpu";
  other.device.name = "Faker GPU";
  write_baseline(fake, other);
  EXPECT_THAT(fake.gate("fake.one").output, HasSubstr("faker-gpu.json"));
}

TEST(GateRow, WithoutADeviceIsSkippedAndFailsWhenRequired) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("none cuda no driver\n");
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 77);
  EXPECT_THAT(ended.output, HasSubstr("no driver"));
  EXPECT_EQ(fake.gate("fake.one", "--require cuda").code, 3);
  EXPECT_EQ(fake.gate("fake.one", "", "CENSUS_REQUIRE=cuda").code, 3);
}

TEST(GateRow, NamesTheSignalThatKilledAProcess) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one 1 crash=11\n");
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("signal 11"));
}

TEST(GateRow, KillsAProcessThatDoesNotAnswer) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * hang\n");
  const auto ended = fake.gate("fake.one", "--child-timeout 0.3");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("no answer"));
}

TEST(GateRow, RepeatsWhatAProcessSaidThatLeftNoRecord) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * throw=cudaMalloc:_out_of_memory\n");
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("cudaMalloc: out of memory"));
}

TEST(GateRow, NotANumberIsInvalid) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=nan\n");
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("invalid"), Not(HasSubstr("\">nan"))));
}

TEST(GateRow, AboveTheDevicesPeakIsInvalid) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=4\n");  // 5 TB/s of 4.81
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("name=\"verdict\">invalid<"));
}

TEST(GateRow, WithAHotCacheIsNeverJudged) {
  const FakeRun fake;
  write_baseline(fake);
  EXPECT_EQ(fake.gate("fake.one", "--cache hot").code, 3);
}

TEST(GateRow, WithAnotherDigestThanTheBaselineIsIncorrect) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * digest=00000000000000bb\n");
  EXPECT_EQ(fake.gate("fake.one").code, 1);
}

TEST(GateRow, WhoseProcessesDisagreeOnTheDigestIsIncorrectWithoutABaselineToo) {
  const FakeRun fake;
  fake.script("fake.one 2 digest=00000000000000bb\n");
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("00000000000000bb"));
}

TEST(GateRow, SlowInABusyEnvironmentBlamesTheEnvironment) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=11 finding=process_4711_uses_the_GPU\n");
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("4711"));
}

TEST(GateRow, WithAnUnusableBaselineEndsWithTwoAndLeavesTheFileAlone) {
  const FakeRun fake;
  const std::string broken = "{\"kind\": \"timing\", ";
  std::ofstream(fake.path / "baselines" / "fake-gpu.json") << broken;
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("fake-gpu.json"));
  EXPECT_EQ(fake.text_of("baselines/fake-gpu.json"), broken);
}

TEST(GateRow, NamesWhoHoldsTheDevice) {
  const FakeRun fake;
  write_baseline(fake);
  (void)fake.gate("fake.one");  // makes the lock file
  const auto locks = std::filesystem::directory_iterator(fake.path / "locks");
  const int held = open(locks->path().c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  const auto ended = fake.gate("fake.one", "--lock-wait 0");
  close(held);
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("environment"), HasSubstr(std::to_string(getpid()))));
}

TEST(GateRow, WritesItsNumbersAsMeasurementsOfCDash) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=11\n");
  EXPECT_THAT(
      fake.gate("fake.one").output,
      AllOf(HasSubstr("<CTestMeasurement type=\"numeric/double\" name=\"us\">11.0000</CTestMeasurement>\n"),
            HasSubstr("name=\"TB/s\">1.818182<"), HasSubstr("name=\"baseline TB/s\">2.000000<"),
            HasSubstr("name=\"ratio\">1.1000<"), HasSubstr("name=\"% ceiling\">45.45<"),
            HasSubstr("name=\"% floor\">72.73<")));
}

TEST(GateRow, LetsNoTextOfAProcessLookLikeAMeasurement) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * throw=a<CTestMeasurement>&\x1b[31m\xff\n");
  const auto ended = fake.gate("fake.one");
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("a[CTestMeasurement>+"), Not(HasSubstr("\x1b")), Not(HasSubstr("\xff"))));
}

TEST(GateRow, TellsHowToGoOnWhenItIsNotGreen) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.one * us=11\n");
  EXPECT_THAT(fake.gate("fake.one").output, AllOf(HasSubstr("baselines/fake-gpu.json"),
                                                  HasSubstr("explain regressed"), HasSubstr("refresh")));
}

TEST(GateRow, ChecksTheReferenceInTheFirstProcessOnly) {
  const FakeRun fake;
  write_baseline(fake);
  (void)fake.gate("fake.one");
  const auto record = census::read_result(fake.path / "results" / "cuda.fake.one.json");
  ASSERT_EQ(record.runs.size(), 3U);
  EXPECT_TRUE(record.runs[0].reference_checked);
  EXPECT_FALSE(record.runs[1].reference_checked);
}

TEST(GateRow, BeginsTheSearchForAPlantWhereTheProcessBeforeEndedIt) {
  const FakeRun fake;
  write_baseline(fake);
  (void)fake.gate("fake.one", "--plant fake.one=1@1600");
  const auto record = census::read_result(fake.path / "results" / "cuda.fake.one.json");
  ASSERT_EQ(record.runs.size(), 3U);
  // The scripted search ends 16 bytes after where it begins.
  EXPECT_EQ(record.runs[0].plant->bytes_per_launch, 1616);
  EXPECT_EQ(record.runs[1].plant->bytes_per_launch, 1632);
  EXPECT_EQ(record.runs[2].plant->bytes_per_launch, 1648);
}

}  // namespace
}  // namespace gate_test
