// SPDX-License-Identifier: MIT
#include <census/gate.hpp>
#include <census/names.hpp>
#include <census/report.hpp>
#include <census/stats.hpp>
#include <census/text.hpp>
#include <census/waiver.hpp>

#include <algorithm>
#include <cmath>

namespace census {
namespace {

/// Median over the measured runs of what `value` gives; nullopt where none gives anything.
template <class Value>
std::optional<double> median_of_runs(const std::vector<RowRun>& runs, Value value) {
  std::vector<double> values;
  for (const auto& run : runs) {
    if (run.status != RunStatus::measured) continue;
    const std::optional<double> one = value(run);
    if (one && std::isfinite(*one)) values.push_back(*one);
  }
  if (values.empty()) return std::nullopt;
  return median(values);
}

std::optional<double> sm_clock(const RowRun& run) {
  return run.during.sm_clock_mhz.has_value() ? std::optional(run.during.sm_clock_mhz.value) : std::nullopt;
}

/// "a measured number", without the line where there is none: CDash draws nothing better than a gap.
void add_number(std::vector<std::string>& lines, const std::string& name, const std::optional<double>& value,
                int digits) {
  if (!value || !std::isfinite(*value)) return;
  lines.push_back("<CTestMeasurement type=\"numeric/double\" name=\"" + name + "\">" +
                  format_fixed(*value, digits) + "</CTestMeasurement>\n");
}

std::string numbers(const Verdict& v) {
  std::string text;
  if (v.us) text += four_digits(v.us) + " us";
  if (v.tbs) text += ", " + tbs_text(v.tbs) + " TB/s";
  if (v.baseline_us) text += "; baseline " + four_digits(v.baseline_us) + " us";
  if (v.baseline_tbs) text += ", " + tbs_text(v.baseline_tbs) + " TB/s";
  if (v.ratio) text += "; ratio " + format_fixed(*v.ratio, 3);
  if (v.tolerance_percent) text += "; tolerance " + format_fixed(*v.tolerance_percent, 1) + " %";
  if (v.mde_percent) text += "; finds " + format_fixed(*v.mde_percent, 1) + " % (MDE)";
  return text;
}

/// The beginning of the code digest, enough to tell two builds apart, or why there is none.
std::string code_text(const RowRun& run) {
  constexpr std::size_t told_apart = 12;
  if (!run.code_digest) return run.code_digest_reason.empty() ? "" : "unknown: " + run.code_digest_reason;
  return run.code_digest->substr(0, told_apart);
}

std::string refresh_command_text(const GatedRow& gated, const Call& call) {
  const std::string record =
      call.options.results.empty()
          ? "RESULT..."
          : record_path(call.options.results, gated.row.backend, gated.row.row).string();
  return call.census.name + " refresh " + record + " --baselines " + call.options.baselines +
         " --reason \"...\"";
}

}  // namespace

std::vector<std::string> measurement_lines(const GatedRow& gated) {
  const Verdict& v = gated.row.verdict;
  std::vector<std::string> lines;
  add_number(lines, "us", v.us, 4);
  add_number(lines, "TB/s", v.tbs, 6);
  add_number(lines, "baseline us", v.baseline_us, 4);
  add_number(lines, "baseline TB/s", v.baseline_tbs, 6);
  add_number(lines, "ratio", v.ratio, 4);
  add_number(lines, "% ceiling",
             median_of_runs(gated.runs, [](const RowRun& r) { return shares(r).ceiling; }), 2);
  add_number(lines, "% floor", median_of_runs(gated.runs, [](const RowRun& r) { return shares(r).floor; }),
             2);
  add_number(lines, "MDE", v.mde_percent, 2);
  add_number(lines, "SM clock", median_of_runs(gated.runs, sm_clock), 0);
  lines.push_back(std::string("<CTestMeasurement type=\"text/string\" name=\"verdict\">") +
                  to_string(v.kind) + "</CTestMeasurement>\n");
  if (gated.row.waiver) {
    lines.push_back("<CTestMeasurement type=\"text/string\" name=\"waiver\">" +
                    plain(waiver_text(*gated.row.waiver)) + "</CTestMeasurement>\n");
  }
  return lines;
}

std::string gate_heading(const GatedRow& gated, const std::vector<std::string>& settings) {
  std::string first = gated.row.row + " on " + to_string(gated.row.backend);
  if (!settings.empty()) first += "; " + join(settings);
  std::string text = wrap(first);
  if (!gated.device.name.empty()) {
    const Snapshot now = gated.runs.empty() ? Snapshot{} : gated.runs.back().before;
    text += device_text(gated.device, now, this_build());
  }
  return text;
}

std::string gate_sentence(const GatedRow& gated, const Call& call) {
  const Verdict& v = gated.row.verdict;
  const std::string advisory = gated.row.advisory ? " (advisory row: printed, never failed)" : "";
  std::string text = wrap(verdict_label(gated.row) + advisory + ": " + v.reason);
  if (gated.row.waiver)
    text += wrap("waiver " + waiver_text(*gated.row.waiver) + "; red again after that", 2);
  const auto row_numbers = numbers(v);
  if (!row_numbers.empty()) text += wrap(row_numbers, 2);
  for (const auto& notice : v.notices) text += wrap("notice: " + notice, 2);
  for (const auto& attempt : gated.row.attempts) {
    text += wrap(
        std::string("earlier attempt in this run: ") + to_string(attempt.kind) + ": " + attempt.reason, 2);
  }
  if (v.kind == Kind::pass) return text;
  const std::string code = gated.runs.empty() ? "" : code_text(gated.runs.front());
  if (!code.empty()) text += wrap("code digest " + code, 2);
  if (!gated.row.baseline_file.empty()) text += wrap("baseline file: " + gated.row.baseline_file, 2);
  text += wrap("what it means: " + call.census.name + " explain " + to_string(v.kind), 2);
  const bool refreshable = v.kind == Kind::regressed || v.kind == Kind::improved ||
                           v.kind == Kind::no_baseline || (v.kind == Kind::incorrect && v.us.has_value());
  if (refreshable) text += wrap("if it is intended: " + refresh_command_text(gated, call), 2);
  return text;
}

}  // namespace census
