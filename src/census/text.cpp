// SPDX-License-Identifier: MIT
#include <census/text.hpp>
#include <census/units.hpp>

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <sstream>

namespace census {
namespace {

/// Length of the well-formed UTF-8 sequence at the front of `text`, 0 where there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::size_t length = 0;
  if (byte(0) < 0x80) return 1;
  if (byte(0) >= 0xC2 && byte(0) < 0xE0) length = 2;
  if (byte(0) >= 0xE0 && byte(0) < 0xF0) length = 3;
  if (byte(0) >= 0xF0 && byte(0) < 0xF5) length = 4;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and values above U+10FFFF.
  if (byte(0) == 0xE0 && byte(1) < 0xA0) return 0;
  if (byte(0) == 0xED && byte(1) >= 0xA0) return 0;
  if (byte(0) == 0xF0 && byte(1) < 0x90) return 0;
  if (byte(0) == 0xF4 && byte(1) >= 0x90) return 0;
  return length;
}

}  // namespace

std::string wrap(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string page;
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > page_width) {
      page += std::string(indent, ' ') + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) page += std::string(indent, ' ') + line + "\n";
  return page;
}

std::string left(const std::string& text, std::size_t width) {
  return text.size() >= width ? text : text + std::string(width - text.size(), ' ');
}

std::string right(const std::string& text, std::size_t width) {
  return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

std::string four_digits(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return "n/a";
  const double size = std::abs(*value);
  return format_fixed(*value, size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0);
}

std::string tbs_text(std::optional<double> tbs) {
  return fixed_or_na(tbs, tbs && *tbs < 0.1 ? 4 : 3);
}

std::string fixed_or_na(std::optional<double> value, int digits) {
  return value ? format_fixed(*value, digits) : "n/a";
}

std::string plain(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      clean += '?';
    } else if (length > 1) {
      clean += text.substr(0, length);
    } else if (byte == '<') {
      clean += text.substr(1, 1) == " " ? "below" : "[";  // a comparison, or what could open a tag
    } else if (byte == '&') {
      clean += '+';
    } else {
      clean += (byte < 0x20 && byte != '\n') || byte == 0x7F ? ' ' : static_cast<char>(byte);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return clean;
}

void write_whole(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace census
