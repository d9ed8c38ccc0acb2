// SPDX-License-Identifier: MIT
// The JSON files: reading with errors that name file, row and field; writing with shortest round-trip digits,
// atomically.
#pragma once

#include <census/baseline.hpp>
#include <census/result.hpp>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace census {

/// A file that cannot be used, in one line: file, row, field, what is wrong, the way out. Control characters,
/// which what the file holds may have, become spaces.
struct FileError : std::runtime_error {
  explicit FileError(const std::string& text);
};

[[nodiscard]] Baseline read_baseline(const std::filesystem::path& file);
[[nodiscard]] Baseline parse_baseline(const std::string& text, const std::string& file_name);
/// Sorted, one row per line, so that a refresh is a minimal diff.
[[nodiscard]] std::string format_baseline(const Baseline& baseline);

[[nodiscard]] ResultFile read_result(const std::filesystem::path& file);
[[nodiscard]] ResultFile parse_result(const std::string& text, const std::string& file_name);
[[nodiscard]] std::string format_result(const ResultFile& result);

/// The whole file. Throws FileError when it cannot be read, or is larger than any file of ours can be.
[[nodiscard]] std::string read_text(const std::filesystem::path& file);

/// The "kind" of a JSON file: "result", "timing", ...; "" for one that has none. Throws FileError for what is
/// no JSON object.
[[nodiscard]] std::string file_kind(const std::filesystem::path& file);

/// Replaces `file` by `text`: writes a temporary beside it, syncs, renames. The old file stays intact on any
/// failure. Throws FileError.
void write_atomically(const std::filesystem::path& file, const std::string& text);

}  // namespace census
