// SPDX-License-Identifier: MIT
#include "float_gemv/float_gemv_timeline.hpp"

#include <gmock/gmock.h>

#include <stdexcept>
#include <vector>

namespace kernels::timeline {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

/// Two launches of two parts of two blocks. The first launch's last sum is at 1000.
std::vector<BlockTimes> chain() {
  return {{{100, 200, 300, 400, 800}},     {{100, 200, 300, 400, 900}},  // launch 0, part 0
          {{100, 200, 300, 400, 1000}},    {{100, 200, 300, 400, 950}},  // launch 0, part 1
          {{600, 1100, 1200, 1500, 1700}}, {{800, 1300, 1400, 1700, 1900}},
          {{900, 1400, 1500, 1800, 2000}}, {{950, 1450, 1550, 1850, 2050}}};
}

TEST(Timeline, CountsFromTheLastSumOfThePredecessorsLastBlock) {
  const Timeline mean = mean_timeline(chain(), 2, 2);
  ASSERT_THAT(mean.parts, SizeIs(2));
  EXPECT_THAT(mean.parts[0], ElementsAre(-300, 200, 300, 600, 800));
  EXPECT_THAT(mean.parts[1], ElementsAre(-75, 425, 525, 825, 1025));
}

TEST(Timeline, TellsALaunchFromOneLastSumToTheNext) {
  EXPECT_DOUBLE_EQ(mean_timeline(chain(), 2, 2).launch_ns, 1050);
}

TEST(Timeline, OfSeveralReplaysIsTheirMean) {
  auto slower = chain();
  for (std::size_t block = 4; block < slower.size(); ++block) {
    for (auto& ns : slower[block].ns) ns += 100;
  }
  const Timeline mean = mean_timeline({mean_timeline(chain(), 2, 2), mean_timeline(slower, 2, 2)});
  EXPECT_THAT(mean.parts[0], ElementsAre(-250, 250, 350, 650, 850));
  EXPECT_DOUBLE_EQ(mean.launch_ns, 1100);
  EXPECT_THROW((void)mean_timeline(std::vector<Timeline>{}), std::invalid_argument);
}

TEST(Timeline, RefusesABlockWithoutAnEvent) {
  auto times = chain();
  times[5].ns[3] = 0;
  EXPECT_THROW((void)mean_timeline(times, 2, 2), std::invalid_argument);
}

TEST(Timeline, NeedsAPredecessorAndWholeParts) {
  EXPECT_THROW((void)mean_timeline(chain(), 1, 2), std::invalid_argument);
  EXPECT_THROW((void)mean_timeline(chain(), 2, 3), std::invalid_argument);
}

}  // namespace
}  // namespace kernels::timeline
