// SPDX-License-Identifier: MIT
// Matching names that a user typed: globs over row ids, and the nearest valid names for an error.
#pragma once

#include <string>
#include <vector>

namespace census {

/// Whether `text` matches `glob` as a whole: '*' any run of characters, '?' any one. No other character is
/// special.
[[nodiscard]] bool glob_matches(const std::string& glob, const std::string& text);

/// Whether one of the globs matches.
[[nodiscard]] bool matches_any(const std::vector<std::string>& globs, const std::string& text);

/// Up to three of `candidates`, the nearest to `word` first: those that contain it (without its '*'), then by
/// edit distance. Empty when there are no candidates.
[[nodiscard]] std::vector<std::string> nearest_names(const std::string& word,
                                                     const std::vector<std::string>& candidates);

/// "; nearest: a, b, c", or "" for none: the tail of an error line.
[[nodiscard]] std::string nearest_hint(const std::string& word, const std::vector<std::string>& candidates);

/// "a, b, c".
[[nodiscard]] std::string join(const std::vector<std::string>& words, const std::string& separator = ", ");

}  // namespace census
