// SPDX-License-Identifier: MIT
// The result files that a command line names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace census {

/// The files, and for each directory its *.json in the order of their names. Throws UsageError, beginning
/// with `command`, where nothing is named or a directory has none.
[[nodiscard]] std::vector<std::filesystem::path> result_files(const std::string& command,
                                                              const std::vector<std::string>& arguments);

}  // namespace census
