// SPDX-License-Identifier: MIT
// The paired gate, end to end: base and head are the scripted executable with a script each.
#include "fake_run.hpp"
#include <census/ab.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace gate_test {
namespace {

namespace fs = std::filesystem;

/// Two executables in one directory: shell scripts that call the scripted one.
class TwoBuilds {
 public:
  TwoBuilds() {
    write("base");
    write("head");
  }

  /// The script of a side, the variables it has more, and what it does after the scripted executable.
  void script(const std::string& side, const std::string& text) const {
    std::ofstream(fake.path / (side + ".script")) << text;
  }
  void write(const std::string& side, const std::string& variables = "",
             const std::string& afterwards = "") const {
    const fs::path file = fake.path / side;
    std::ofstream(file) << "#!/bin/sh\nexport FAKE_SCRIPT='" << (fake.path / (side + ".script")).string()
                        << "' " << variables << "\n'" FAKE_GATE "' \"$@\" || exit $?\n"
                        << afterwards << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  [[nodiscard]] Ended ab(const std::string& options = "") const {
    return fake.run("ab --base ./base --head ./head " + options);
  }
  [[nodiscard]] std::string measurements(const std::string& side, const std::string& row) const {
    return fake.text_of(side + ".script." + row + ".count");
  }

  FakeRun fake;
};

TEST(Ab, OfEqualBuildsPassesAfterSixPairs) {
  const TwoBuilds builds;
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_EQ(builds.measurements("head", "fake.one"), "6");
  EXPECT_EQ(builds.measurements("base", "fake.one"), "12") << "the null control is the base once more";
  EXPECT_THAT(ended.output, HasSubstr("2 pass; 18 processes"));
}

TEST(Ab, BlocksARowThatIsThreePercentSlowerAfterTwelvePairs) {
  const TwoBuilds builds;
  builds.script("head", "fake.one * us=10.3\n");
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("slower: head 10.30 us"), HasSubstr("+3.00 %"), HasSubstr("1 pass")));
  EXPECT_EQ(builds.measurements("head", "fake.one"), "12");
  EXPECT_EQ(builds.measurements("head", "fake.two"), "6");
}

TEST(Ab, LetsOnePercentThrough) {
  const TwoBuilds builds;
  builds.script("head", "fake.one * us=10.1\n");
  EXPECT_EQ(builds.ab().code, 0);
}

TEST(Ab, CallsAGainFasterAndPasses) {
  const TwoBuilds builds;
  builds.script("head", "fake.one * us=9.5\n");
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("faster"));
}

TEST(Ab, PlantsInHeadAlone) {
  const TwoBuilds builds;
  const auto ended = builds.ab("--plant 'cuda:fake.two=4'");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("slower: head 10.40 us"), HasSubstr("planted in head: +4.00 %")));
}

TEST(Ab, BeginsTheSearchForAPlantWhereTheProcessBeforeEndedIt) {
  const TwoBuilds builds;
  builds.write("head", "", "echo \"$*\" >> '" + (builds.fake.path / "head.arguments").string() + "'");
  (void)builds.ab("--plant 'cuda:fake.two=4'");
  const std::string given = builds.fake.text_of("head.arguments");
  EXPECT_THAT(given, HasSubstr("--plant cuda:fake.two=4\n"));
  // The scripted search ends 16 bytes after where it begins.
  EXPECT_THAT(given, AllOf(HasSubstr("--plant cuda:fake.two=4,cuda:fake.two=4@16\n"),
                           HasSubstr("--plant cuda:fake.two=4,cuda:fake.two=4@80\n")));
}

TEST(Ab, WhoseNullControlMovesIsInconclusive) {
  const TwoBuilds builds;
  // Base and control are runs of one executable: 0 and 1 in the first pair, 3 and 2 in the second.
  std::string script;
  for (const int control : {1, 2, 5, 6, 9, 10, 13, 14, 17, 18, 21, 22})
    script += "fake.one " + std::to_string(control) + " us=10.5\n";
  builds.script("base", script);
  builds.script("head", "fake.two * us=11\n");
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("INCONCLUSIVE: the null control moved"), HasSubstr("else slower")));
}

