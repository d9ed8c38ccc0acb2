// SPDX-License-Identifier: MIT
#include <census/binomial.hpp>

#include <cmath>
#include <stdexcept>
#include <string>

namespace census {
namespace {

/// P(X <= seen) of `tries` with probability p, 0 < p < 1. Logarithms, so that no term overflows.
double at_most(int seen, int tries, double p) {
  double sum = 0;
  for (int k = 0; k <= seen; ++k) {
    const double log_choices = std::lgamma(tries + 1.0) - std::lgamma(k + 1.0) - std::lgamma(tries - k + 1.0);
    sum += std::exp(log_choices + k * std::log(p) + (tries - k) * std::log1p(-p));
  }
  return sum;
}

}  // namespace

double proportion_at_most(int seen, int tries, double confidence) {
  if (seen < 0 || seen > tries || tries < 1 || !(confidence > 0 && confidence < 1)) {
    throw std::invalid_argument("a proportion that is not one of " + std::to_string(seen) + " of " +
                                std::to_string(tries));
  }
  if (seen == tries) return 1;
  double low = 0;
  double high = 1;
  // Bisection: the probability falls strictly as p rises. It ends where doubles do.
  for (double middle = 0.5; middle > low && middle < high; middle = low + (high - low) / 2) {
    (at_most(seen, tries, middle) > 1 - confidence ? low : high) = middle;
  }
  return low;
}

double proportion_at_least(int seen, int tries, double confidence) {
  return 1 - proportion_at_most(tries - seen, tries, confidence);
}

}  // namespace census
