// SPDX-License-Identifier: MIT
// JSON text to a tree and back: errors that say where in the file, numbers in shortest digits whatever the
// locale.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace census::json {

using Json = nlohmann::ordered_json;

/// What an error about a file has to name.
struct Source {
  std::string file;
  std::string way_out;  ///< what the reader of the error can do
};

/// Throws FileError naming the file, the line, and the row and field before the place, when `text` is no JSON
/// object: cut off, nested too deep, not a number JSON knows (NaN, Infinity), too large for a double, a field
/// twice in one object. A byte order mark and CRLF line ends are accepted.
[[nodiscard]] Json parse(const std::string& text, const Source& source);

/// The tree as text with a final newline. Containers nested less deep than `broken_levels` have one element a
/// line, deeper ones are on one line. Numbers have the fewest digits that read back the same; a string that
/// is not UTF-8 gets replacement characters.
[[nodiscard]] std::string format(const Json& tree, int broken_levels);

}  // namespace census::json
