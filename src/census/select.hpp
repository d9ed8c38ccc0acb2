// SPDX-License-Identifier: MIT
// Which rows of a census a command line selects.
#pragma once

#include <census/census.hpp>
#include <census/cli.hpp>

#include <string>
#include <vector>

namespace census {

/// Throws UsageError naming the valid ones.
[[nodiscard]] Backend parse_backend(const std::string& text);

/// The rows of the backend, or of all when nullopt, that match one of the globs (all when there are none)
/// and, where plans are named, are used by one of them; in the order of the table. Throws UsageError for a
/// glob that matches nothing, a plan that does not exist, or a plant that matches no row of the census; each
/// with the nearest names.
[[nodiscard]] std::vector<const KernelCase*> select_rows(const Census& census, const Options& options,
                                                         std::optional<Backend> backend);

/// Whether a record of this row is meant: by its backend, by one of the globs where there are some, and,
/// where plans are named, by a row of the census that one of them uses. Throws UsageError for a plan that
/// does not exist.
[[nodiscard]] bool is_selected(const Census& census, const Options& options, Backend backend,
                               const std::string& row);

}  // namespace census
