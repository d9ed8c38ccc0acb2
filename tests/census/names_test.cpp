// SPDX-License-Identifier: MIT
#include <census/names.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Glob, MatchesTheWholeText) {
  EXPECT_TRUE(glob_matches("bf16.head", "bf16.head"));
  EXPECT_FALSE(glob_matches("bf16.head", "bf16.head.4096x64448"));
}

TEST(Glob, StarStandsForAnyRun) {
  EXPECT_TRUE(glob_matches("bf16.*x5152", "bf16.qkvg_full.4096x5152"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_FALSE(glob_matches("bf16.*x5152", "bf16.qkvg_full.4096x5153"));
}

TEST(Glob, StarGivesBackWhatALaterPartNeeds) {
  EXPECT_TRUE(glob_matches("*ab*c", "aabxabyc"));
}

TEST(Glob, QuestionMarkStandsForOne) {
  EXPECT_TRUE(glob_matches("q?_0", "q8_0"));
  EXPECT_FALSE(glob_matches("q?_0", "q_0"));
}

TEST(NearestNames, PutsTheLeastEditsFirst) {
  EXPECT_THAT(nearest_names("jugde", {"list", "gate", "judge"}), ElementsAre("judge", "gate", "list"));
}

TEST(NearestNames, PrefersNamesThatContainTheWord) {
  EXPECT_THAT(nearest_names("qkvg*", {"bf16.head", "bf16.qkvg_full.4096x5152"})[0],
              "bf16.qkvg_full.4096x5152");
}

TEST(NearestNames, GivesThreeAtMostAndNoneTwice) {
  EXPECT_THAT(nearest_names("a", {"a", "a", "b", "c", "d"}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(nearest_names("a", {}), IsEmpty());
}

}  // namespace
}  // namespace census
