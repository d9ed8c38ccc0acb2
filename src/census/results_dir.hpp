// SPDX-License-Identifier: MIT
// The results directory of a ctest run: a run id with the roster of rows, and one record for each row that
// was gated.
#pragma once

#include <census/census.hpp>
#include <census/result.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace census {

using RowKey = std::pair<Backend, std::string>;

struct Roster {
  std::string run_id;
  std::vector<RowKey> rows;  ///< in the order of the table
};

/// Starts a run: records of earlier runs move to earlier/<run id>, then the roster is written. Throws
/// FileError.
Roster begin_run(const std::filesystem::path& directory, const Census& census);

/// The roster; nullopt where no run was begun. Throws FileError for one that cannot be read.
[[nodiscard]] std::optional<Roster> read_roster(const std::filesystem::path& directory);

/// <directory>/<backend>.<row id>.json
[[nodiscard]] std::filesystem::path record_path(const std::filesystem::path& directory, Backend backend,
                                                const std::string& row);

/// The row's record where it belongs to this run id; nullopt for none or another run's.
[[nodiscard]] std::optional<ResultFile> read_record(const std::filesystem::path& directory, const RowKey& row,
                                                    const std::string& run_id);

}  // namespace census
