// SPDX-License-Identifier: MIT
// The life of a baseline, walked through with the command line in a git repository of its own: from the first
// measurement over a planted improvement to the diff that a reviewer sees, and what the ratchet refuses on
// the way.
#include "fake_run.hpp"

#include <cstdlib>

namespace gate_test {
namespace {

class RefreshWalk : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("git --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no git";
    std::ofstream(fake.path / "kernel.cu") << "slow\n";
    std::ofstream(fake.path / ".gitignore") << "script*\nlocks\nresults\n*.out\n";
    git("init -q");
    commit("Start");
  }
  std::string git(const std::string& arguments) const {
    const std::string out = (fake.path / "git.out").string();
    const std::string command = "git -C '" + fake.path.string() +
                                "' -c user.name=t -c user.email=t@example.org " + arguments + " > '" + out +
                                "' 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command << fake.text_of("git.out");
    return fake.text_of("git.out");
  }
  void commit(const std::string& subject) const {
    git("add -A");
    git("commit -q --allow-empty -m '" + subject + "'");
  }
  /// Three processes of both GPU rows on one machine start.
  void measure(const std::string& boot, const std::string& variables = "") const {
    std::filesystem::create_directories(fake.path / "results");
    for (int i = 0; i < 3; ++i) {
      const std::string file = "results/" + boot + std::to_string(i) + ".json";
      const auto ended = fake.run(
          "measure --backend cuda -o " + file,
          "FAKE_COMMIT=0123456789abcdef0123456789abcdef01234567 FAKE_BOOT=" + boot + " " + variables);
      ASSERT_EQ(ended.code, 0) << ended.output;
    }
  }
  [[nodiscard]] Ended refresh(const std::string& boot, const std::string& options = "") const {
    const std::string files =
        "results/" + boot + "0.json results/" + boot + "1.json results/" + boot + "2.json ";
    return fake.run("refresh " + (boot.empty() ? "" : files) + options);
  }
  /// A baseline of the rows at 10 us, from two starts, committed and tagged v1.
  void begin() const {
    fake.script("fake.one * us=10 code=c1\nfake.two * us=10 code=c2\n");
    for (const std::string boot : {"monday", "tuesday"}) {
      measure(boot);
      ASSERT_EQ(refresh(boot).code, 0);
      commit("Baseline of " + boot);
    }
    git("tag v1");
  }
  FakeRun fake;
};

TEST_F(RefreshWalk, FromAPlantedImprovementToTheDiff) {
  begin();
  // The kernel becomes 15 % faster. The gate says so and names the way.
  std::ofstream(fake.path / "kernel.cu") << "fast\n";
  fake.script("fake.one * us=8.5 code=c9\nfake.two * us=10 code=c2\n");
  const auto gate = fake.gate("fake.one");
  EXPECT_EQ(gate.code, 0);
  EXPECT_THAT(gate.output, AllOf(HasSubstr("improved: median of 3 runs 8.500 us"), HasSubstr("refresh")));

  // Not from a tree with changes, and not without a look first.
  measure("friday");
  const auto dirty = refresh("friday");
  EXPECT_EQ(dirty.code, 2);
  EXPECT_THAT(dirty.output, HasSubstr("uncommitted changes ( M kernel.cu)"));
  commit("Faster kernel");
  const auto dry = refresh("friday", "--dry-run");
  EXPECT_EQ(dry.code, 0) << dry.output;
  EXPECT_THAT(dry.output, HasSubstr("fake.one  replaced  10.00 us -> 8.500 us (-15.0 %), 2 -> 1 occasion"));
  EXPECT_THAT(dry.output, HasSubstr("since v1 -15.0 %"));
  EXPECT_THAT(dry.output,
              HasSubstr("fake.two  accumulated  10.00 us -> 10.00 us (+0.0 %), 2 -> 3 occasions"));
  EXPECT_THAT(dry.output, HasSubstr("control: ceiling 4.000 -> 4.000 TB/s (+0.0 %), 2 -> 3 occasions"));
  EXPECT_EQ(git("status --porcelain"), "");

  // The diff is one line for each row that has something new, and the control's occasions.
  EXPECT_EQ(refresh("friday").code, 0);
  EXPECT_EQ(git("diff --numstat"), "3\t3\tbaselines/fake-gpu.json\n");
  EXPECT_THAT(git("diff -U0"), AllOf(HasSubstr("-    {\"id\": \"fake.one\", \"us\": 10,"),
                                     HasSubstr("+    {\"id\": \"fake.one\", \"us\": 8.5,")));
  commit("Refresh the baseline");
  EXPECT_THAT(fake.gate("fake.one").output, HasSubstr("pass: median of 3 runs 8.500 us within 8.500 us"));

  const auto drift = fake.run("drift");
  EXPECT_EQ(drift.code, 0) << drift.output;
  EXPECT_THAT(drift.output,
              AllOf(HasSubstr("drift since v1"), HasSubstr("fake.one  10.00 us -> 8.500 us (-15.0 %)"),
                    HasSubstr("fake.two  10.00 us -> 10.00 us (+0.0 %)")));
}

TEST_F(RefreshWalk, ALossNeedsItsReasonAndBesideAGainItsName) {
  begin();
  fake.script("fake.one * us=8.5 code=c9\nfake.two * us=11 code=c8\n");
  EXPECT_EQ(fake.gate("fake.two").code, 1);
  measure("friday");
  EXPECT_THAT(refresh("friday").output, HasSubstr("row fake.two: slower than before, 10.00 us -> 11.00 us"));
  const auto mixed = refresh("friday", "--reason 'one shares what two had'");
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.output, HasSubstr("or name the losses with --accept-loss fake.two"));
  EXPECT_EQ(git("status --porcelain"), "");
  // The gain by itself needs nothing; the loss is then a refresh that says only that.
  EXPECT_EQ(refresh("friday", "--row fake.one").code, 0);
  EXPECT_EQ(refresh("friday", "--row fake.two --reason 'one shares what two had'").code, 0);
  EXPECT_EQ(fake.gate("fake.two").code, 0);
}

