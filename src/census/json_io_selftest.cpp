// SPDX-License-Identifier: MIT
// Sessions of selftest as a file, and back.
#include <census/json_io_records.hpp>
#include <census/selftest.hpp>

namespace census {
namespace json {
namespace {

constexpr const char* selftest_kind = "selftest";
constexpr int selftest_schema_version = 1;

/// An optional number that may be negative.
template <class Archive, class Number>
void any_sign(Archive& a, const char* name, Number& number) {
  double value = number.value_or(std::numeric_limits<double>::quiet_NaN());
  a.any_sign(name, value);
  if constexpr (!std::is_const_v<Number>) {
    number = std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
  }
}

}  // namespace

template <class Archive, Same<SelftestTry> S>
void describe(Archive& a, S& s) {
  a("part", s.part);
  a("unit", s.unit);
  a("row", s.row);
  a("backend", s.backend);
  a("fault", s.fault);
  a("requested_percent", s.requested_percent);
  any_sign(a, "achieved_percent", s.achieved_percent);
  a("verdict", s.verdict);
  a("expected", s.expected);
  a("reason", s.reason);
  any_sign(a, "shift_percent", s.shift_percent);
  a("run_us", s.run_us);
  a("ceiling_tbs", s.ceiling_tbs);
  a("first_runs", s.first_runs);
  a("baseline_us", s.baseline_us);
  a("baseline_ceiling_tbs", s.baseline_ceiling_tbs);
  a("tolerance_percent", s.tolerance_percent);
  a("mde_percent", s.mde_percent);
  a("bound_percent", s.bound_percent);
  a("cold_bytes", s.cold_bytes);
  a("resident", s.resident);
  a("findings", s.findings);
  a("seconds", s.seconds);
}

template <class Archive, Same<SelftestSession> S>
void describe(Archive& a, S& s) {
  a("id", s.id);
  a("occasion", s.occasion);
  a("host", s.host);
  a("date", s.date);
  a("census", s.census);
  a("commit", s.commit);
  a("dirty", s.dirty);
  a("device", s.device);
  a("tries", s.tries);
}

template <class Archive, Same<Rate> S>
void describe(Archive& a, S& s) {
  a("name", s.name);
  a("seen", s.seen);
  a("tries", s.tries);
  a("should_be_zero", s.bad);
  a("bound_95", s.bound);
  a("left_out", s.left_out);
  a("others", s.others);
}

template <class Archive, Same<RowEffect> S>
void describe(Archive& a, S& s) {
  a("row", s.row);
  a("backend", s.backend);
  a("mde_percent", s.mde_percent);
  a("tolerance_percent", s.tolerance_percent);
  a("aa_spread_percent", s.aa_spread_percent);
  a("aa_calls", s.aa_calls);
}

}  // namespace json

std::string json_report(const Selftest& selftest) {
  json::Writer writer;
  writer("kind", std::string(json::selftest_kind));
  writer("schema_version", json::selftest_schema_version);
  writer("rates", rates(selftest));
  writer("rows", row_effects(selftest));
  writer("sessions", selftest.sessions);
  return json::format(writer.object, 4);
}

Selftest parse_selftest(const std::string& text, const std::string& file_name) {
  const json::Place place{.source = {file_name, "run selftest again"}};
  const json::Json tree = json::parse(text, place.source);
  json::require_kind(tree, place, json::selftest_kind, json::selftest_schema_version);
  Selftest selftest;
  json::Reader reader(tree, place);
  reader("sessions", selftest.sessions);
  return selftest;
}

}  // namespace census
