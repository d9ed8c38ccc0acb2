// SPDX-License-Identifier: MIT
#include <census/signed_rank.hpp>
#include <census/stats.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace census {
namespace {

/// A difference that is not zero, with twice its rank: twice, so that the mean ranks of ties are whole.
struct Ranked {
  double size = 0;
  bool positive = false;
  int twice_rank = 0;
};

std::vector<Ranked> rank(std::span<const double> differences) {
  std::vector<Ranked> ranked;
  for (const double difference : differences) {
    if (!std::isfinite(difference)) throw std::invalid_argument("a rank of a difference that is not finite");
    if (difference != 0) ranked.push_back({std::abs(difference), difference > 0, 0});
  }
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.size < b.size; });
  for (std::size_t first = 0; first < ranked.size();) {
    std::size_t end = first;
    while (end < ranked.size() && ranked[end].size == ranked[first].size) ++end;
    // Ranks first + 1 to end: their mean is half of the sum of the two.
    for (std::size_t i = first; i < end; ++i) ranked[i].twice_rank = static_cast<int>(first + 1 + end);
    first = end;
  }
  return ranked;
}

/// How many of the 2^n choices of signs give each value of 2 W+.
std::vector<double> count_outcomes(const std::vector<Ranked>& ranked) {
  std::size_t largest = 0;
  for (const Ranked& one : ranked) largest += static_cast<std::size_t>(one.twice_rank);
  std::vector<double> counts(largest + 1, 0.0);
  counts[0] = 1;
  for (const Ranked& one : ranked) {
    const auto step = static_cast<std::size_t>(one.twice_rank);
    for (std::size_t sum = largest; sum >= step; --sum) counts[sum] += counts[sum - step];
  }
  return counts;
}

}  // namespace

double smallest_p(int pairs) {
  return std::ldexp(1.0, -pairs);
}

SignedRank signed_rank_above_zero(std::span<const double> differences) {
  if (differences.empty()) throw std::invalid_argument("a signed-rank test of no differences");
  if (differences.size() > most_pairs) {
    throw std::invalid_argument("a signed-rank test of more than " + std::to_string(most_pairs) +
                                " differences");
  }
  const std::vector<Ranked> ranked = rank(differences);
  std::size_t observed = 0;
  for (const Ranked& one : ranked) observed += one.positive ? static_cast<std::size_t>(one.twice_rank) : 0;
  const std::vector<double> counts = count_outcomes(ranked);
  double at_least = 0;
  for (std::size_t sum = observed; sum < counts.size(); ++sum) at_least += counts[sum];
  const int used = static_cast<int>(ranked.size());
  return {static_cast<double>(observed) / 2, used, std::ldexp(at_least, -used)};
}

double hodges_lehmann(std::span<const double> values) {
  std::vector<double> means;
  means.reserve(values.size() * (values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i; j < values.size(); ++j) means.push_back((values[i] + values[j]) / 2);
  }
  return median(means);
}

}  // namespace census
