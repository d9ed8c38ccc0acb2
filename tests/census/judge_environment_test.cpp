// SPDX-License-Identifier: MIT
// What the environment does to a verdict that the times alone would leave green.
#include "samples.hpp"

#include <gmock/gmock.h>

namespace census {
namespace {

using namespace samples;
using ::testing::HasSubstr;

constexpr Policy three_percent{.tolerance = 0.03, .control_tolerance = 0.03};

/// A row at its baseline's time beside a ceiling that fell by half.
Verdict judge_good_with_half_the_ceiling(const std::vector<std::string>& seen) {
  Runs runs{run_facts({10, 10, 10}), {}};
  runs.first[1].environment = seen;
  const BaselineRow row = baseline_row("a", 10.0);
  Control ceiling = control();
  ceiling.ceiling_tbs *= 2;
  return judge(runs, &row, &ceiling, three_percent);
}

TEST(Judge, AFindingAndAFallenCeilingTogetherLeaveNoPass) {
  const Verdict v = judge_good_with_half_the_ceiling({"the device is shared"});
  EXPECT_EQ(v.kind, Kind::environment);
  EXPECT_FALSE(v.needs_confirmation);
  EXPECT_EQ(v.reason,
            "median of 3 runs 10.00 us within 10.00 us + 3 %, but the ceiling is 50 % below the baseline's "
            "and the device is shared");
}

TEST(Judge, AFallenCeilingAloneLeavesAPassAPass) {
  EXPECT_EQ(judge_good_with_half_the_ceiling({}).kind, Kind::pass);
}

// What an H200 gave while a second process streamed its memory: time slices began with the row and ended with
// the ceiling.
TEST(Judge, ARecordedCoTenantIsNamedAlthoughTheRowWasOnlyALittleSlower) {
  Runs runs{run_facts({11.208, 11.208, 11.212}), {}};
  for (RunFacts& run : runs.first) {
    run.ceiling_tbs = 2.041;
    run.environment = {"the device is shared with decode-kernel-c (pid 2195, compute, 2.57 GiB): stop it"};
  }
  const BaselineRow row = baseline_row("a", 11.0661);
  Control ceiling = control();
  ceiling.ceiling_tbs = 4.64644;
  const Verdict v = judge(runs, &row, &ceiling, three_percent);
  EXPECT_EQ(v.kind, Kind::environment);
  EXPECT_THAT(v.reason, HasSubstr("within 11.07 us + 3 %, but the ceiling is 56.1 % below"));
  EXPECT_THAT(v.reason, HasSubstr("pid 2195"));
}

}  // namespace
}  // namespace census
