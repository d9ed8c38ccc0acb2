// SPDX-License-Identifier: MIT
// The result file: runs and verdicts. Fields that this version does not know are skipped, so that a newer one
// may add some.
#include <census/json_io_records.hpp>

namespace census {
namespace json {

template <class Archive, Same<RowRun> S>
void describe_setting(Archive& a, S& s) {
  a("row", s.row);
  a("backend", s.backend);
  a("status", s.status);
  a("reason", s.reason);
  a("occasion", s.occasion);
  a("host", s.host);
  a("date", s.date);
  a("wall_seconds", s.wall_seconds);
  a("phases", s.phases);
  a("device", s.device);
  a("build", s.build);
  a("launch_mode", s.launch_mode);
  a("cache_mode", s.cache_mode);
  a("footprint_override_bytes", s.footprint_override);
  a("copies", s.copies);
  a("cold_bytes", s.cold_bytes);
  a("other_bytes", s.other_bytes);
  a("flops", s.flops);
  a("resident", s.resident);
  a("notices", s.notices);
}

template <class Archive, Same<RowRun> S>
void describe(Archive& a, S& s) {
  describe_setting(a, s);
  a("row_series", s.row_series);
  a("floor", s.floor);
  a("dependent_floor", s.dependent_floor);
  a("ceiling_tbs", s.ceiling_tbs);
  a("probe_version", s.probe_version);
  a("launches_per_replay", s.launches_per_replay);
  a("replays_per_sample", s.replays_per_sample);
  a("arm", s.arm);
  a("code_digest", s.code_digest);
  a("code_digest_reason", s.code_digest_reason);
  a("kernels", s.kernels);
  a("output_digest", s.output_digest);
  a("reference_checked", s.reference_checked);
  a("first_difference", s.first_difference);
  a("before", s.before);
  a("during", s.during);
  a("after", s.after);
  a("utilisation_afterwards_percent", s.utilisation_afterwards_percent);
  a("slow_samples_percent", s.slow_samples_percent);
  a("slow_probe_samples_percent", s.slow_probe_samples_percent);
  a("environment", s.environment);
  a("plant", s.plant);
  a("peers", s.peers);
  a("fault", s.fault);
}

template <class Archive, Same<Verdict> S>
void describe(Archive& a, S& s) {
  a("kind", s.kind);
  a("reason", s.reason);
  a("notices", s.notices);
  a("needs_confirmation", s.needs_confirmation);
  a("us", s.us);
  a("tbs", s.tbs);
  a("baseline_us", s.baseline_us);
  a("baseline_tbs", s.baseline_tbs);
  a("ratio", s.ratio);
  a("limit_us", s.limit_us);
  a("tolerance_percent", s.tolerance_percent);
  a("mde_percent", s.mde_percent);
  a("ceiling_percent", s.ceiling_percent);
  a("bound_percent", s.bound_percent);
  a("same_code", s.same_code);
}

template <class Archive, Same<RowVerdict> S>
void describe(Archive& a, S& s) {
  a("row", s.row);
  a("backend", s.backend);
  a("verdict", s.verdict);
  a("attempts", s.attempts);
  a("advisory", s.advisory);
  a("wall_seconds", s.wall_seconds);
  a("baseline_file", s.baseline_file);
  a("waiver", s.waiver);
}

namespace {

constexpr const char* result_kind = "result";

/// Why the fields of a run that are null are null, for those whose absence is not the usual case.
Json null_reasons(const RowRun& run, const std::optional<double>& tbs) {
  Json because = Json::object();
  const std::string not_measured = "not measured: " + run.reason;
  const bool measured = run.status == RunStatus::measured;
  const std::string not_taken = measured ? "not measured in this run" : not_measured;
  if (!tbs) {
    because["tbs"] = run.resident ? "a resident row reads no memory"
                     : measured   ? "no usable time"
                                  : not_measured;
  }
  if (!run.floor) because["floor"] = run.resident ? "a resident row has no floor" : not_taken;
  if (!run.dependent_floor)
    because["dependent_floor"] = run.resident ? "a resident row has no floor" : not_taken;
  if (!run.ceiling_tbs) because["ceiling_tbs"] = not_taken;
  if (!run.code_digest)
    because["code_digest"] = run.code_digest_reason.empty() ? not_taken : run.code_digest_reason;
  if (measured && !std::isfinite(run.row_series.median_us)) because["median_us"] = "not a finite number";
  return because;
}

Json encode_run(const RowRun& run) {
  Json object = encode(run);
  const auto tbs = achieved_tbs(run);
  object["us"] = run.status == RunStatus::measured ? encode(run.row_series.median_us) : Json(nullptr);
  object["tbs"] = encode(tbs);
  object["null_because"] = null_reasons(run, tbs);
  return object;
}

/// Reads a list of objects that each name their row, so that an error can.
template <class T>
void read_list(const Json& tree, const char* name, bool needed, const Place& place, std::vector<T>& into) {
  if (!tree.contains(name)) {
    if (needed) place.at(name).fail("is missing");
    return;
  }
  const Json& list = tree[name];
  if (!list.is_array()) place.at(name).fail("must be a list");
  for (std::size_t i = 0; i < list.size(); ++i) {
    Place here = place.at(name).at(i);
    for (const char* needed_field : {"row", "backend"}) {
      if (!list[i].is_object() || !list[i].contains(needed_field)) here.at(needed_field).fail("is missing");
    }
    here.row = decode_text(list[i]["row"], here.at("row"));
    here.path = "";
    decode(list[i], into.emplace_back(), here);
  }
}

}  // namespace
}  // namespace json

ResultFile parse_result(const std::string& text, const std::string& file_name) {
  const json::Place place{.source = {file_name, "measure again"}};
  const json::Json tree = json::parse(text, place.source);
  json::require_kind(tree, place, json::result_kind, result_schema_version);
  ResultFile result;
  json::Reader reader(tree, place);
  reader("run_id", result.run_id);
  reader("settings", result.settings);
  json::read_list(tree, "runs", true, place, result.runs);
  json::read_list(tree, "verdicts", false, place, result.verdicts);
  return result;
}

std::string format_result(const ResultFile& result) {
  json::Writer writer;
  writer("kind", std::string(json::result_kind));
  writer("schema_version", result_schema_version);
  writer("run_id", result.run_id);
  writer("settings", result.settings);
  json::Json runs = json::Json::array();
  for (const RowRun& run : result.runs) runs.push_back(json::encode_run(run));
  writer.object["runs"] = std::move(runs);
  writer("verdicts", result.verdicts);
  return json::format(writer.object, 3);
}

}  // namespace census
