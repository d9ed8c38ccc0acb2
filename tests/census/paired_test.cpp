// SPDX-License-Identifier: MIT
#include <census/paired.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace census {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Pairs of a base of 10 us and of heads that are slower by these percentages.
std::vector<TimePair> slower_by(const std::vector<double>& percents, double base_us = 10) {
  std::vector<TimePair> pairs;
  for (const double percent : percents) pairs.push_back({base_us, base_us * (1 + percent / 100)});
  return pairs;
}

TEST(PairedRule, OfFivePairsIsRefusedBecauseItCannotFail) {
  EXPECT_THAT(cannot_fail({.pairs = 5}), HasSubstr("0.03125, above 0.02; 6 are the fewest"));
  EXPECT_THAT(cannot_fail({.pairs = 3}), HasSubstr("0.125"));
  EXPECT_THAT(cannot_fail({.pairs = 6}), IsEmpty());
}

TEST(PairedRule, WhoseSecondLookCannotFailIsRefused) {
  EXPECT_THAT(cannot_fail({.pairs = 6, .pairs_in_doubt = 5}), HasSubstr("5 pairs"));
}

TEST(Decide, BlocksSixPairsThatAreAllThreePercentSlower) {
  const PairedDecision decision = decide(slower_by({3, 3.1, 2.9, 3, 3.2, 2.8}), {});
  EXPECT_TRUE(decision.blocks);
  EXPECT_DOUBLE_EQ(decision.p, 1.0 / 64);
  EXPECT_NEAR(decision.shift, 0.03, 1e-3);
}

TEST(Decide, NeverBlocksOnOnePairThatDisagreesInSix) {
  // The least rank against: P(W+ >= 20) of 21 is 2 / 64.
  const PairedDecision decision = decide(slower_by({3, 3.1, 2.9, 3, 3.2, 0.9}), {});
  EXPECT_FALSE(decision.blocks);
  EXPECT_DOUBLE_EQ(decision.p, 2.0 / 64);
}

TEST(Decide, NeverBlocksBelowTwoPercentHoweverSure) {
  const PairedDecision decision = decide(slower_by({1.9, 1.91, 1.92, 1.93, 1.94, 1.95}), {});
  EXPECT_DOUBLE_EQ(decision.p, 1.0 / 64);
  EXPECT_FALSE(decision.blocks);
}

TEST(Decide, NeverBlocksOnLessThanATimerTick) {
  EXPECT_FALSE(decide(slower_by({4, 4, 4, 4, 4, 4}, 1.0), {}).blocks);
  EXPECT_TRUE(decide(slower_by({6, 6, 6, 6, 6, 6}, 1.0), {}).blocks);
}

TEST(Decide, TestsAgainstTheMarginAndNotAgainstZero) {
  // All slower, but only by 0.9 %: every log ratio is below log 1.01.
  EXPECT_DOUBLE_EQ(decide(slower_by({0.9, 0.9, 0.9, 0.9, 0.9, 0.9}), {}).p, 1.0);
}

TEST(Decide, IsInDoubtAboveOnePercentUntilTwelvePairs) {
  EXPECT_TRUE(decide(slower_by(std::vector<double>(6, 1.5)), {}).in_doubt);
  EXPECT_FALSE(decide(slower_by(std::vector<double>(6, 0.5)), {}).in_doubt);
  EXPECT_FALSE(decide(slower_by(std::vector<double>(12, 1.5)), {}).in_doubt);
}

TEST(Decide, GivesMediansAndTheMedianDifference) {
  const PairedDecision decision = decide(std::vector<TimePair>{{10, 11}, {20, 24}, {30, 32}}, {});
  EXPECT_DOUBLE_EQ(decision.base_us, 20);
  EXPECT_DOUBLE_EQ(decision.head_us, 24);
  EXPECT_DOUBLE_EQ(decision.difference_us, 2);
}

TEST(Decide, RefusesTimesThatAreNone) {
  EXPECT_THROW((void)decide({}, {}), std::invalid_argument);
  EXPECT_THROW((void)decide(std::vector<TimePair>{{10, std::nan("")}}, {}), std::invalid_argument);
  EXPECT_THROW((void)decide(std::vector<TimePair>{{0, 10}}, {}), std::invalid_argument);
}

TEST(Exchanged, TurnsASlowdownIntoAGain) {
  EXPECT_LT(decide(exchanged(slower_by(std::vector<double>(6, 3))), {}).shift, -0.02);
}

/// One row's pairs as a device gives them: log times vary by `noise` from process to process and drift by a
/// straight line of `drift` from the first process to the last; ABBA order. The normal distribution is
/// written out (Box and Muller), because the standard one differs between libraries.
class SimulatedRow {
 public:
  SimulatedRow(unsigned seed, double noise, double drift) : bits_(seed), noise_(noise), drift_(drift) {}

  PairedDecision gate(double slowdown) {
    const PairedRule rule;
    std::vector<TimePair> pairs;
    add(pairs, rule.pairs, slowdown);
    const PairedDecision first = decide(pairs, rule);
    if (!first.in_doubt) return first;
    add(pairs, rule.pairs_in_doubt, slowdown);
    return decide(pairs, rule);
  }

 private:
  double uniform() { return (static_cast<double>(bits_()) + 0.5) / 4294967296.0; }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()); }
  double time(int position) { return 10 * std::exp(noise_ * normal() + drift_ * position / 24); }

  void add(std::vector<TimePair>& pairs, int until, double slowdown) {
    while (static_cast<int>(pairs.size()) < until) {
      const int first = 2 * static_cast<int>(pairs.size());
      const bool base_first = pairs.size() % 2 == 0;
      pairs.push_back(
          {time(first + (base_first ? 0 : 1)), time(first + (base_first ? 1 : 0)) * (1 + slowdown)});
    }
  }

  std::mt19937 bits_;
  double noise_, drift_;
};

int blocked(int tries, double slowdown, double noise, double drift) {
  int count = 0;
  SimulatedRow row(20261201, noise, drift);
  for (int i = 0; i < tries; ++i) count += row.gate(slowdown).blocks ? 1 : 0;
  return count;
}

// 0.3 % is what processes of one machine start differ by, 0.8 % the whole-row spread over starts: twice too
// bad for one start. The counts are those of the fixed seed.
TEST(PairedRuleSimulated, NeverBlocksEqualExecutables) {
  EXPECT_EQ(blocked(4000, 0, 0.003, 0), 0);
  EXPECT_EQ(blocked(4000, 0, 0.008, 0), 0);
  EXPECT_EQ(blocked(4000, 0, 0.003, 0.05), 0);
}

TEST(PairedRuleSimulated, FindsThreePercent) {
  EXPECT_GE(blocked(1000, 0.03, 0.003, 0), 998);
  EXPECT_GE(blocked(1000, 0.03, 0.003, 0.05), 990);
  EXPECT_GE(blocked(1000, 0.03, 0.008, 0), 900);
}

TEST(PairedRuleSimulated, FindsFivePercentInEveryNoise) {
  EXPECT_EQ(blocked(1000, 0.05, 0.008, 0), 1000);
}

TEST(PairedRuleSimulated, LetsAPercentThrough) {
  EXPECT_EQ(blocked(1000, 0.01, 0.003, 0), 0);
}

}  // namespace
}  // namespace census
