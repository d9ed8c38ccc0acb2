// SPDX-License-Identifier: MIT
// The baseline file, kind "timing": strict in reading, one row per line in writing.
#include <census/json_io_fields.hpp>

#include <algorithm>
#include <set>

namespace census {
namespace json {

template <class Archive, Same<Occasion> S>
void describe(Archive& a, S& s) {
  a("occasion", s.id);
  a("us", s.us);
  a("date", s.date);
  a.may("host", s.host);
  a.may("uuid", s.uuid);
  a.may("driver", s.driver);
  a.unless_empty("toolkit", s.toolkit);
  a.may("run_us", s.run_us);
  a("ceiling_tbs", s.ceiling_tbs);
}

template <class Archive, Same<BaselineRow> S>
void describe(Archive& a, S& s) {
  a("id", s.id);
  a("us", s.us);
  a("tbs", s.tbs);
  a("runs", s.runs);
  a("spread_run", s.spread_run);
  a("spread_occasion", s.spread_occasion);
  a("tolerance", s.tolerance);
  a("provisional", s.provisional);
  a.may("advisory", s.advisory);
  a("min_ceiling_fraction", s.min_ceiling_fraction);
  a("output_digest", s.output_digest);
  a("code_digest", s.code_digest);
  a("arm", s.arm);
  a.may("registers", s.registers);
  a.may("spill_bytes", s.spill_bytes);
  a.may("shared_bytes", s.shared_bytes);
  a.may("aliases", s.aliases);
  a("commit", s.commit);
  a("date", s.date);
  a("reason", s.reason);
  a("occasions", s.occasions);
}

/// The form of an occasion inside the control: a ceiling, no time.
struct CeilingOccasion {
  Occasion occasion;
};
template <class Archive, Same<CeilingOccasion> S>
void describe(Archive& a, S& s) {
  a("occasion", s.occasion.id);
  a("ceiling_tbs", s.occasion.ceiling_tbs);
  a("date", s.occasion.date);
  a.may("host", s.occasion.host);
  a.may("uuid", s.occasion.uuid);
  a.may("driver", s.occasion.driver);
}

template <class Archive, Same<Control> S>
void describe(Archive& a, S& s) {
  a("probe_version", s.probe_version);
  a("ceiling_tbs", s.ceiling_tbs);
  a("spread_occasion", s.spread_occasion);
  a("tolerance", s.tolerance);
  std::vector<CeilingOccasion> occasions;
  for (const Occasion& occasion : s.occasions) occasions.push_back({occasion});
  a("occasions", occasions);
  if constexpr (!std::is_const_v<S>) {
    s.occasions.clear();
    for (CeilingOccasion& each : occasions) s.occasions.push_back(std::move(each.occasion));
  }
}

template <class Archive, Same<BaselineDevice> S>
void describe(Archive& a, S& s) {
  a("name", s.name);
  a("pci_device_id", s.pci_device_id);
  a("sm_count", s.sm_count);
  a("memory_bytes", s.memory_bytes);
  a("bus_width_bits", s.bus_width_bits);
  a("mig_profile", s.mig_profile);
  a("ecc", s.ecc);
  a("power_cap_percent", s.power_cap_percent);
  a("driver_branch", s.driver_branch);
}

/// What the numbers of the file are in. A file in other units is refused, not converted.
struct Units {
  std::string us = "microseconds", tbs = "terabytes per second", tolerance = "fraction",
              spread = "standard deviation of log(us)";
};
template <class Archive, Same<Units> S>
void describe(Archive& a, S& s) {
  a("us", s.us);
  a("tbs", s.tbs);
  a("tolerance", s.tolerance);
  a("spread", s.spread);
}

namespace {

constexpr const char* baseline_kind = "timing";

void require(bool holds, const Place& place, const char* field, const std::string& what) {
  if (!holds) place.at(field).fail(what);
}

/// What the types cannot say.
void check_row(const BaselineRow& row, const Place& place) {
  require(!row.id.empty(), place, "id", "must not be empty");
  require(row.us > 0, place, "us", "must be positive");
  require(!row.tbs || *row.tbs > 0, place, "tbs", "must be positive");
  require(row.tolerance > 0 && row.tolerance < 1, place, "tolerance", "must be a fraction between 0 and 1");
  require(!row.min_ceiling_fraction || (*row.min_ceiling_fraction > 0 && *row.min_ceiling_fraction <= 1),
          place, "min_ceiling_fraction", "must be a fraction between 0 and 1");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < row.occasions.size(); ++i) {
    const Occasion& occasion = row.occasions[i];
    const Place here = place.at("occasions").at(i);
    require(seen.insert(occasion.id).second, here, "occasion", "is there twice: " + occasion.id);
    require(occasion.us > 0, here, "us", "must be positive");
    for (const double us : occasion.run_us) require(us > 0, here, "run_us", "must be positive");
  }
}

void check_units(const Units& units, const Place& place) {
  const Units expected;
  require(units.us == expected.us, place, "us", "must be \"" + expected.us + "\", is \"" + units.us + "\"");
  require(units.tbs == expected.tbs, place, "tbs",
          "must be \"" + expected.tbs + "\", is \"" + units.tbs + "\"");
  require(units.tolerance == expected.tolerance, place, "tolerance",
          "must be \"" + expected.tolerance + "\"");
  require(units.spread == expected.spread, place, "spread", "must be \"" + expected.spread + "\"");
}

std::vector<BaselineRow> read_rows(const Json& json, const Place& place) {
  if (!json.is_array()) place.fail("must be a list");
  std::vector<BaselineRow> rows;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < json.size(); ++i) {
    Place here = place.at(i);
    if (json[i].is_object() && json[i].contains("id") && json[i]["id"].is_string()) {
      here.row = json[i]["id"].get<std::string>();
      here.path = "";
    }
    decode(json[i], rows.emplace_back(), here);
    check_row(rows.back(), here);
    require(seen.insert(rows.back().id).second, here, "id", "is there twice");
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return rows;
}

}  // namespace
}  // namespace json

Baseline parse_baseline(const std::string& text, const std::string& file_name) {
  using json::Place;
  const Place place{.source = {file_name, "restore the file from version control, or make it with refresh"},
                    .strict = true};
  const json::Json tree = json::parse(text, place.source);
  json::require_kind(tree, place, json::baseline_kind, baseline_schema_version);

  Baseline baseline;
  json::Units units;
  json::Json rows;
  std::string kind;
  int version = 0;
  json::Reader reader(tree, place);
  reader("kind", kind);
  reader("schema_version", version);
  reader("units", units);
  json::check_units(units, place.at("units"));
  reader("slug", baseline.slug);
  reader("device", baseline.device);
  reader("control", baseline.control);
  reader("rows", rows);
  reader.finish();
  json::require(baseline.control.ceiling_tbs > 0, place.at("control"), "ceiling_tbs", "must be positive");
  baseline.rows = json::read_rows(rows, place.at("rows"));
  return baseline;
}

std::string format_baseline(const Baseline& baseline) {
  Baseline sorted = baseline;
  std::sort(sorted.rows.begin(), sorted.rows.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  json::Writer writer;
  writer("kind", std::string(json::baseline_kind));
  writer("schema_version", baseline_schema_version);
  writer("units", json::Units{});
  writer("slug", sorted.slug);
  writer("device", sorted.device);
  writer("control", sorted.control);
  writer("rows", sorted.rows);
  return json::format(writer.object, 2);
}

}  // namespace census
