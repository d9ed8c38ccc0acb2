// SPDX-License-Identifier: MIT
// The page of doctor for a program. It is written and never read back.
#include <census/doctor.hpp>
#include <census/json_io_records.hpp>

namespace census {
namespace json {

template <class Archive, Same<RuleState> S>
void describe(Archive& a, S& s) {
  a("rule", s.rule);
  a("reading", s.reading);
  a("verdict", s.verdict);
  a("finding", s.finding);
}

template <class Archive, Same<DoctorDevice> S>
void describe(Archive& a, S& s) {
  a("device", s.device);
  a("now", s.now);
  a("environment", s.rules);
  a("lock_holder", s.lock);
  a("baseline_file", s.baseline_file);
  a("baseline_matches", s.baseline_matches);
  a("baseline", s.baseline_state);
  a("baseline_notices", s.baseline_notices);
  a("judged_rows", s.judged_rows);
  a("rows_without_baseline", s.rows_without_baseline);
}

}  // namespace json

std::string json_report(const DoctorPage& page) {
  json::Writer writer;
  writer("kind", std::string("doctor"));
  writer("schema", 1);
  writer("census", page.census);
  writer("build", page.build);
  writer("compiler", page.compiler);
  writer("cuda", page.cuda);
  writer("lock_directory", page.lock_directory);
  writer("baselines", page.baselines);
  writer("waivers", page.waivers);
  writer("devices", page.devices);
  json::Json none = json::Json::array();
  for (const auto& [backend, why] : page.none) none.push_back({{"backend", backend}, {"because", why}});
  writer.object["no_device"] = std::move(none);
  return json::format(writer.object, 4);
}

}  // namespace census
