// SPDX-License-Identifier: MIT
// When nearly all rows of a device are slower by the same share, it is the device or something that all rows
// share, and no row's own kernel.
#pragma once

#include <census/result.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace census {

/// What most rows have in common.
struct CommonShift {
  std::size_t rows = 0;    ///< that were judged by time
  std::size_t slower = 0;  ///< of them, those slower than their baseline by more than `least_common_shift`
  double ratio = 1;        ///< median over the rows of time / baseline time
};

/// Below this share a shift is what machine starts and cards of one model differ by: up to 1.3 % was seen on
/// H200s.
inline constexpr double least_common_shift = 0.02;
/// Fewer rows than these say nothing about what all have in common.
inline constexpr std::size_t fewest_shifted_rows = 8;

/// The shift of these rows of one device, each with its `ratio`; nullopt unless at least three quarters of at
/// least `fewest_shifted_rows` are slower by more than `least_common_shift`. Pure.
[[nodiscard]] std::optional<CommonShift> common_shift(const std::vector<double>& ratios);

/// Turns each `regressed` of one device's rows into `environment` where the common shift explains it: divided
/// by the shift the time is within its limit, and the machine code is not known to have changed. Returns a
/// sentence about what it did, or nullopt. Pure.
std::optional<std::string> excuse_common_shift(const std::vector<RowVerdict*>& rows);

/// The same for rows of several devices or starts: `places` are those of each in `rows`. Returns what was
/// done.
std::vector<std::string> excuse_common_shifts(std::vector<RowVerdict>& rows,
                                              const std::map<std::string, std::vector<std::size_t>>& places);

}  // namespace census