TEST(Ab, WithFivePairsIsRefusedBecauseItCannotFail) {
  const TwoBuilds builds;
  const auto ended = builds.ab("--pairs 5");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("5 pairs can never block"));
  EXPECT_EQ(builds.measurements("head", "fake.one"), "");
}

TEST(Ab, NamesTheSideThatIsNoExecutable) {
  const TwoBuilds builds;
  const auto ended = builds.fake.run("ab --base ./nowhere --head ./head");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("--base ./nowhere: no executable"));
}

TEST(Ab, WithoutABaseSaysWhatIsMissing) {
  const TwoBuilds builds;
  const auto ended = builds.fake.run("ab");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("--base EXECUTABLE"));
}

TEST(Ab, NamesTheSideThatDoesNotRun) {
  const TwoBuilds builds;
  std::ofstream(builds.fake.path / "base") << "#!/bin/sh\necho libcuda.so.1: not found >&2; exit 127\n";
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("--base"), HasSubstr("libcuda.so.1: not found")));
}

TEST(Ab, NamesTheSideWhoseRecordsHaveAnotherSchema) {
  const TwoBuilds builds;
  builds.write(
      "base", "",
      "for f in \"$@\"; do case $f in *run.json) sed -i 's/\"schema_version\": 1/\"schema_version\": 9/' "
      "\"$f\";; esac; done");
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 2) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("base's process of pair 1"), HasSubstr("schema_version")));
}

TEST(Ab, NamesRowsThatOneSideLacks) {
  const TwoBuilds builds;
  builds.write("head", "FAKE_WITHOUT=fake.two");
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("fake.two"), HasSubstr("only base has this row")));
  EXPECT_EQ(builds.ab("--common").code, 0);
}

TEST(Ab, NamesTheSideThatLacksTheForcedArm) {
  const TwoBuilds builds;
  builds.write("head", "FAKE_ARM=fast");
  const auto ended = builds.ab("--arm fast");
  EXPECT_EQ(ended.code, 2) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("base's row fake.one has only plain"));
}

TEST(Ab, NamesTheSideAndThePairOfAProcessThatDies) {
  const TwoBuilds builds;
  builds.script("head", "fake.two 2 crash=11\n");
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 2) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("head's process of pair 3"));
}

TEST(Ab, CallsADifferentDigestANumericChange) {
  const TwoBuilds builds;
  builds.script("head", "fake.one * digest=00000000000000bb\n");
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("numeric_change"), HasSubstr("00000000000000aa in base")));
  EXPECT_EQ(builds.ab("--accept-numeric-change").code, 0);
}

TEST(Ab, DoesNotTimeAHeadThatIsWrong) {
  const TwoBuilds builds;
  builds.script("head", "fake.one * status=incorrect reason=element_7_differs\n");
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("incorrect"), HasSubstr("element 7 differs")));
  EXPECT_EQ(builds.measurements("head", "fake.one"), "1");
}

TEST(Ab, IsInconclusiveOnARowWhoseBaseIsWrong) {
  const TwoBuilds builds;
  builds.script("base", "fake.one * status=incorrect reason=element_7_differs\n");
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("base's process of pair 1: incorrect"));
}

TEST(Ab, DoesNotBlameCodeForADeviceThatChangedMeanwhile) {
  const TwoBuilds builds;
  builds.script("head", "fake.one * us=11 finding=process_4711_uses_the_GPU\n");
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("4711"));
}

TEST(Ab, TimesEqualCodeAsALiveControl) {
  const TwoBuilds builds;
  builds.script("base", "fake.one * code=c0de\n");
  builds.script("head", "fake.one * code=c0de us=11\n");
  const auto ended = builds.ab();
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("the live control moved: fake.one"));
}

TEST(Ab, TimesEqualCodeLikeAnyOtherWhereItIsTold) {
  const TwoBuilds builds;
  builds.script("base", "fake.one * code=c0de\n");
  builds.script("head", "fake.one * code=c0de us=11\n");
  const auto ended = builds.ab("--ignore-code");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("slower: head 11.00 us"));
}

