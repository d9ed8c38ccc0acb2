// SPDX-License-Identifier: MIT
// Which baseline file belongs to a device, or which comes nearest and why it does not match.
#pragma once

#include <census/baseline.hpp>
#include <census/device.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace census {

struct BaselineMatch {
  std::optional<Baseline> baseline;
  std::string file;     ///< of the baseline, or the one that was looked for
  std::string why_not;  ///< one sentence where there is none: the nearest baseline and what differs
  std::vector<std::string> notices;  ///< soft differences
};

/// Looks for <slug>.json in the directory. Throws FileError for a file of that name that cannot be used;
/// other files that cannot be read are no candidates for the nearest.
[[nodiscard]] BaselineMatch find_baseline(const std::filesystem::path& directory, const Device& device);

/// Whose rows the baseline has.
[[nodiscard]] Backend backend_of(const Baseline& baseline);

/// The timing baselines of the directory, sorted. Throws FileError where it cannot be listed, or a file of it
/// cannot be told.
[[nodiscard]] std::vector<std::filesystem::path> baseline_files(const std::filesystem::path& directory);

/// Every timing baseline in the directory that can be read, with its file's name, sorted by it.
[[nodiscard]] std::vector<std::pair<std::string, Baseline>> readable_baselines(
    const std::filesystem::path& directory);

}  // namespace census
