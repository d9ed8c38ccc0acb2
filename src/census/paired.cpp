// SPDX-License-Identifier: MIT
#include <census/paired.hpp>
#include <census/signed_rank.hpp>
#include <census/stats.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace census {
namespace {

std::vector<double> log_ratios(std::span<const TimePair> pairs) {
  std::vector<double> logs;
  for (const TimePair& pair : pairs) {
    const bool usable =
        pair.base_us > 0 && pair.head_us > 0 && std::isfinite(pair.base_us) && std::isfinite(pair.head_us);
    if (!usable) throw std::invalid_argument("a ratio of times that are not positive");
    logs.push_back(std::log(pair.head_us / pair.base_us));
  }
  return logs;
}

template <class Value>
double median_of(std::span<const TimePair> pairs, Value value) {
  std::vector<double> values;
  std::transform(pairs.begin(), pairs.end(), std::back_inserter(values), value);
  return median(values);
}

}  // namespace

std::string cannot_fail(const PairedRule& rule) {
  const int fewest = std::min(rule.pairs, rule.pairs_in_doubt);
  if (fewest < 1 || smallest_p(fewest) > rule.alpha) {
    int enough = 1;
    while (smallest_p(enough) > rule.alpha) ++enough;
    return std::to_string(fewest) + " pairs can never block a row: the smallest p they can reach is " +
           format_shortest(smallest_p(std::max(fewest, 0))) + ", above " + format_shortest(rule.alpha) +
           "; " + std::to_string(enough) + " are the fewest";
  }
  return "";
}

PairedDecision decide(std::span<const TimePair> pairs, const PairedRule& rule) {
  const std::vector<double> logs = log_ratios(pairs);
  std::vector<double> above_margin = logs;
  for (double& value : above_margin) value -= std::log1p(rule.margin);
  PairedDecision decision;
  decision.shift = std::expm1(hodges_lehmann(logs));
  decision.p = signed_rank_above_zero(above_margin).p;
  decision.base_us = median_of(pairs, [](const TimePair& pair) { return pair.base_us; });
  decision.head_us = median_of(pairs, [](const TimePair& pair) { return pair.head_us; });
  decision.difference_us = median_of(pairs, [](const TimePair& pair) { return pair.head_us - pair.base_us; });
  decision.in_doubt =
      decision.shift > rule.doubt && pairs.size() < static_cast<std::size_t>(rule.pairs_in_doubt);
  decision.blocks = decision.p <= rule.alpha && decision.shift >= rule.least_shift &&
                    decision.difference_us >= rule.least_us;
  return decision;
}

std::vector<TimePair> exchanged(std::span<const TimePair> pairs) {
  std::vector<TimePair> made;
  for (const TimePair& pair : pairs) made.push_back({pair.head_us, pair.base_us});
  return made;
}

}  // namespace census
