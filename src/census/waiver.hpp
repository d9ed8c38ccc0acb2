// SPDX-License-Identifier: MIT
// Waivers: a person lets a row's regression pass until a day, in writing. No clock and no file here.
#pragma once

#include <census/result.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace census {

/// A waiver is a debt with a date: whoever needs longer says so again, where a reviewer sees it.
inline constexpr int most_waiver_days = 90;

/// The entries of a directory's waivers.json.
struct Waivers {
  std::string file;
  std::vector<Waiver> entries;
};

/// What the names in waivers may mean.
struct WaiverNames {
  std::vector<std::string> census_rows;
  std::vector<std::string> baseline_rows;  ///< ids and aliases of every baseline in the directory
  std::vector<std::string> slugs;          ///< of these baselines
};

/// "2027-01-15" as a day; nullopt for anything else.
[[nodiscard]] std::optional<std::chrono::sys_days> day_from(const std::string& text);

/// Refuses a row that nothing answers to or that is every row, a device without a baseline, and a date that
/// is yet to come. Throws FileError naming file, entry and field.
void check_waivers(const Waivers& waivers, const WaiverNames& names, std::chrono::sys_days today);

/// Sets the row's waiver when it is regressed and a waiver for it and its device is in force on that day, the
/// last day included. Whatever else a waiver of this row has to say becomes a notice: that it has expired, is
/// not needed, or does not cover this verdict. Only `regressed` is ever waived.
void apply_waivers(RowVerdict& row, const Waivers& waivers, const std::string& device_slug,
                   std::chrono::sys_days today);

/// "until 2027-01-15 by Ann: the new layout lands in January".
[[nodiscard]] std::string waiver_text(const Waiver& waiver);

}  // namespace census
