// SPDX-License-Identifier: MIT
// A waived regression from end to end: green, but shown wherever the row is, and red again when it expires.
#include "fake_run.hpp"

namespace gate_test {
namespace {

/// fake.one is 10 % slower than its baseline, and waived until 2026-12-10.
class GateWaiver : public testing::Test {
 protected:
  GateWaiver() {
    write_baseline(fake);
    fake.script("fake.one * us=11\n");
    waive("2026-12-10");
  }
  void waive(const std::string& until, const std::string& row = "fake.one") const {
    std::ofstream(fake.path / "baselines" / "waivers.json")
        << R"({"kind": "waivers", "schema_version": 1, "waivers": [{"row": ")" << row
        << R"(", "owner": "Ann", "reason": "a <b> & c", "date": "2026-12-01", "until": ")" << until
        << "\"}]}";
  }
  FakeRun fake;
};

TEST_F(GateWaiver, LetsTheRowPassAndSaysWhoUntilWhenAndWhy) {
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("regressed, waived: median of 3 runs 11.00 us > "));
  EXPECT_THAT(ended.output, HasSubstr("waiver until 2026-12-10 by Ann: a [b> + c; red again after that"));
  EXPECT_THAT(ended.output, HasSubstr("<CTestMeasurement type=\"text/string\" name=\"waiver\">until "
                                      "2026-12-10 by Ann: a [b> + c</CTestMeasurement>"));
}

TEST_F(GateWaiver, IsRedTheDayAfter) {
  EXPECT_EQ(fake.gate("fake.one", "", "FAKE_TODAY=2026-12-10").code, 0);
  const auto ended = fake.gate("fake.one", "", "FAKE_TODAY=2026-12-11");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("expired after 2026-12-10: the row is"));
}

TEST_F(GateWaiver, IsInEveryReport) {
  (void)fake.run("gate --begin results");
  (void)fake.gate("fake.one");
  const auto report = fake.run("gate --end results");
  EXPECT_EQ(report.code, 0) << report.output;
  EXPECT_THAT(report.output, HasSubstr("waiver: fake.one: until 2026-12-10 by Ann"));
  EXPECT_THAT(report.output, HasSubstr("1 regressed (1 waived)"));
  const std::string page = "report results/cuda.fake.one.json --format ";
  EXPECT_THAT(fake.run(page + "text").output, HasSubstr("waiver: fake.one: until 2026-12-10 by Ann"));
  EXPECT_THAT(
      fake.run(page + "markdown").output,
      AllOf(HasSubstr("| regressed, waived |"), HasSubstr("waiver: fake.one: until 2026-12-10 by Ann")));
  EXPECT_THAT(fake.run(page + "json").output,
              AllOf(HasSubstr("\"verdict\": \"regressed\""), HasSubstr("\"owner\": \"Ann\""),
                    HasSubstr("\"until\": \"2026-12-10\"")));
  EXPECT_THAT(
      fake.run(page + "junit").output,
      AllOf(HasSubstr("failures=\"0\""),
            HasSubstr("<property name=\"waiver\" value=\"until 2026-12-10 by Ann: a &lt;b&gt; &amp; c\"")));
}

TEST_F(GateWaiver, HoldsForRecordedRunsToo) {
  (void)fake.gate("fake.one");
  const auto ended = fake.run("judge results");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("regressed, waived: fake.one"));
}

TEST_F(GateWaiver, CoversNoWrongOutput) {
  fake.script("fake.one * digest=00000000000000bb\n");
  EXPECT_EQ(fake.gate("fake.one").code, 1);
}

TEST_F(GateWaiver, ThatIsNotInOrderStopsTheGateInOneLine) {
  waive("2026-12-10", "fake.oen");
  const auto ended = fake.gate("fake.one");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output,
              HasSubstr("baselines/waivers.json: row fake.oen, field waivers[0].row is no row"));
  EXPECT_EQ(fake.run("gate --begin results").code, 2);
  waive("2027-12-10");
  EXPECT_EQ(fake.run("judge results").code, 2);
}

}  // namespace
}  // namespace gate_test
