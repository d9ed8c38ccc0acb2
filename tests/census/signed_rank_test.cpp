// SPDX-License-Identifier: MIT
#include <census/signed_rank.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace census {
namespace {

/// Differences of sizes 1..n of which those in `positive` are positive: W+ is their sum.
std::vector<double> ranks(int n, const std::vector<int>& positive) {
  std::vector<double> differences;
  for (int i = 1; i <= n; ++i) differences.push_back(-i);
  for (const int i : positive) differences[static_cast<std::size_t>(i) - 1] = i;
  return differences;
}

/// P(W+ >= w) by trying all signs, each with its rank sum written out.
double enumerate(const std::vector<double>& rank, double w) {
  int hits = 0;
  const unsigned outcomes = 1U << rank.size();
  for (unsigned signs = 0; signs < outcomes; ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < rank.size(); ++i) sum += (signs >> i & 1U) != 0 ? rank[i] : 0;
    if (sum >= w) ++hits;
  }
  return static_cast<double>(hits) / outcomes;
}

TEST(SignedRank, OfThreeDifferencesIsTheListOfEightOutcomes) {
  // W+ of the 8 outcomes: 0 1 2 3 3 4 5 6.
  EXPECT_DOUBLE_EQ(signed_rank_above_zero(ranks(3, {1, 2, 3})).p, 1.0 / 8);
  EXPECT_DOUBLE_EQ(signed_rank_above_zero(ranks(3, {2, 3})).p, 2.0 / 8);
  EXPECT_DOUBLE_EQ(signed_rank_above_zero(ranks(3, {3})).p, 5.0 / 8);
  EXPECT_DOUBLE_EQ(signed_rank_above_zero(ranks(3, {1, 2})).p, 5.0 / 8);
  EXPECT_DOUBLE_EQ(signed_rank_above_zero(ranks(3, {})).p, 1.0);
}

TEST(SignedRank, AgreesWithTheEnumerationOfEverySign) {
  for (int n = 1; n <= 8; ++n) {
    std::vector<double> rank;
    for (int i = 1; i <= n; ++i) rank.push_back(i);
    for (int positive = 0; positive <= n; ++positive) {
      // The largest `positive` ranks are positive.
      std::vector<int> chosen;
      double w = 0;
      for (int i = n; i > n - positive; --i) {
        chosen.push_back(i);
        w += i;
      }
      EXPECT_DOUBLE_EQ(signed_rank_above_zero(ranks(n, chosen)).p, enumerate(rank, w))
          << n << " " << positive;
    }
  }
}

// Critical values of the published table of Wilcoxon's signed-rank statistic, one-sided 5 %, 2.5 %, 1 % and
// 0.5 %: the largest T whose probability of T or less does not exceed the level. By symmetry P(W+ <= T) =
// P(W+ >= n(n+1)/2 - T). -1: no T is small enough.
struct Critical {
  int n, at_5, at_2_5, at_1, at_0_5;
};
constexpr Critical table[] = {
    {5, 0, -1, -1, -1},    {6, 2, 0, -1, -1},    {7, 3, 2, 0, -1},     {8, 5, 3, 1, 0},
    {9, 8, 5, 3, 1},       {10, 10, 8, 5, 3},    {11, 13, 10, 7, 5},   {12, 17, 13, 9, 7},
    {13, 21, 17, 12, 9},   {14, 25, 21, 15, 12}, {15, 30, 25, 19, 15}, {16, 35, 29, 23, 19},
    {17, 41, 34, 27, 23},  {18, 47, 40, 32, 27}, {19, 53, 46, 37, 32}, {20, 60, 52, 43, 37},
    {25, 100, 89, 76, 68},
};

