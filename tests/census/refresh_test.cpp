// SPDX-License-Identifier: MIT
// refresh() over real files and a git work tree of its own.
#include "samples.hpp"
#include <census/error.hpp>
#include <census/git.hpp>
#include <census/json_io.hpp>
#include <census/refresh.hpp>

#include <gmock/gmock.h>

#include <sys/file.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace census {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// A work tree with a source file, an empty directory of baselines beside it, and results outside of it.
class Refresh : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "census-refresh-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root = name;
    tree = root / "tree";
    results = root / "results";
    fs::create_directories(tree / "baselines");
    fs::create_directories(results);
    std::ofstream(tree / "source.cpp") << "one\n";
    git("init -q");
    commit_all("first");
  }
  void TearDown() override { fs::remove_all(root); }

  void git(const std::string& arguments) const {
    const std::string command = "git -C '" + tree.string() + "' -c user.name=t -c user.email=t@example.org " +
                                arguments + " > /dev/null 2>&1";
    if (std::system("git --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no git";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }
  void commit_all(const std::string& subject) const {
    git("add -A");
    git("commit -q -m " + subject);
  }

  void record(const std::string& name, const std::vector<RowRun>& runs) const {
    std::ofstream(results / name) << format_result({.runs = runs});
  }
  void record_occasion(const std::string& occasion, double us) const {
    record(occasion + ".json", {samples::run("a", us, occasion), samples::run("a", us * 1.001, occasion),
                                samples::run("a", us * 0.999, occasion)});
  }

  /// What refresh prints; throws what it throws.
  std::string refreshed(const RefreshRules& rules = {}, bool dry_run = false) const {
    std::ostringstream out;
    EXPECT_EQ(
        refresh({.results = {results}, .baselines = tree / "baselines", .rules = rules, .dry_run = dry_run},
                out),
        0);
    return out.str();
  }
  /// The one line that a refused refresh throws.
  std::string refusal(const RefreshRules& rules = {}) const {
    try {
      (void)refreshed(rules);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no refusal";
  }

  fs::path root, tree, results;
  [[nodiscard]] fs::path file() const { return tree / "baselines" / "nvidia-h200.json"; }
};

TEST_F(Refresh, WritesABaselineAndPrintsEachRow) {
  record_occasion("b1", 10);
  const std::string printed = refreshed();
  EXPECT_THAT(printed, HasSubstr("a  new  10.00 us, 1 occasion, tolerance 3 %"));
  EXPECT_EQ(read_baseline(file()).rows.at(0).us, 10);
}

TEST_F(Refresh, ADryRunPrintsTheSameAndWritesNothing) {
  record_occasion("b1", 10);
  const std::string printed = refreshed({}, true);
  EXPECT_THAT(printed, HasSubstr("a  new  10.00 us"));
  EXPECT_THAT(printed, HasSubstr("nothing written"));
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(Refresh, OccasionsAccumulateOverCalls) {
  record_occasion("b1", 10);
  (void)refreshed();
  record_occasion("b2", 10);
  EXPECT_THAT(refreshed(), HasSubstr("a  accumulated  10.00 us -> 10.00 us (+0.0 %), 1 -> 2 occasions"));
  EXPECT_EQ(read_baseline(file()).rows.at(0).occasions.size(), 2U);
}

TEST_F(Refresh, SeveralAtOnceLoseNoOccasion) {
  std::vector<std::thread> writers;
  for (const char* occasion : {"b1", "b2", "b3", "b4"}) {
    const fs::path mine = results / occasion;
    fs::create_directories(mine);
    std::ofstream(mine / "r.json") << format_result(
        {.runs = {samples::run("a", 10, occasion), samples::run("a", 10.01, occasion),
                  samples::run("a", 9.99, occasion)}});
    writers.emplace_back([this, mine] {
      std::ostringstream out;
      (void)refresh({.results = {mine}, .baselines = tree / "baselines"}, out);
    });
  }
  for (auto& writer : writers) writer.join();
  EXPECT_EQ(read_baseline(file()).rows.at(0).occasions.size(), 4U);
}

TEST_F(Refresh, TheSameResultsAgainChangeNothing) {
  record_occasion("b1", 10);
  (void)refreshed();
  const std::string before = content(file());
  EXPECT_THAT(refreshed(), HasSubstr("unchanged"));
  EXPECT_EQ(content(file()), before);
}

TEST_F(Refresh, ARecordThatStandsInTwoFilesCountsOnce) {
  record_occasion("b1", 10);
  fs::copy_file(results / "b1.json", results / "merged.json");
  (void)refreshed();
  EXPECT_EQ(read_baseline(file()).rows.at(0).runs, 3);
}

TEST_F(Refresh, FilesOfOtherKindsInTheDirectoryAreNotResults) {
  record_occasion("b1", 10);
  std::ofstream(results / "roster.json") << "{\"kind\": \"roster\"}";
  EXPECT_THAT(refreshed(), HasSubstr("a  new"));
}

TEST_F(Refresh, ABrokenResultFileIsAnErrorNotAGap) {
  record_occasion("b1", 10);
  std::ofstream(results / "b2.json") << "{\"kind\": \"resu";
  EXPECT_THROW((void)refreshed(), FileError);
}

TEST_F(Refresh, AWalkFromAnImprovementToTheDiff) {
  record_occasion("b1", 10);
  (void)refreshed();
  commit_all("baseline");
  git("tag v1");
  fs::remove(results / "b1.json");
  record_occasion("b2", 8.5);
  EXPECT_THAT(refusal(), HasSubstr("say --replace"));
  const std::string printed = refreshed({.replace = true});
  EXPECT_THAT(printed, HasSubstr("a  replaced  10.00 us -> 8.500 us (-15.0 %), 1 -> 1 occasion"));
  EXPECT_THAT(printed, HasSubstr("since v1 -15.0 %"));
  EXPECT_THAT(printed, HasSubstr("since v1: 1 row, time -15.0 % in the geometric mean"));
}

TEST_F(Refresh, ARefusalWritesNothingAndIsOneLine) {
  record_occasion("b1", 10);
  (void)refreshed();
  const std::string before = content(file());
  record_occasion("b2", 10);
  std::vector<RowRun> dirty{samples::run("b", 10, "b2")};
  dirty[0].build.dirty = true;
  record("dirty.json", dirty);
  EXPECT_THAT(refusal(), HasSubstr("row b: a run of"));
  EXPECT_THAT(refusal(), Not(HasSubstr("\n")));
  EXPECT_EQ(content(file()), before);
}

TEST_F(Refresh, ADirtyTreeIsRefusedNamingTheFile) {
  record_occasion("b1", 10);
  std::ofstream(tree / "source.cpp") << "two\n";
  EXPECT_THAT(refusal(), HasSubstr("uncommitted changes ( M source.cpp)"));
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(Refresh, TheBaselinesOwnChangesDoNotMakeTheTreeDirty) {
  record_occasion("b1", 10);
  (void)refreshed();
  commit_all("baseline");
  record_occasion("b2", 10);
  (void)refreshed();
  record_occasion("b3", 10);
  EXPECT_THAT(refreshed(), HasSubstr("2 -> 3 occasions"));
}

TEST_F(Refresh, OutsideOfAWorkTreeItSaysSoAndGoesOn) {
  record_occasion("b1", 10);
  fs::remove_all(tree / ".git");
  EXPECT_THAT(refreshed(), HasSubstr("whether the tree is clean is unknown"));
}

TEST_F(Refresh, AMalformedBaselineIsNeverRewritten) {
  record_occasion("b1", 10);
  std::ofstream(file()) << "<<<<<<< ours";
  EXPECT_THROW((void)refreshed(), FileError);
  EXPECT_EQ(content(file()), "<<<<<<< ours");
}

TEST_F(Refresh, WithoutADirectoryOfBaselinesItNamesIt) {
  record_occasion("b1", 10);
  std::ostringstream out;
  EXPECT_THROW(refresh({.results = {results}, .baselines = root / "missing"}, out), FileError);
}

TEST_F(Refresh, WithoutResultsItIsBadUsage) {
  std::ostringstream out;
  EXPECT_THROW(refresh({.baselines = tree / "baselines"}, out), UsageError);
  EXPECT_THROW(refresh({.results = {results}, .baselines = tree / "baselines"}, out), UsageError);
}

TEST_F(Refresh, BothBackendsGoToTheirOwnFilesAllOrNothing) {
  record_occasion("b1", 10);
  record("cpu.json", std::vector<RowRun>(1, samples::cpu_run("a", 0.8)));
  EXPECT_THAT(refusal(), HasSubstr("1 runs are too few"));
  EXPECT_FALSE(fs::exists(file()));
  std::vector<RowRun> twenty;
  for (int i = 0; i < 20; ++i) twenty.push_back(samples::cpu_run("a", 0.8 + 0.001 * i));
  record("cpu.json", twenty);
  (void)refreshed();
  EXPECT_TRUE(fs::exists(file()));
  EXPECT_TRUE(fs::exists(tree / "baselines" / "cpu-generic.json"));
}

}  // namespace
}  // namespace census
