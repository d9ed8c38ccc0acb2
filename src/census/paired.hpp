// SPDX-License-Identifier: MIT
// The paired gate's rule: from pairs of times of base and head to a decision with its numbers. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace census {

/// Times of one row from two processes that ran side by side, microseconds per launch.
struct TimePair {
  double base_us = 0;
  double head_us = 0;
};

/// When a row blocks. Source of the numbers: simulation of the rule under three noise models, which blocked
/// none of 12 000 equal pairs of binaries and found a loss of 3 % in 86 to 100 %.
struct PairedRule {
  int pairs = 6;            ///< first look
  int pairs_in_doubt = 12;  ///< a row whose shift exceeds `doubt` is decided by so many
  double doubt = 0.01;      ///< shift, as a fraction
  double margin = 0.01;     ///< the test asks whether head is slower by more than this
  double alpha = 0.02;
  double least_shift = 0.02;  ///< Hodges-Lehmann shift below which nothing blocks
  double least_us = 0.05;     ///< difference below which nothing blocks: a timer tick over a sample
};

/// Why a rule could never block, or "" when it can: the smallest p of so few pairs exceeds alpha.
[[nodiscard]] std::string cannot_fail(const PairedRule& rule);

/// What pairs of one row say.
struct PairedDecision {
  double shift = 0;    ///< exp(Hodges-Lehmann of the log ratios) - 1: 0.03 is 3 % slower
  double p = 1;        ///< of the signed-rank test of log ratio - log(1 + margin)
  double base_us = 0;  ///< medians
  double head_us = 0;
  double difference_us = 0;  ///< median of head - base over the pairs
  bool blocks = false;
  bool in_doubt = false;  ///< the shift exceeds `doubt` and there are not yet `pairs_in_doubt` pairs
};

/// Throws std::invalid_argument for no pairs, or a time that is not positive and finite.
[[nodiscard]] PairedDecision decide(std::span<const TimePair> pairs, const PairedRule& rule);

/// The same pairs with base and head exchanged: a null control must not be faster either.
[[nodiscard]] std::vector<TimePair> exchanged(std::span<const TimePair> pairs);

}  // namespace census