TEST(Ab, NamesWhoHoldsTheDevice) {
  const TwoBuilds builds;
  (void)builds.ab();  // makes the lock file
  const auto locks = fs::directory_iterator(builds.fake.path / "locks");
  const int held = open(locks->path().c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  const auto ended = builds.ab("--lock-wait 0");
  close(held);
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr(std::to_string(getpid())));
}

TEST(Ab, WithoutADeviceComparedNothing) {
  const TwoBuilds builds;
  builds.fake.script("none cuda no driver\n");
  const auto ended = builds.ab("--backend cuda");
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("no driver"));
}

TEST(Ab, GlobThatMatchesNothingNamesTheNearest) {
  const TwoBuilds builds;
  const auto ended = builds.ab("--row fake.onne");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output, HasSubstr("nearest: fake.one"));
}

TEST(Ab, RefusesWhatIsNeverGated) {
  const TwoBuilds builds;
  EXPECT_EQ(builds.ab("--cache hot").code, 2);
  EXPECT_EQ(builds.ab("--launch stream").code, 2);
}

TEST(Ab, WritesAFileThatReadsBack) {
  const TwoBuilds builds;
  builds.script("head", "fake.one * us=10.3\n");
  (void)builds.ab("--format json -o ab.json");
  const auto report = census::parse_ab_report(builds.fake.text_of("ab.json"), "ab.json");
  ASSERT_EQ(report.rows.size(), 2U);
  EXPECT_EQ(report.rows[0].kind, census::AbKind::slower);
  EXPECT_EQ(report.rows[0].head_run_us.size(), 12U);
  EXPECT_EQ(report.controls.size(), 2U);
}

TEST(Ab, WritesMarkdown) {
  const TwoBuilds builds;
  builds.script("head", "fake.one * us=10.3\n");
  EXPECT_THAT(builds.ab("--format markdown").output,
              HasSubstr("| fake.one | slower | 10.00 | 10.30 | +3.00 |"));
}

TEST(AbAsCtest, LeavesTheVerdictsToTheRows) {
  const TwoBuilds builds;
  builds.script("head", "fake.one * us=10.3\n");
  ASSERT_EQ(builds.ab("--begin ab").code, 0);
  const auto slow = builds.fake.run("ab --results ab --row fake.one --backend cuda");
  EXPECT_EQ(slow.code, 1) << slow.output;
  EXPECT_THAT(slow.output, HasSubstr("slower: fake.one"));
  EXPECT_EQ(builds.fake.run("ab --results ab --row fake.two --backend cuda").code, 0);
  EXPECT_EQ(builds.fake.run("ab --results ab --row fake.three --backend cpu").code, 77);
  EXPECT_EQ(builds.fake.run("ab --end ab").code, 0);
}

TEST(AbAsCtest, ReportsARowThatOnlyTheBaseHas) {
  const TwoBuilds builds;
  builds.write("head", "FAKE_WITHOUT=fake.two");
  ASSERT_EQ(builds.ab("--begin ab").code, 0);
  EXPECT_EQ(builds.fake.run("ab --end ab", "FAKE_WITHOUT=fake.two").code, 3);
}

TEST(AbAsCtest, IsRedWhenNothingWasCompared) {
  const TwoBuilds builds;
  EXPECT_EQ(builds.fake.run("ab --results ab --row fake.one").code, 2);
  EXPECT_EQ(builds.fake.run("ab --end ab").code, 2);
  builds.fake.script("none cuda no driver\n");
  EXPECT_EQ(builds.ab("--begin ab --backend cuda").code, 3);
}

TEST(AbAsCtest, LeavesNoOldComparisonWhenTheNewOneFails) {
  const TwoBuilds builds;
  ASSERT_EQ(builds.ab("--begin ab").code, 0);
  std::ofstream(builds.fake.path / "base") << "#!/bin/sh\nexit 1\n";
  ASSERT_EQ(builds.ab("--begin ab").code, 2);
  EXPECT_EQ(builds.fake.run("ab --results ab --row fake.one").code, 2);
}

}  // namespace
}  // namespace gate_test