TEST_F(RefreshWalk, ASlipInEachRefreshAddsUpInTheDrift) {
  begin();
  for (const auto& [boot, us] : {std::pair("friday", "10.04"), std::pair("sunday", "10.08")}) {
    fake.script(std::string("fake.one * us=") + us + " code=" + boot + "\nfake.two * us=10 code=c2\n");
    measure(boot);
    EXPECT_EQ(refresh(boot).code, 0);
    commit("Refresh the baseline");
  }
  EXPECT_THAT(fake.run("drift --row fake.one").output, HasSubstr("10.00 us -> 10.08 us (+0.8 %)"));
  EXPECT_THAT(fake.run("drift --since HEAD~1 --row fake.one").output,
              HasSubstr("10.04 us -> 10.08 us (+0.4 %)"));
  EXPECT_THAT(fake.run("drift --format json").output, HasSubstr("\"loss_percent\": 0.8"));
  EXPECT_THAT(fake.run("drift --format markdown").output, HasSubstr("| fake.one | 10.00 | 10.08 |"));
}

TEST_F(RefreshWalk, ADriverChangeShowsTheControl) {
  begin();
  fake.script("fake.one * us=10.2 code=c1 ceiling=3.9\nfake.two * us=10.2 code=c2 ceiling=3.9\n");
  measure("friday", "FAKE_DRIVER=590.2");
  EXPECT_THAT(refresh("friday").output, HasSubstr("the baseline is of driver branch 580, the runs of 590"));
  EXPECT_THAT(refresh("friday", "--row fake.one --reason driver").output,
              HasSubstr("measure these too: fake.two"));
  const auto whole = refresh("friday", "--reason 'driver 590.2'");
  EXPECT_EQ(whole.code, 0) << whole.output;
  EXPECT_THAT(whole.output, HasSubstr("control: ceiling 4.000 -> 3.900 TB/s (-2.5 %), 2 -> 1 occasion"));
}

TEST_F(RefreshWalk, ARowThatTheCensusLacksIsDroppedByName) {
  begin();
  EXPECT_THAT(refresh("", "--drop fake.two").output,
              HasSubstr("row fake.two: the census still has it on cuda"));
  EXPECT_THAT(refresh("", "--drop fake.tow").output,
              HasSubstr("no baseline in baselines has the row fake.tow"));
  const auto dropped = fake.run("refresh --drop fake.two", "FAKE_WITHOUT=fake.two");
  EXPECT_EQ(dropped.code, 0) << dropped.output;
  EXPECT_THAT(dropped.output, HasSubstr("fake.two  dropped  was 10.00 us"));
  EXPECT_THAT(dropped.output, HasSubstr("gone since v1: fake.two"));
  EXPECT_THAT(git("diff -U0"), HasSubstr("-    {\"id\": \"fake.two\""));
}

TEST_F(RefreshWalk, ARenamedRowKeepsItsBaseline) {
  begin();
  EXPECT_THAT(refresh("", "--rename fake.one=fake.uno").output, HasSubstr("the census still has it on cuda"));
  const auto renamed = fake.run("refresh --rename fake.one=fake.uno", "FAKE_RENAMED=1");
  EXPECT_EQ(renamed.code, 0) << renamed.output;
  EXPECT_THAT(renamed.output, HasSubstr("fake.uno (was fake.one)  kept"));
  EXPECT_EQ(fake.run("gate --row fake.uno --pause 0", "FAKE_RENAMED=1").code, 0);
  EXPECT_THAT(fake.run("drift").output, HasSubstr("fake.uno  10.00 us -> 10.00 us (+0.0 %), was fake.one"));
}

TEST_F(RefreshWalk, DriftWithoutATagAsksForACommit) {
  EXPECT_EQ(fake.run("drift").code, 2);
  EXPECT_THAT(fake.run("drift").output, HasSubstr("name a commit with --since REF"));
  EXPECT_THAT(fake.run("drift --since --evil").output, HasSubstr("\"--evil\""));
}

}  // namespace
}  // namespace gate_test
