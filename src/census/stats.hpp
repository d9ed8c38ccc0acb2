// SPDX-License-Identifier: MIT
// The statistics of the gate, on plain numbers.
#pragma once

#include <span>
#include <vector>

namespace census {

/// Median; the mean of the middle two for an even count. Throws std::invalid_argument on an empty or NaN
/// sample.
[[nodiscard]] double median(std::span<const double> sample);

/// Quantile q in [0, 1] by linear interpolation between order statistics (type 7). Throws like median().
[[nodiscard]] double quantile(std::span<const double> sample, double q);

/// exp(mean(log(x))). Throws std::invalid_argument on an empty sample or a value that is not positive.
[[nodiscard]] double geometric_mean(std::span<const double> sample);

/// Standard deviation of log(x), n - 1 in the denominator. Throws std::invalid_argument for fewer than 2
/// values or one that is not positive.
[[nodiscard]] double log_standard_deviation(std::span<const double> sample);

/// Standard deviation of log(x) within groups, pooled over the groups with 2 or more values. Throws when
/// there is none.
[[nodiscard]] double pooled_log_standard_deviation(const std::vector<std::vector<double>>& groups);

/// Quantile of Student's t distribution, 0.5 <= probability < 1, degrees >= 1.
[[nodiscard]] double student_t_quantile(double probability, int degrees);

/// How many of the values, in percent, are larger than `factor` times the smallest. Throws
/// std::invalid_argument on an empty or NaN sample.
[[nodiscard]] double percent_above_smallest(std::span<const double> values, double factor);

}  // namespace census
