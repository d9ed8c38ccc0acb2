// SPDX-License-Identifier: MIT
// The statistics of the gate, on plain numbers.
#include <census/stats.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace census {
namespace {

void require_numbers(std::span<const double> sample) {
  if (sample.empty()) throw std::invalid_argument("a statistic of an empty sample");
  for (const double value : sample) {
    if (std::isnan(value))
      throw std::invalid_argument("a statistic of a sample with a value that is not a number");
  }
}

std::vector<double> logarithms(std::span<const double> sample) {
  std::vector<double> logs;
  for (const double value : sample) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw std::invalid_argument("a logarithm of a value that is not positive");
    }
    logs.push_back(std::log(value));
  }
  return logs;
}

double mean(std::span<const double> sample) {
  double sum = 0;
  for (const double value : sample) sum += value;
  return sum / static_cast<double>(sample.size());
}

double sum_of_squares(std::span<const double> sample) {
  const double centre = mean(sample);
  double sum = 0;
  for (const double value : sample) sum += (value - centre) * (value - centre);
  return sum;
}

/// P(|T| <= t) for t = sqrt(degrees) * tan(angle), as a finite sum for a whole number of degrees of freedom.
/// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 (odd) and 26.7.4 (even).
double student_t_within(double angle, int degrees) {
  const double sine = std::sin(angle);
  const double cosine = std::cos(angle);
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1.0;
  double sum = degrees == 1 ? 0.0 : term;
  for (int k = odd ? 3 : 2; k < degrees; k += 2) {
    term *= cosine * cosine * static_cast<double>(k - 1) / static_cast<double>(k);
    sum += term;
  }
  return odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

}  // namespace

double quantile(std::span<const double> sample, double q) {
  require_numbers(sample);
  if (!(q >= 0 && q <= 1)) throw std::invalid_argument("a quantile outside of [0, 1]");
  std::vector<double> sorted(sample.begin(), sample.end());
  std::sort(sorted.begin(), sorted.end());
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  if (below + 1 == sorted.size()) return sorted.back();
  const double share = position - static_cast<double>(below);
  return share == 0 ? sorted[below] : sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

double median(std::span<const double> sample) {
  return quantile(sample, 0.5);
}

double geometric_mean(std::span<const double> sample) {
  if (sample.empty()) throw std::invalid_argument("a geometric mean of an empty sample");
  return std::exp(mean(logarithms(sample)));
}

double log_standard_deviation(std::span<const double> sample) {
  if (sample.size() < 2) throw std::invalid_argument("a standard deviation of fewer than 2 values");
  return std::sqrt(sum_of_squares(logarithms(sample)) / static_cast<double>(sample.size() - 1));
}

double pooled_log_standard_deviation(const std::vector<std::vector<double>>& groups) {
  double squares = 0;
  std::size_t degrees = 0;
  for (const auto& group : groups) {
    if (group.size() < 2) continue;
    squares += sum_of_squares(logarithms(group));
    degrees += group.size() - 1;
  }
  if (degrees == 0) throw std::invalid_argument("a pooled standard deviation without a group of 2 values");
  return std::sqrt(squares / static_cast<double>(degrees));
}

double percent_above_smallest(std::span<const double> values, double factor) {
  require_numbers(values);
  const double bound = factor * *std::min_element(values.begin(), values.end());
  const auto above = std::count_if(values.begin(), values.end(), [&](double value) { return value > bound; });
  return 100.0 * static_cast<double>(above) / static_cast<double>(values.size());
}

double student_t_quantile(double probability, int degrees) {
  if (!(probability >= 0.5 && probability < 1) || degrees < 1) {
    throw std::invalid_argument("a quantile of Student's t outside of 0.5 <= probability < 1, degrees >= 1");
  }
  const double within = 2 * probability - 1;
  double low = 0;
  double high = std::numbers::pi / 2;
  // Bisection on the angle: the probability rises strictly from 0 to 1 over [0, pi / 2]. It ends where
  // doubles do.
  for (double middle = high / 2; middle > low && middle < high; middle = low + (high - low) / 2) {
    (student_t_within(middle, degrees) < within ? low : high) = middle;
  }
  return std::sqrt(static_cast<double>(degrees)) * std::tan(low);
}

}  // namespace census
