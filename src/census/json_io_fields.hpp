// SPDX-License-Identifier: MIT
// Structs to JSON objects and back from one description: `describe(archive, value)` lists a struct's fields,
// once for both ways.
#pragma once

#include <census/device.hpp>
#include <census/json_io.hpp>
#include <census/json_io_text.hpp>
#include <census/result.hpp>

#include <climits>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace census::json {

/// A struct and its const form share one description.
template <class S, class T>
concept Same = std::same_as<std::remove_const_t<S>, T>;

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_reading = false;
template <class T>
inline constexpr bool is_reading<Reading<T>> = true;

/// Names of the enumerations that files hold.
[[nodiscard]] std::string name_of(Backend value);
[[nodiscard]] std::string name_of(RunStatus value);
[[nodiscard]] std::string name_of(Kind value);
[[nodiscard]] std::string name_of(Availability value);
[[nodiscard]] bool parse_name(const std::string& text, Backend& value);
[[nodiscard]] bool parse_name(const std::string& text, RunStatus& value);
[[nodiscard]] bool parse_name(const std::string& text, Kind& value);
[[nodiscard]] bool parse_name(const std::string& text, Availability& value);

/// Where a value stands, for errors, and how strictly it is read.
struct Place {
  Source source;
  std::string row;      ///< "" outside of rows
  std::string path;     ///< "occasions[1].us"
  bool strict = false;  ///< refuse unknown and missing fields, and null for a number

  [[nodiscard]] Place at(const std::string& field) const;
  [[nodiscard]] Place at(std::size_t index) const;
  /// Throws FileError: file, row, field, `what`, the way out.
  [[noreturn]] void fail(const std::string& what) const;
};

/// Builds an object.
class Writer {
 public:
  Json object = Json::object();

  template <class T>
  void operator()(const char* name, const T& value);
  template <class T>
  void may(const char* name, const T& value) {
    (*this)(name, value);
  }
  void unless_empty(const char* name, const std::string& value) {
    if (!value.empty()) (*this)(name, value);
  }
  void any_sign(const char* name, double value) { (*this)(name, value); }
};

/// Takes an object apart. What is absent keeps its default, unless the place is strict.
class Reader {
 public:
  Reader(const Json& object, Place place);

  template <class T>
  void operator()(const char* name, T& value);
  /// A field that even a strict file may lack.
  template <class T>
  void may(const char* name, T& value);
  /// A text that is left out of the file when there is none.
  void unless_empty(const char* name, std::string& value) { may(name, value); }
  /// A number that may be negative.
  void any_sign(const char* name, double& value);
  /// In a strict place throws FileError for a field that nothing asked for.
  void finish() const;

 private:
  const Json* find(const char* name);

  const Json& object_;
  Place place_;
  std::vector<std::string> asked_;
};

template <class T>
[[nodiscard]] Json encode(const T& value) {
  if constexpr (std::same_as<T, double>) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
  } else if constexpr (std::is_enum_v<T>) {
    return name_of(value);
  } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
    return value;
  } else if constexpr (std::same_as<T, Bytes>) {
    return value.value;
  } else if constexpr (is_optional<T>) {
    return value ? encode(*value) : Json(nullptr);
  } else if constexpr (is_vector<T>) {
    Json array = Json::array();
    for (const auto& element : value) array.push_back(encode(element));
    return array;
  } else if constexpr (is_reading<T>) {
    Json reading = Json::object();
    reading["value"] = value.has_value() ? encode(value.value) : Json(nullptr);
    if (!value.has_value()) reading["because"] = name_of(value.availability);
    return reading;
  } else {
    Writer writer;
    describe(writer, value);
    return std::move(writer.object);
  }
}

/// A number that is finite and, unless `any_sign`, not negative. Null reads as not-a-number in a place that
/// is not strict.
[[nodiscard]] double decode_number(const Json& json, const Place& place, bool any_sign);
/// A whole number from 0 to `largest`.
[[nodiscard]] std::uint64_t decode_count(const Json& json, const Place& place, std::uint64_t largest);
[[nodiscard]] std::string decode_text(const Json& json, const Place& place);
[[nodiscard]] bool decode_flag(const Json& json, const Place& place);

/// Throws FileError unless the file is of this kind and version. A file of another version is never guessed
/// at.
void require_kind(const Json& tree, const Place& place, const std::string& kind, int version);

template <class T>
void decode(const Json& json, T& value, const Place& place) {
  if constexpr (std::same_as<T, Json>) {
    value = json;
  } else if constexpr (std::same_as<T, double>) {
    value = decode_number(json, place, false);
  } else if constexpr (std::same_as<T, bool>) {
    value = decode_flag(json, place);
  } else if constexpr (std::is_enum_v<T>) {
    const std::string text = decode_text(json, place);
    if (!parse_name(text, value)) place.fail("is \"" + text + "\", which is none of the known names");
  } else if constexpr (std::is_integral_v<T>) {
    value =
        static_cast<T>(decode_count(json, place, static_cast<std::uint64_t>(std::numeric_limits<T>::max())));
  } else if constexpr (std::same_as<T, std::string>) {
    value = decode_text(json, place);
  } else if constexpr (std::same_as<T, Bytes>) {
    decode(json, value.value, place);
  } else if constexpr (is_optional<T>) {
    value.reset();
    if (!json.is_null()) decode(json, value.emplace(), place);
  } else if constexpr (is_vector<T>) {
    if (!json.is_array()) place.fail("must be a list");
    value.clear();
    for (std::size_t i = 0; i < json.size(); ++i) decode(json[i], value.emplace_back(), place.at(i));
  } else if constexpr (is_reading<T>) {
    if (!json.is_object()) place.fail("must be an object with a value");
    value = {};
    if (json.contains("value") && !json["value"].is_null()) {
      value.availability = Availability::value;
      decode(json["value"], value.value, place.at("value"));
    } else if (json.contains("because")) {
      decode(json["because"], value.availability, place.at("because"));
      if (value.has_value()) place.fail("has neither a value nor a reason");
    }
  } else {
    Reader reader(json, place);
    describe(reader, value);
    reader.finish();
  }
}

template <class T>
void Writer::operator()(const char* name, const T& value) {
  object[name] = encode(value);
}

template <class T>
void Reader::operator()(const char* name, T& value) {
  const Json* json = find(name);
  if (json != nullptr) return decode(*json, value, place_.at(name));
  if (place_.strict && !is_optional<T>) place_.at(name).fail("is missing");
}

template <class T>
void Reader::may(const char* name, T& value) {
  if (const Json* json = find(name)) decode(*json, value, place_.at(name));
}

}  // namespace census::json
