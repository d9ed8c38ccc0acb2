// SPDX-License-Identifier: MIT
// JSON text to a tree and back.
#include <census/json_io.hpp>
#include <census/json_io_text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

namespace census::json {
namespace {

/// Our own files nest seven deep. A tree is written and shown by functions that call themselves: one that is
/// a million deep would end the process.
constexpr std::size_t most_levels = 64;
/// Of a name in an error, which stays one line that can be read.
constexpr std::size_t longest_name = 80;

std::string shortened(const std::string& text) {
  return text.size() <= longest_name ? text : text.substr(0, longest_name) + "...";
}

/// The string that follows the last `"key":` before `end`.
std::string last_value(const std::string& text, std::size_t end, const std::string& key) {
  const std::string quoted = "\"" + key + "\"";
  const std::size_t at = text.rfind(quoted, end);
  if (at == std::string::npos) return "";
  const std::size_t open = text.find('"', at + quoted.size());
  if (open == std::string::npos || open >= end) return "";
  const std::size_t close = text.find('"', open + 1);
  return close == std::string::npos ? "" : text.substr(open + 1, close - open - 1);
}

/// The name of the last field that begins before `end`.
std::string last_field(const std::string& text, std::size_t end) {
  const std::size_t colon = text.rfind("\":", end);
  if (colon == std::string::npos || colon == 0) return "";
  const std::size_t open = text.rfind('"', colon - 1);
  return open == std::string::npos ? "" : text.substr(open + 1, colon - open - 1);
}

/// "x.json line 12, row bf16.x, field us". Rows are one a line, so the last row before the place is the one
/// meant.
std::string place(const std::string& text, std::size_t byte, const Source& source) {
  const std::size_t end = std::min(byte, text.size());
  const auto lines = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  std::string found = source.file + " line " + std::to_string(lines);
  std::string row = last_value(text, end, "id");
  if (row.empty()) row = last_value(text, end, "row");
  if (!row.empty()) found += ", row " + shortened(row);
  const std::string field = last_field(text, end);
  if (!field.empty()) found += ", field " + shortened(field);
  return found;
}

[[noreturn]] void fail(const std::string& where, const std::string& what, const Source& source) {
  throw FileError(where + ": " + what + "; " + source.way_out);
}

/// Where the number is that is too large for a double: the parser gives its text, not its place.
std::size_t place_of_number(const std::string& text, const std::string& message) {
  const std::size_t open = message.find('\'');
  const std::size_t close = message.rfind('\'');
  if (open == std::string::npos || close <= open + 1) return 0;
  const std::size_t at = text.find(message.substr(open + 1, close - open - 1));
  return at == std::string::npos ? 0 : at;
}

/// Refuses what no file of ours has: deep nesting, and a field that is twice in one object, of which a parser
/// would silently keep the last.
class Strictness {
 public:
  explicit Strictness(const Source& source) : source_(source) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (static_cast<std::size_t>(depth) > most_levels) {
      fail(source_.file, "lists and objects nested more than " + std::to_string(most_levels) + " deep",
           source_);
    }
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key && !open_.back().insert(parsed.get<std::string>()).second) {
      fail(source_.file, "field " + shortened(parsed.get<std::string>()) + " is twice in one object",
           source_);
    }
    return true;
  }

 private:
  const Source& source_;
  std::vector<std::set<std::string>> open_;
};

void append_number(std::string& text, double value) {
  std::array<char, 32> digits{};  // the shortest form of a double has at most 24 characters
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text.append(digits.data(), error == std::errc{} ? end : digits.data());
}

void append_string(std::string& text, const std::string& value) {
  text += Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

class Formatter {
 public:
  explicit Formatter(int broken_levels) : broken_levels_(broken_levels) {}

  std::string text;

  void append(const Json& tree, int level) {
    if (tree.is_structured()) {
      append_container(tree, level);
    } else if (tree.is_number_float()) {
      const double value = tree.get<double>();
      std::isfinite(value) ? append_number(text, value) : void(text += "null");
    } else if (tree.is_string()) {
      append_string(text, tree.get_ref<const std::string&>());
    } else {
      text += tree.dump();
    }
  }

 private:
  void append_container(const Json& tree, int level) {
    const bool broken = level < broken_levels_ && !tree.empty();
    text += tree.is_object() ? '{' : '[';
    bool first = true;
    for (const auto& [key, value] : tree.items()) {
      if (!first) text += broken ? "," : ", ";
      first = false;
      if (broken) text += "\n" + std::string(2 * static_cast<std::size_t>(level + 1), ' ');
      if (tree.is_object()) {
        append_string(text, key);
        text += ": ";
      }
      append(value, level + 1);
    }
    if (broken) text += "\n" + std::string(2 * static_cast<std::size_t>(level), ' ');
    text += tree.is_object() ? '}' : ']';
  }

  int broken_levels_;
};

}  // namespace

Json parse(const std::string& text, const Source& source) {
  Strictness strict(source);
  std::optional<Json> tree;
  try {
    tree = Json::parse(text, [&](int depth, Json::parse_event_t event, Json& parsed) {
      return strict(depth, event, parsed);
    });
  } catch (const Json::parse_error& error) {
    const bool cut = error.byte > text.find_last_not_of(" \t\r\n") + 1;
    fail(place(text, error.byte == 0 ? 0 : error.byte - 1, source),
         cut ? "the file ends too early" : "this is not JSON", source);
  } catch (const Json::exception& error) {
    fail(place(text, place_of_number(text, error.what()), source), "a number that is too large", source);
  }
  if (!tree->is_object()) fail(source.file, "not a JSON object", source);
  return std::move(*tree);
}

std::string format(const Json& tree, int broken_levels) {
  Formatter formatter(broken_levels);
  formatter.append(tree, 0);
  return formatter.text + "\n";
}

}  // namespace census::json
