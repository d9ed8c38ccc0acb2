// SPDX-License-Identifier: MIT
// judge --replay: which recorded verdicts another policy would flip.
#include "fake_run.hpp"

namespace gate_test {
namespace {

/// fake.one is 7 % slower than its baseline, fake.two as fast as it; the Fake GPU's policy is 5 %.
class Replay : public testing::Test {
 protected:
  Replay() {
    write_baseline(fake);
    fake.script("fake.one * us=10.7\n");
    (void)fake.gate("fake.one");
    (void)fake.gate("fake.two");
  }
  FakeRun fake;
};

TEST_F(Replay, NamesTheVerdictsThatFlip) {
  const auto ended = fake.run("judge results --replay --tolerance 8");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("the policy in force -> tolerance 8 %"));
  EXPECT_THAT(ended.output, HasSubstr("fake.one  cuda  1.070  FLIP regressed -> pass"));
  EXPECT_THAT(ended.output, HasSubstr("fake.two  cuda  1.000       pass -> pass"));
  EXPECT_THAT(ended.output, HasSubstr("1 of 2 verdicts flip: 1 regressed -> pass"));
}

TEST_F(Replay, SaysWhatTheRecordsCannot) {
  fake.script("fake.two * us=10.2\n");
  (void)fake.gate("fake.two");  // a pass, so that there is no second look
  const auto ended = fake.run("judge results --replay --tolerance 1");
  EXPECT_THAT(ended.output, HasSubstr("pass -> regressed: fake.two"));
  EXPECT_THAT(ended.output, HasSubstr("the records hold no second look"));
}

TEST_F(Replay, ReplaysTheFloorAndTheControlToo) {
  EXPECT_THAT(fake.run("judge results --replay --floor 1").output, HasSubstr("1 regressed -> pass"));
  fake.script("fake.one * us=11 ceiling=3.9\n");
  (void)fake.gate("fake.one");
  EXPECT_THAT(fake.run("judge results/cuda.fake.one.json --replay --control-tolerance 1").output,
              HasSubstr("regressed -> environment"));
}

TEST_F(Replay, GivesJsonAndMarkdown) {
  const std::string call = "judge results --replay --tolerance 8 --format ";
  EXPECT_THAT(fake.run(call + "json").output,
              AllOf(HasSubstr("\"kind\": \"replay\""), HasSubstr("\"flips\": 1,"),
                    HasSubstr("\"recorded\": \"regressed\""), HasSubstr("\"flips\": true")));
  EXPECT_THAT(fake.run(call + "markdown").output, HasSubstr("| regressed | regressed | **pass** |"));
}

TEST_F(Replay, ShowsWhereTheRecordWasOfAnotherBaseline) {
  auto baseline = fake_baseline();
  for (auto& row : baseline.rows) row.us = 10.7;
  write_baseline(fake, baseline);
  EXPECT_THAT(fake.run("judge results --replay --tolerance 8").output,
              HasSubstr("pass -> pass, recorded as regressed"));
}

TEST_F(Replay, NeedsAnotherPolicyAndIsTheOnlyOneToTakeIt) {
  EXPECT_EQ(fake.run("judge results --replay").code, 2);
  EXPECT_THAT(fake.run("judge results --tolerance 8").output, HasSubstr("only with --replay"));
}

}  // namespace
}  // namespace gate_test
