// SPDX-License-Identifier: MIT
#include <census/binomial.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace census {
namespace {

TEST(ProportionAtMost, OfNoneSeenIsTheRuleOfThree) {
  EXPECT_NEAR(proportion_at_most(0, 30), 1 - std::pow(0.05, 1.0 / 30), 1e-12);
  EXPECT_NEAR(proportion_at_most(0, 300), 3.0 / 300, 1e-4);
}

TEST(ProportionAtMost, LeavesTheStatedChanceOfWhatWasSeen) {
  // 1 of 2 or fewer: 1 - p^2 = 0.05.
  EXPECT_NEAR(proportion_at_most(1, 2), std::sqrt(0.95), 1e-12);
  // 1 of 10 or fewer: (1 - p)^9 (1 + 9 p) = 0.05 at the tabulated p = 0.3942.
  EXPECT_NEAR(proportion_at_most(1, 10), 0.3942, 5e-5);
}

// Two-sided 95 % intervals of Clopper and Pearson, as tabulated: each side at 97.5 %.
TEST(Proportion, HasThePublishedIntervals) {
  EXPECT_NEAR(proportion_at_least(3, 10, 0.975), 0.0667, 5e-5);
  EXPECT_NEAR(proportion_at_most(3, 10, 0.975), 0.6525, 5e-5);
  EXPECT_NEAR(proportion_at_least(5, 10, 0.975), 0.1871, 5e-5);
  EXPECT_NEAR(proportion_at_most(5, 10, 0.975), 0.8129, 5e-5);
}

TEST(ProportionAtLeast, MirrorsTheUpperBound) {
  EXPECT_DOUBLE_EQ(proportion_at_least(57, 60), 1 - proportion_at_most(3, 60));
}

TEST(ProportionAtLeast, OfAllSeenIsNotOne) {
  EXPECT_NEAR(proportion_at_least(60, 60), std::pow(0.05, 1.0 / 60), 1e-12);
}

TEST(Proportion, OfNoneAndAllIsBoundedByZeroAndOne) {
  EXPECT_EQ(proportion_at_least(0, 5), 0);
  EXPECT_EQ(proportion_at_most(5, 5), 1);
}

TEST(Proportion, RefusesCountsThatCannotBe) {
  EXPECT_THROW((void)proportion_at_most(0, 0), std::invalid_argument);
  EXPECT_THROW((void)proportion_at_most(3, 2), std::invalid_argument);
  EXPECT_THROW((void)proportion_at_least(-1, 2), std::invalid_argument);
  EXPECT_THROW((void)proportion_at_least(1, 2, 1.0), std::invalid_argument);
}

}  // namespace
}  // namespace census
