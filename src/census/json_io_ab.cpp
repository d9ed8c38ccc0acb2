// SPDX-License-Identifier: MIT
// The report of the paired gate as a file, and back.
#include <census/ab.hpp>
#include <census/json_io_records.hpp>

#include <limits>

namespace census {
namespace json {
namespace {

constexpr const char* ab_kind = "ab";
constexpr int ab_schema_version = 1;

/// An optional number that may be negative.
template <class Archive, class Number>
void any_sign(Archive& a, const char* name, Number& number) {
  double value = number.value_or(std::numeric_limits<double>::quiet_NaN());
  a.any_sign(name, value);
  if constexpr (!std::is_const_v<Number>) {
    number = std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
  }
}

template <class Archive, class Kind>
void kind_by_name(Archive& a, const char* field, Kind& kind) {
  std::string name = to_string(kind);
  a(field, name);
  if constexpr (!std::is_const_v<Kind>) kind = ab_kind_from(name).value_or(AbKind::failed);
}

}  // namespace

template <class Archive, Same<PairedRule> S>
void describe(Archive& a, S& s) {
  a("pairs", s.pairs);
  a("pairs_in_doubt", s.pairs_in_doubt);
  a("doubt", s.doubt);
  a("margin", s.margin);
  a("alpha", s.alpha);
  a("least_shift", s.least_shift);
  a("least_us", s.least_us);
}

template <class Archive, Same<AbRow> S>
void describe(Archive& a, S& s) {
  a("row", s.row);
  a("backend", s.backend);
  kind_by_name(a, "kind", s.kind);
  a("reason", s.reason);
  a("notices", s.notices);
  a("pairs", s.pairs);
  a("base_us", s.base_us);
  a("head_us", s.head_us);
  any_sign(a, "shift_percent", s.shift_percent);
  a("p", s.p);
  a("base_run_us", s.base_run_us);
  a("head_run_us", s.head_run_us);
  a("live_control", s.live_control);
  any_sign(a, "planted_percent", s.planted_percent);
  a("base_digest", s.base_digest);
  a("head_digest", s.head_digest);
  a("base_arm", s.base_arm);
  a("head_arm", s.head_arm);
}

template <class Archive, Same<AbControl> S>
void describe(Archive& a, S& s) {
  a("row", s.row);
  a("base_run_us", s.base_run_us);
  a("control_run_us", s.control_run_us);
  any_sign(a, "shift_percent", s.shift_percent);
  a("p", s.p);
  a("flagged", s.flagged);
}

template <class Archive, Same<AbReport> S>
void describe(Archive& a, S& s) {
  a("census", s.census);
  a("backend", s.backend);
  a("device", s.device);
  a("base_file", s.base_file);
  a("head_file", s.head_file);
  a("base_build", s.base_build);
  a("head_build", s.head_build);
  a("settings", s.settings);
  a("rule", s.rule);
  a("occasion", s.occasion);
  a("date", s.date);
  a("processes", s.processes);
  a("wall_seconds", s.wall_seconds);
  a("inconclusive", s.inconclusive);
  a("notes", s.notes);
  a("controls", s.controls);
  a("rows", s.rows);
}

}  // namespace json

std::string json_report(const AbReport& report) {
  json::Writer writer;
  writer("kind", std::string(json::ab_kind));
  writer("schema_version", json::ab_schema_version);
  describe(writer, report);
  return json::format(writer.object, 2);
}

AbReport parse_ab_report(const std::string& text, const std::string& file_name) {
  const json::Place place{.source = {file_name, "run ab again"}};
  const json::Json tree = json::parse(text, place.source);
  json::require_kind(tree, place, json::ab_kind, json::ab_schema_version);
  AbReport report;
  json::Reader reader(tree, place);
  describe(reader, report);
  return report;
}

}  // namespace census
