// SPDX-License-Identifier: MIT
// waivers.json, written by hand: as strict as a baseline, since a slip of the pen would let a regression
// pass.
#include <census/json_io_records.hpp>
#include <census/json_io_waivers.hpp>

#include <set>

namespace census {
namespace json {
namespace {

constexpr const char* waivers_kind = "waivers";
constexpr int waivers_schema_version = 1;

void require_line(const std::string& text, const Place& place, const char* field) {
  if (text.find_first_not_of(" \t") == std::string::npos) place.at(field).fail("must not be empty");
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) place.at(field).fail("must be one line");
  }
}

std::chrono::sys_days require_day(const std::string& text, const Place& place, const char* field) {
  const auto day = day_from(text);
  if (!day) place.at(field).fail("must be a day like 2027-01-15, is \"" + text + "\"");
  return *day;
}

/// What the types cannot say, as far as the file alone tells.
void check_entry(const Waiver& entry, const Place& place) {
  require_line(entry.row, place, "row");
  require_line(entry.owner, place, "owner");
  require_line(entry.reason, place, "reason");
  const auto date = require_day(entry.date, place, "date");
  const auto until = require_day(entry.until, place, "until");
  if (until < date) place.at("until").fail("is before the waiver's date");
  if (until - date > std::chrono::days(most_waiver_days)) {
    place.at("until").fail("is more than " + std::to_string(most_waiver_days) +
                           " days after the waiver's date");
  }
}

std::vector<Waiver> read_entries(const Json& list, const Place& place) {
  if (!list.is_array()) place.fail("must be a list");
  std::vector<Waiver> entries;
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Place here = place.at(i);
    if (list[i].is_object() && list[i].contains("row") && list[i]["row"].is_string())
      here.row = list[i]["row"].get<std::string>();
    decode(list[i], entries.emplace_back(), here);
    check_entry(entries.back(), here);
    if (!seen.insert({entries.back().row, entries.back().device}).second)
      here.at("row").fail("is waived twice for one device");
  }
  return entries;
}

}  // namespace
}  // namespace json

Waivers parse_waivers(const std::string& text, const std::string& file_name) {
  const json::Place place{.source = {file_name, "correct the entry or remove it"}, .strict = true};
  const json::Json tree = json::parse(text, place.source);
  json::require_kind(tree, place, json::waivers_kind, json::waivers_schema_version);
  std::string kind;
  int version = 0;
  json::Json entries;
  json::Reader reader(tree, place);
  reader("kind", kind);
  reader("schema_version", version);
  reader("waivers", entries);
  reader.finish();
  return {file_name, json::read_entries(entries, place.at("waivers"))};
}

Waivers read_waivers(const std::filesystem::path& baselines) {
  const auto file = baselines / waivers_file_name;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return {file.string(), {}};
  return parse_waivers(read_text(file), file.string());
}

}  // namespace census
