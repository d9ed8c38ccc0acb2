// SPDX-License-Identifier: MIT
// selftest, end to end, on the scripted executable.
#include "fake_run.hpp"
#include <census/selftest.hpp>

namespace gate_test {
namespace {

census::Selftest record_of(const FakeRun& fake, const std::string& file = "s.json") {
  return census::parse_selftest(fake.text_of(file), file);
}

/// The baseline of fake.one alone, with a machine start for each of these times.
census::Baseline with_starts(const std::vector<double>& us) {
  census::Baseline baseline = fake_baseline();
  baseline.rows.resize(1);
  for (const double time : us) {
    const std::string id = "boot-" + std::to_string(baseline.rows[0].occasions.size());
    baseline.rows[0].occasions.push_back({.id = id,
                                          .us = time,
                                          .date = "2026-12-01",
                                          .run_us = {time, time, time},
                                          .ceiling_tbs = baseline.control.ceiling_tbs});
  }
  return baseline;
}

TEST(SelftestRun, OfASteadyDeviceHasNoFalseAlarm) {
  const FakeRun fake;
  write_baseline(fake);
  const auto ended = fake.run("selftest --aa 2 --ab 1 -o s.json");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("gate, nothing planted: whole runs with a row regressed: 0 of 2"));
  EXPECT_THAT(ended.output, HasSubstr("ab, nothing planted: whole runs with a row slower: 0 of 1"));
  EXPECT_EQ(record_of(fake).sessions.at(0).tries.size(), 6U);
}

TEST(SelftestRun, FindsWhatItPlants) {
  const FakeRun fake;
  write_baseline(fake);
  const auto ended = fake.run("selftest --plant 8 --tries 2 --ab-plant 3 --ab-tries 2 --pause 0 -o s.json");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("gate, 8 % planted: rows regressed: 2 of 2"));
  EXPECT_THAT(ended.output, HasSubstr("ab, 3 % planted: rows slower: 2 of 2"));
}

TEST(SelftestRun, BeginsTheSearchForAPlantWhereTheTryBeforeEndedIt) {
  const FakeRun fake;
  write_baseline(fake);
  // The scripted search ends 16 bytes after where it begins, and fake.one has three processes and no
  // confirmation: 1 % is within the tolerance.
  (void)fake.run("selftest --row fake.one --plant 1 --tries 2 -o s.json");
  EXPECT_THAT(fake.text_of("script.fake.one.plants"), HasSubstr("0 16 32 48 64 80"));
}

TEST(SelftestRun, ReportsAFalseAlarm) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.two * us=11\n");
  const auto ended = fake.run("selftest --aa 1 -o s.json");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("rows regressed: 1 of 2"));
}

TEST(SelftestRun, GivesEveryFaultItsOwnVerdict) {
  const FakeRun fake;
  write_baseline(fake);
  const auto ended = fake.run("selftest --faults -o s.json");
  EXPECT_EQ(ended.code, 0) << ended.output;
  for (const char* line : {"fault flip-output: incorrect: 1 of 1", "fault nan: invalid: 1 of 1",
                           "fault kill: error: 1 of 1", "fault wrong device key: no_baseline: 1 of 1",
                           "fault row missing in the baseline: no_baseline: 1 of 1",
                           "fault removed row: removed: 1 of 1", "fault comma-locale: pass: 1 of 1"}) {
    EXPECT_THAT(ended.output, HasSubstr(line));
  }
}

TEST(SelftestRun, AddsUpTheFilesOfTwoOccasions) {
  const FakeRun fake;
  write_baseline(fake);
  ASSERT_EQ(fake.run("selftest --aa 1 -o one.json").code, 0);
  ASSERT_EQ(fake.run("selftest --aa 2 -o two.json").code, 0);
  const auto ended = fake.run("selftest --merge one.json two.json");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("whole runs with a row regressed: 0 of 3"));
  EXPECT_EQ(fake.run("selftest --merge one.json one.json").code, 2);
}

TEST(SelftestRun, IsJudgedAgainFromItsRecord) {
  const FakeRun fake;
  write_baseline(fake);
  fake.script("fake.two * us=10.6\n");
  (void)fake.run("selftest --aa 1 -o s.json");
  const auto record = record_of(fake);
  ASSERT_EQ(record.sessions.at(0).tries.size(), 2U);
  for (const auto& one : record.sessions[0].tries)
    EXPECT_EQ(census::to_string(judge_again(one, census::policy_for("fake-gpu")).kind), one.verdict)
        << judge_again(one, census::policy_for("fake-gpu")).reason;
}

TEST(SelftestRun, StartsNothingThatWouldEndTooLate) {
  const FakeRun fake;
  write_baseline(fake);
  const auto ended = fake.run("selftest --aa 100000 --minutes 0.1 -o s.json");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_LT(record_of(fake).sessions.at(0).tries.size(), 2000U);
}

TEST(SelftestRun, WithoutABaselineOrAnythingToTryIsRefused) {
  const FakeRun fake;
  EXPECT_EQ(fake.run("selftest --aa 1").code, 2);
  write_baseline(fake);
  const auto ended = fake.run("selftest");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("--faults"));
  EXPECT_EQ(fake.run("selftest --plant x").code, 2);
}

TEST(SelftestRun, JudgesTheStartsOfABaselineWithoutADevice) {
  const FakeRun fake;
  write_baseline(fake, with_starts({10, 11, 10}));
  const std::string call = "selftest --leave-one-out baselines/fake-gpu.json";
  const auto ended = fake.run(call + " --plant 8 -o s.json");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("recorded starts, nothing planted: rows regressed: 1 of 3"));
  EXPECT_EQ(record_of(fake).sessions.at(0).census, "fake-gate");
  EXPECT_EQ(fake.run("selftest --merge s.json").code, 1);
}

TEST(SelftestRun, RefusesABaselineThatHasNothingToLeaveOut) {
  const FakeRun fake;
  write_baseline(fake, with_starts({10, 10}));
  const std::string call = "selftest --leave-one-out ";
  const auto ended = fake.run(call + "baselines/fake-gpu.json");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("three machine starts"));
  EXPECT_EQ(fake.run(call).code, 2);
  EXPECT_THAT(fake.run(call + "baselines/none.json").output, HasSubstr("none.json"));
  EXPECT_THAT(fake.run(call + "baselines/fake-gpu.json --aa 1").output, HasSubstr("on a device"));
  EXPECT_THAT(fake.run(call + "--merge baselines/fake-gpu.json").output, HasSubstr("either"));
}

TEST(SelftestRun, LeavesAFaultInTheRecordOfMeasure) {
  const FakeRun fake;
  EXPECT_EQ(fake.run("measure --row fake.one --fault flip-output -o r.json").code, 1);
  EXPECT_EQ(census::read_result(fake.path / "r.json").runs.at(0).fault, "flip-output");
  EXPECT_EQ(fake.run("measure --row fake.one --fault flip -o r.json").code, 2);
}

}  // namespace
}  // namespace gate_test
