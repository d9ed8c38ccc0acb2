// SPDX-License-Identifier: MIT
// Text for terminals and for ctest: wrapping, padding, and output that cannot damage a measurement line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace census {

/// Width that every page fits in.
inline constexpr std::size_t page_width = 80;

/// Words of `text` broken into lines of at most `page_width`, each line indented by `indent`, each ended by a
/// newline. A word that is longer than a line stays whole.
[[nodiscard]] std::string wrap(const std::string& text, std::size_t indent = 0);

/// `text` in `width` columns, padded on the right / on the left; longer text stays whole.
[[nodiscard]] std::string left(const std::string& text, std::size_t width);
[[nodiscard]] std::string right(const std::string& text, std::size_t width);

/// `value` with four significant digits in fixed notation, or "n/a".
[[nodiscard]] std::string four_digits(std::optional<double> value);
/// Terabytes per second with three digits after the point, four below 0.1 TB/s (a CPU's memory), or "n/a".
[[nodiscard]] std::string tbs_text(std::optional<double> tbs);
/// Fixed notation with `digits` after the point, or "n/a".
[[nodiscard]] std::string fixed_or_na(std::optional<double> value, int digits);

/// `text` without what ctest's parser or a terminal could take for something else: "< " becomes
/// "below " and any other '<' a '[', '&' becomes '+', control characters (ANSI escapes too) become spaces,
/// bytes that are not UTF-8 become '?'. Newlines stay.
[[nodiscard]] std::string plain(std::string_view text);

/// Writes all of `text` to the descriptor, in one write() where the system allows. Errors are ignored: there
/// is nowhere to report them.
void write_whole(int descriptor, std::string_view text);

}  // namespace census
