// SPDX-License-Identifier: MIT
// Rank statistics of paired differences: the exact signed-rank test and the shift that goes with it. Pure.
#pragma once

#include <span>

namespace census {

/// Result of the one-sided signed-rank test.
struct SignedRank {
  double positive_rank_sum = 0;  ///< W+: ranks of the positive differences, tied sizes share their mean rank
  int used = 0;                  ///< differences that are not zero
  double p = 1;                  ///< P(W+ >= the observed one) when every sign is a fair coin
};

/// Whether the differences lie above zero: Wilcoxon's signed-rank test, one-sided, exact for any number of
/// ties, because the distribution is counted over the signs of the very ranks at hand. A difference of zero
/// says nothing and is left out (Wilcoxon's own rule), which raises the smallest p that can be reached.
/// Throws std::invalid_argument for an empty sample, more than `most_pairs` values, or one that is not
/// finite.
[[nodiscard]] SignedRank signed_rank_above_zero(std::span<const double> differences);

/// Beyond this many pairs 2^pairs is no longer counted exactly by a double.
inline constexpr int most_pairs = 50;

/// The p of the most extreme outcome of `pairs` differences: 1 / 2^pairs. No test of so few can go below it.
[[nodiscard]] double smallest_p(int pairs);

/// Hodges and Lehmann's estimate of the centre: median of the means of all pairs of values, a value with
/// itself included. Throws std::invalid_argument for an empty sample or a NaN.
[[nodiscard]] double hodges_lehmann(std::span<const double> values);

}  // namespace census
