// SPDX-License-Identifier: MIT
#include <census/names.hpp>
#include <census/report.hpp>
#include <census/report_peers.hpp>
#include <census/text.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <cmath>

namespace census {
namespace {

// Raised by one whenever a field of a page changes its meaning.
constexpr int page_schema_version = 1;

std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    json += c == '\n' ? std::string("\\n") : std::string(1, static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  }
  return json + "\"";
}

/// Shortest digits that read back as the same number; null for what is not finite.
std::string number(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return "null";
  return format_shortest(*value);
}

std::string whole(std::int64_t value) {
  return std::to_string(value);
}
std::string truth(bool value) {
  return value ? "true" : "false";
}
std::string field(const std::string& name, const std::string& json) {
  return quoted(name) + ": " + json;
}
std::string object(const std::vector<std::string>& fields) {
  return "{" + join(fields) + "}";
}

template <class Items, class ToJson>
std::vector<std::string> each(const Items& items, ToJson to_json) {
  std::vector<std::string> json;
  for (const auto& item : items) json.push_back(to_json(item));
  return json;
}

std::string texts(const std::vector<std::string>& words) {
  return "[" + join(each(words, quoted)) + "]";
}

/// One item a line.
std::string lines(const std::vector<std::string>& items) {
  return items.empty() ? "[]" : "[\n    " + join(items, ",\n    ") + "\n  ]";
}

/// A whole page: one field a line, the kind and the schema version first.
std::string page_json(const std::string& kind, std::vector<std::string> fields) {
  fields.insert(fields.begin(), {field("kind", quoted(kind)), field("schema", whole(page_schema_version))});
  return "{\n  " + join(fields, ",\n  ") + "\n}\n";
}

std::string build_json(const Build& build) {
  return object({field("version", quoted(build.version)), field("commit", quoted(build.commit)),
                 field("dirty", truth(build.dirty)), field("compiler", quoted(build.compiler)),
                 field("cuda", quoted(build.cuda)), field("type", quoted(build.type))});
}

std::string device_json(const Device& device) {
  const auto top = peak(device);
  return object({field("backend", quoted(to_string(device.backend))), field("name", quoted(device.name)),
                 field("uuid", quoted(device.uuid)), field("driver", quoted(device.driver)),
                 field("peak_tbs", number(top ? std::optional(top->value) : std::nullopt))});
}

std::string text_or_null(const std::string& text) {
  return text.empty() ? "null" : quoted(text);
}

std::string peer_json(const RowRun& run, const PeerRun& peer) {
  const PeerNumbers numbers = peer_numbers(run, peer);
  const auto samples = static_cast<std::int64_t>(peer.series ? peer.series->samples_us.size() : 0);
  return object({field("name", quoted(peer.name)), field("call", text_or_null(peer.call)),
                 field("us", number(numbers.us)), field("samples", whole(samples)),
                 field("tbs", number(numbers.tbs)), field("ratio", number(numbers.ratio)),
                 field("reason", text_or_null(peer.reason))});
}

/// What tells two builds apart, and what the kernels cost.
std::string code_json(const RowRun& run) {
  int registers = 0, shared = 0, spills = 0;
  for (const LaunchedKernel& kernel : run.kernels) {
    registers = std::max(registers, kernel.registers);
    shared = std::max(shared, kernel.static_shared_bytes + kernel.dynamic_shared_bytes);
    spills = std::max(spills, kernel.spill_bytes);
  }
  const auto known = [&](int value) { return run.kernels.empty() ? "null" : whole(value); };
  return object({field("digest", run.code_digest ? quoted(*run.code_digest) : "null"),
                 field("reason", text_or_null(run.code_digest_reason)), field("registers", known(registers)),
                 field("shared_bytes", known(shared)), field("spill_bytes", known(spills))});
}

std::string peers_json(const RowRun& run) {
  const auto to_json = [&](const PeerRun& peer) { return peer_json(run, peer); };
  return "[" + join(each(run.peers, to_json)) + "]";
}

std::string run_json(const RowRun& run) {
  const Shares share = shares(run);
  const bool measured = run.status == RunStatus::measured;
  const std::optional<double> us = measured ? std::optional(run.row_series.median_us) : std::nullopt;
  return object({field("row", quoted(run.row)),
                 field("status", quoted(to_string(run.status))),
                 field("reason", quoted(run.reason)),
                 field("us", number(us)),
                 field("samples", whole(static_cast<std::int64_t>(run.row_series.samples_us.size()))),
                 field("tbs", number(achieved_tbs(run))),
                 field("peak_percent", number(share.peak)),
                 field("ceiling_tbs", number(run.ceiling_tbs)),
                 field("ceiling_percent", number(share.ceiling)),
                 field("floor_percent", number(share.floor)),
                 field("dependent_floor_percent", number(share.dependent_floor)),
                 field("arm", quoted(run.arm)),
                 field("code", code_json(run)),
                 field("launch", quoted(run.launch_mode)),
                 field("cache", quoted(run.cache_mode)),
                 field("copies", whole(run.copies)),
                 field("cold_bytes", whole(run.cold_bytes.value)),
                 field("notices", texts(run.notices)),
                 field("environment", texts(run.environment)),
                 field("peers", peers_json(run))});
}

std::string line_json(const PlanLine& line) {
  const auto token_ms = line.us ? std::optional(*line.us * line.calls_per_token / 1000) : std::nullopt;
  return object({field("row", quoted(line.row)), field("calls_per_token", whole(line.calls_per_token)),
                 field("in_sums", truth(line.in_sums)), field("us", number(line.us)),
                 field("ms_per_token", number(token_ms))});
}

std::string plan_json(const PlanSum& plan) {
  return object(
      {field("plan", quoted(plan.plan)), field("bytes_per_token", whole(plan.bytes_per_token.value)),
       field("launches_per_token", whole(plan.launches_per_token)), field("floor_ms", number(plan.floor_ms)),
       field("measured_ms", number(plan.measured_ms)), field("residual_ms", number(plan.residual_ms)),
       field("launch_ms", number(plan.launch_ms)), field("tokens_per_s", number(plan.tokens_per_s)),
       field("missing", texts(plan.missing)), field("rows", "[" + join(each(plan.lines, line_json)) + "]")});
}

std::string waiver_json(const std::optional<Waiver>& waiver) {
  if (!waiver) return "null";
  return object({field("row", quoted(waiver->row)), field("device", quoted(waiver->device)),
                 field("owner", quoted(waiver->owner)), field("reason", quoted(waiver->reason)),
                 field("date", quoted(waiver->date)), field("until", quoted(waiver->until))});
}

std::string verdict_json(const RowVerdict& row) {
  const Verdict& v = row.verdict;
  const auto kind = [](const Verdict& attempt) { return quoted(to_string(attempt.kind)); };
  return object(
      {field("row", quoted(row.row)), field("backend", quoted(to_string(row.backend))),
       field("verdict", quoted(to_string(v.kind))), field("reason", quoted(v.reason)),
       field("us", number(v.us)), field("tbs", number(v.tbs)), field("baseline_us", number(v.baseline_us)),
       field("baseline_tbs", number(v.baseline_tbs)), field("ratio", number(v.ratio)),
       field("limit_us", number(v.limit_us)), field("mde_percent", number(v.mde_percent)),
       field("tolerance_percent", number(v.tolerance_percent)),
       field("ceiling_percent", number(v.ceiling_percent)), field("advisory", truth(row.advisory)),
       field("notices", texts(v.notices)), field("attempts", "[" + join(each(row.attempts, kind)) + "]"),
       field("wall_seconds", number(row.wall_seconds)), field("baseline_file", quoted(row.baseline_file)),
       field("waiver", waiver_json(row.waiver))});
}

std::string list_row_json(const KernelCase* row) {
  const auto use = [](const Use& u) {
    return object({field("plan", quoted(u.plan)), field("calls_per_token", whole(u.calls_per_token))});
  };
  const auto arm = [](const Arm& a) { return quoted(a.name); };
  return object({field("id", quoted(row->id)), field("backend", quoted(to_string(row->backend))),
                 field("resident", truth(row->resident)), field("op", quoted(row->op)),
                 field("shape", quoted(row->shape)), field("source", quoted(row->source)),
                 field("cold_bytes", whole(row->cold_bytes.value)),
                 field("other_bytes", whole(row->other_bytes.value)), field("flops", number(row->flops)),
                 field("arms", "[" + join(each(row->arms, arm)) + "]"),
                 field("uses", "[" + join(each(row->uses, use)) + "]")});
}

}  // namespace

std::string json_report(const TablePage& page) {
  return page_json(
      "table",
      {field("census", quoted(page.census)), field("build", build_json(page.build)),
       field("device", device_json(page.device)), field("settings", texts(page.settings)),
       field("rows", lines(each(page.runs, run_json))), field("plans", lines(each(page.plans, plan_json)))});
}

std::string json_report(const VerdictPage& page) {
  const auto part = [](const auto& p) { return field(p.first, number(p.second)); };
  return page_json("verdicts",
                   {field("title", quoted(page.title)), field("settings", texts(page.settings)),
                    field("rows", lines(each(page.rows, verdict_json))), field("notes", texts(page.notes)),
                    field("seconds", object(each(page.seconds, part)))});
}

std::string json_report(const ListPage& page) {
  return page_json(
      "list", {field("census", quoted(page.census)), field("rows", lines(each(page.rows, list_row_json)))});
}

}  // namespace census
