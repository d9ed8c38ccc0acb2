// SPDX-License-Identifier: MIT
#include "samples.hpp"
#include <census/ab_measure.hpp>

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

namespace census {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Two builds whose rows take what is said here, and the processes they were asked for: "base 0 a b".
struct Builds {
  std::map<std::string, double> base_us, head_us;
  std::map<std::string, std::string> code;  ///< of both
  std::vector<std::string> asked;

  RunProcess runner() {
    return [this](const AbProcess& process) {
      std::string words = std::string(to_string(process.side)) + " " + std::to_string(process.pair);
      std::vector<RowRun> runs;
      for (const auto& row : process.rows) {
        words += " " + row;
        const auto& us = process.side == Side::head ? head_us : base_us;
        runs.push_back(samples::run(row, us.contains(row) ? us.at(row) : 10.0));
        if (code.contains(row)) runs.back().code_digest = code.at(row);
      }
      asked.push_back(words);
      return runs;
    };
  }
};

TEST(OrderOfPair, IsAbbaWithTheControlInTheMiddle) {
  EXPECT_THAT(order_of_pair(0), ElementsAre(Side::base, Side::control, Side::head));
  EXPECT_THAT(order_of_pair(1), ElementsAre(Side::head, Side::control, Side::base));
  EXPECT_EQ(order_of_pair(2), order_of_pair(0));
}

TEST(MeasurePairs, RunsEachPairAsThreeProcesses) {
  Builds builds;
  const AbRuns runs = measure_pairs({"a", "b"}, {"a"}, {}, builds.runner());
  EXPECT_EQ(runs.processes, 18);
  ASSERT_GE(builds.asked.size(), 4U);
  EXPECT_EQ(builds.asked[0], "base 0 a b");
  EXPECT_EQ(builds.asked[1], "control 0 a");
  EXPECT_EQ(builds.asked[2], "head 0 a b");
  EXPECT_EQ(builds.asked[3], "head 1 a b");
}

TEST(MeasurePairs, GoesOnToTwelveWithTheRowsInDoubtAndTheControls) {
  Builds builds;
  builds.head_us["b"] = 10.2;
  const AbRuns runs = measure_pairs({"a", "b", "c"}, {"a"}, {}, builds.runner());
  EXPECT_EQ(runs.rows[1].head.size(), 12U);
  EXPECT_EQ(runs.rows[2].head.size(), 6U);
  EXPECT_EQ(runs.rows[0].control.size(), 12U);
  EXPECT_EQ(builds.asked[18], "base 6 a b");
  EXPECT_EQ(builds.asked[20], "head 6 b");
}

TEST(MeasurePairs, ChecksTheReferenceInTheFirstPairOnly) {
  std::vector<bool> checks;
  const RunProcess runner = [&](const AbProcess& process) {
    checks.push_back(process.check_reference);
    return std::vector<RowRun>{samples::run("a", 10)};
  };
  (void)measure_pairs({"a"}, {"a"}, {}, runner);
  EXPECT_TRUE(checks[0]);
  EXPECT_FALSE(checks[1]) << "the control is the base again";
  EXPECT_TRUE(checks[2]);
  EXPECT_FALSE(checks[3]);
}

TEST(MeasurePairs, LeavesOutKnownEqualCodeButForTwoLiveControls) {
  Builds builds;
  for (const char* row : {"a", "b", "c", "d"}) builds.code[row] = std::string("code of ") + row;
  const AbRuns runs = measure_pairs({"a", "b", "c", "d", "e"}, {"e"}, {}, builds.runner());
  EXPECT_EQ(runs.rows[0].head.size(), 6U);
  EXPECT_EQ(runs.rows[1].head.size(), 6U);
  EXPECT_EQ(runs.rows[2].head.size(), 1U);
  EXPECT_EQ(runs.rows[3].head.size(), 1U);
  EXPECT_EQ(runs.rows[4].head.size(), 6U) << "its code is not known";
}

TEST(MeasurePairs, LeavesOutARowThatFailedOnASide) {
  Builds builds;
  const auto healthy = builds.runner();
  const RunProcess runner = [&](const AbProcess& process) {
    auto runs = healthy(process);
    for (auto& run : runs) {
      if (process.side == Side::head && run.row == "b") run.status = RunStatus::incorrect;
    }
    return runs;
  };
  const AbRuns runs = measure_pairs({"a", "b"}, {"a"}, {}, runner);
  EXPECT_EQ(runs.rows[1].head.size(), 1U);
  EXPECT_EQ(runs.rows[0].head.size(), 6U);
}

TEST(MeasurePairs, StopsAtAProcessThatFailsAndSaysWhy) {
  const RunProcess runner = [](const AbProcess&) -> std::vector<RowRun> { throw ProcessFailed("it died"); };
  EXPECT_EQ(measure_pairs({"a"}, {"a"}, {}, runner).failure, "it died");
}

TEST(ChooseControls, TakesTheSmallestTheMiddleAndTheLargest) {
  EXPECT_THAT(choose_controls({{"c", {3}}, {"a", {1}}, {"e", {5}}, {"d", {4}}, {"b", {2}}}),
              ElementsAre("a", "c", "e"));
}

TEST(ChooseControls, TakesNoRowTwice) {
  EXPECT_THAT(choose_controls({{"a", {1}}}), ElementsAre("a"));
  EXPECT_THAT(choose_controls({}), IsEmpty());
}

TEST(SameCode, IsNeverConcludedFromUnknownDigests) {
  PairedRuns runs{.row = "a", .base = {samples::run("a", 10)}, .head = {samples::run("a", 10)}};
  EXPECT_FALSE(same_code(runs));
  runs.base[0].code_digest = runs.head[0].code_digest = "c0de";
  EXPECT_TRUE(same_code(runs));
}

}  // namespace
}  // namespace census
