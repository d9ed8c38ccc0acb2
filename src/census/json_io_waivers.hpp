// SPDX-License-Identifier: MIT
// The file of waivers beside the baselines. It is written by hand and only read here.
#pragma once

#include <census/waiver.hpp>

#include <filesystem>
#include <string>

namespace census {

inline constexpr const char* waivers_file_name = "waivers.json";

/// The waivers of a directory of baselines; none where it has no such file. Throws FileError naming file,
/// entry and field for one that is not in order: an unknown or missing field, no owner, no reason, a date
/// that is none, or an end more than most_waiver_days after the date. What needs a census is left to
/// check_waivers().
[[nodiscard]] Waivers read_waivers(const std::filesystem::path& baselines);
[[nodiscard]] Waivers parse_waivers(const std::string& text, const std::string& file_name);

}  // namespace census
