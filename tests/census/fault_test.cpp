// SPDX-License-Identifier: MIT
#include "samples.hpp"
#include <census/error.hpp>
#include <census/fault.hpp>
#include <census/json_io.hpp>
#include <census/measure_common.hpp>

#include <gmock/gmock.h>

#include <memory>
#include <sstream>
#include <utility>
#include <vector>

namespace census {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Copy c gives {c, c, c}; remembers the copies that were launched.
class Constant : public Instance {
 public:
  explicit Constant(std::vector<int>* launched) : launched_(launched) {}
  void launch(Stream, int copy) override { launched_->push_back(copy); }
  std::vector<float> output(int copy) override { return std::vector<float>(3, static_cast<float>(copy)); }
  std::vector<float> reference(int copy) override { return std::vector<float>(3, static_cast<float>(copy)); }

 private:
  std::vector<int>* launched_;
};

struct Broken {
  std::vector<int> launched;
  std::unique_ptr<Instance> instance;

  explicit Broken(const std::string& fault) {
    KernelCase row;
    row.make = [this](const InstanceRequest&) { return std::make_unique<Constant>(&launched); };
    instance = with_fault(row, fault).make({});
  }
};

TEST(Fault, ThatFlipsABitIsFoundByTheReferenceAndNotByFiniteness) {
  Broken broken("flip-output");
  RowRun run;
  EXPECT_FALSE(check_outputs(*broken.instance, 2, true, run));
  EXPECT_EQ(run.status, RunStatus::incorrect);
  EXPECT_EQ(run.first_difference, 1U);
}

TEST(Fault, ThatWritesNaNIsInvalid) {
  Broken broken("nan");
  RowRun run;
  EXPECT_FALSE(check_outputs(*broken.instance, 2, false, run));
  EXPECT_EQ(run.status, RunStatus::invalid);
}

TEST(Fault, OfOneBufferLaunchesCopyZeroOnly) {
  Broken broken("one-buffer");
  for (int copy = 0; copy < 3; ++copy) broken.instance->launch(nullptr, copy);
  EXPECT_THAT(broken.launched, ElementsAre(0, 0, 0));
  RowRun run;
  EXPECT_TRUE(check_outputs(*broken.instance, 2, true, run)) << "a row that reads the cache is right";
}

TEST(Fault, ThatKillsEndsTheProcessByASignal) {
  Broken broken("kill");
  EXPECT_EXIT(broken.instance->launch(nullptr, 0), ::testing::KilledBySignal(SIGKILL), "");
}

TEST(Fault, OfNoNameLeavesTheRowAlone) {
  Broken broken("");
  broken.instance->launch(nullptr, 2);
  EXPECT_THAT(broken.launched, ElementsAre(2));
}

TEST(Fault, ThatIsUnknownNamesTheNearest) {
  try {
    (void)with_fault(KernelCase{}, "flip");
    FAIL();
  } catch (const UsageError& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("nearest: flip-output"));
  }
}

TEST(Fault, IsInTheRecord) {
  RowRun run = samples::run("a", 10);
  run.fault = "one-buffer";
  const auto read = parse_result(format_result({.runs = {run}}), "run.json");
  EXPECT_EQ(read.runs[0].fault, "one-buffer");
  EXPECT_THAT(facts(read.runs[0]).notices, ElementsAre(HasSubstr("one-buffer")));
}

TEST(CommaLocale, ChangesStreamsUntilItsEnd) {
  const auto shown = [] {
    std::ostringstream text;
    text << 1234.5;
    return text.str();
  };
  {
    const CommaLocale comma;
    EXPECT_EQ(shown(), "1.234,5");
  }
  EXPECT_EQ(shown(), "1234.5");
}

TEST(CommaLocale, ChangesNoRecord) {
  RowRun run = samples::run("a", 1234.5);
  const std::string usual = format_result({.runs = {run}});
  const CommaLocale comma;
  EXPECT_EQ(format_result({.runs = {run}}), usual);
  EXPECT_DOUBLE_EQ(parse_result(usual, "run.json").runs[0].row_series.median_us, 1234.5);
}

}  // namespace
}  // namespace census