/// P(W+ <= t) of n differences without ties.
double lower_tail(int n, int t) {
  if (t < 0) return 0;
  // Negative differences whose ranks add up to t: then W+ is n(n+1)/2 - t, and its upper tail is the lower
  // one.
  std::vector<double> differences;
  int left = t;
  for (int i = n; i >= 1; --i) {
    const bool negative = i <= left;
    if (negative) left -= i;
    differences.push_back(negative ? -i : i);
  }
  return signed_rank_above_zero(differences).p;
}

TEST(SignedRank, HasThePublishedCriticalValues) {
  for (const Critical& row : table) {
    const std::pair<double, int> levels[] = {
        {0.05, row.at_5}, {0.025, row.at_2_5}, {0.01, row.at_1}, {0.005, row.at_0_5}};
    for (const auto& [level, critical] : levels) {
      EXPECT_LE(lower_tail(row.n, critical), level) << row.n << " at " << level;
      EXPECT_GT(lower_tail(row.n, critical + 1), level) << row.n << " at " << level;
    }
  }
}

TEST(SignedRank, GivesTiesTheirMeanRankAndCountsTheirOwnOutcomes) {
  // Sizes 1 1 2: ranks 1.5 1.5 3. W+ of the 8 outcomes: 0 1.5 1.5 3 3 4.5 4.5 6.
  const SignedRank tied = signed_rank_above_zero(std::vector<double>{-1, 1, 2});
  EXPECT_DOUBLE_EQ(tied.positive_rank_sum, 4.5);
  EXPECT_DOUBLE_EQ(tied.p, 3.0 / 8);
}

TEST(SignedRank, OfEqualDifferencesIsTheSignTest) {
  EXPECT_DOUBLE_EQ(signed_rank_above_zero(std::vector<double>{1, 1, 1, 1, 1, 1}).p, 1.0 / 64);
  EXPECT_DOUBLE_EQ(signed_rank_above_zero(std::vector<double>{1, 1, 1, 1, 1, -1}).p, 7.0 / 64);
}

TEST(SignedRank, LeavesZeroesOutSoThatTheSmallestPRises) {
  const SignedRank found = signed_rank_above_zero(std::vector<double>{0, 1, 2, 3, 4, 5});
  EXPECT_EQ(found.used, 5);
  EXPECT_DOUBLE_EQ(found.p, 1.0 / 32);
}

TEST(SignedRank, OfNothingButZeroesSaysNothing) {
  EXPECT_DOUBLE_EQ(signed_rank_above_zero(std::vector<double>{0, 0, 0}).p, 1.0);
}

TEST(SignedRank, RefusesWhatHasNoRank) {
  EXPECT_THROW((void)signed_rank_above_zero({}), std::invalid_argument);
  EXPECT_THROW((void)signed_rank_above_zero(std::vector<double>{1, std::nan("")}), std::invalid_argument);
  EXPECT_THROW((void)signed_rank_above_zero(std::vector<double>(most_pairs + 1, 1.0)), std::invalid_argument);
}

TEST(SmallestP, HalvesWithEveryPair) {
  EXPECT_DOUBLE_EQ(smallest_p(3), 1.0 / 8);
  EXPECT_DOUBLE_EQ(smallest_p(5), 1.0 / 32);
  EXPECT_DOUBLE_EQ(smallest_p(6), 1.0 / 64);
}

TEST(HodgesLehmann, IsTheMedianOfAllPairMeans) {
  // Means: 1, 1.5, 3, 2, 3.5, 5; sorted 1 1.5 2 3 3.5 5.
  EXPECT_DOUBLE_EQ(hodges_lehmann(std::vector<double>{1, 2, 5}), 2.5);
  EXPECT_DOUBLE_EQ(hodges_lehmann(std::vector<double>{7}), 7);
}

TEST(HodgesLehmann, IsHardlyMovedByOneOutlier) {
  // Ten means: 1 1.5 2 2 2.5 3 50.5 51 51.5 100: the median is between 2.5 and 3.
  EXPECT_DOUBLE_EQ(hodges_lehmann(std::vector<double>{1, 2, 3, 100}), 2.75);
}

}  // namespace
}  // namespace census
