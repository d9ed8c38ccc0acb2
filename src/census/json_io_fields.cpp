// SPDX-License-Identifier: MIT
// Reading single values strictly, with errors that name file, row and field.
#include <census/json_io_fields.hpp>

#include <algorithm>

namespace census::json {
namespace {

template <class T, std::size_t N>
bool parse_among(const std::string& text, T& value, const T (&all)[N]) {
  for (const T candidate : all) {
    if (text != name_of(candidate)) continue;
    value = candidate;
    return true;
  }
  return false;
}

/// An error stays one line that can be read, whatever a file has for a name.
std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 200;
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

std::string shown(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr std::size_t longest = 40;  // an error stays one line
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

}  // namespace

std::string name_of(Backend value) {
  return value == Backend::cuda ? "cuda" : "cpu";
}
std::string name_of(RunStatus value) {
  return to_string(value);
}
std::string name_of(Kind value) {
  return to_string(value);
}
std::string name_of(Availability value) {
  return value == Availability::value ? "value" : value == Availability::denied ? "denied" : "unsupported";
}

bool parse_name(const std::string& text, Backend& value) {
  return parse_among(text, value, {Backend::cuda, Backend::cpu});
}
bool parse_name(const std::string& text, RunStatus& value) {
  const auto found = run_status_from(text);
  if (found) value = *found;
  return found.has_value();
}
bool parse_name(const std::string& text, Kind& value) {
  const auto found = kind_from(text);
  if (found) value = *found;
  return found.has_value();
}
bool parse_name(const std::string& text, Availability& value) {
  return parse_among(text, value, {Availability::value, Availability::unsupported, Availability::denied});
}

Place Place::at(const std::string& field) const {
  Place inner = *this;
  inner.path += (path.empty() ? "" : ".") + field;
  return inner;
}

Place Place::at(std::size_t index) const {
  Place inner = *this;
  inner.path += "[" + std::to_string(index) + "]";
  return inner;
}

void Place::fail(const std::string& what) const {
  throw FileError(source.file + ": " + (row.empty() ? "" : "row " + shortened(row) + ", ") +
                  (path.empty() ? "the file " : "field " + shortened(path) + " ") + shortened(what) + "; " +
                  source.way_out);
}

Reader::Reader(const Json& object, Place place) : object_(object), place_(std::move(place)) {
  if (!object.is_object()) place_.fail("must be an object");
}

void Reader::any_sign(const char* name, double& value) {
  const Json* json = find(name);
  if (json != nullptr) {
    value = decode_number(*json, place_.at(name), true);
  } else if (place_.strict) {
    place_.at(name).fail("is missing");
  }
}

const Json* Reader::find(const char* name) {
  asked_.emplace_back(name);
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

void Reader::finish() const {
  if (!place_.strict) return;
  for (const auto& [name, value] : object_.items()) {
    if (std::find(asked_.begin(), asked_.end(), name) == asked_.end()) {
      place_.at(name).fail("is unknown to this version");
    }
  }
}

double decode_number(const Json& json, const Place& place, bool any_sign) {
  if (json.is_null() && !place.strict) return std::numeric_limits<double>::quiet_NaN();
  if (!json.is_number()) place.fail("must be a number, is " + shown(json));
  const double value = json.get<double>();
  if (!std::isfinite(value)) place.fail("must be finite");
  if (value < 0 && !any_sign) place.fail("must not be negative, is " + shown(json));
  return value;
}

std::uint64_t decode_count(const Json& json, const Place& place, std::uint64_t largest) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > largest) {
    place.fail("must be a whole number from 0 to " + std::to_string(largest) + ", is " + shown(json));
  }
  return json.get<std::uint64_t>();
}

void require_kind(const Json& tree, const Place& place, const std::string& kind, int version) {
  const auto found_kind = tree.find("kind");
  if (found_kind == tree.end() || *found_kind != Json(kind)) {
    place.at("kind").fail("must be \"" + kind + "\", is " +
                          (found_kind == tree.end() ? "missing" : shown(*found_kind)));
  }
  const auto found = tree.find("schema_version");
  if (found == tree.end() || *found != Json(version)) {
    place.at("schema_version")
        .fail("must be " + std::to_string(version) + ", is " +
              (found == tree.end() ? "missing" : shown(*found)));
  }
}

std::string decode_text(const Json& json, const Place& place) {
  if (!json.is_string()) place.fail("must be a text, is " + shown(json));
  return json.get<std::string>();
}

bool decode_flag(const Json& json, const Place& place) {
  if (!json.is_boolean()) place.fail("must be true or false, is " + shown(json));
  return json.get<bool>();
}

}  // namespace census::json
