// SPDX-License-Identifier: MIT
#include <census/names.hpp>
#include <census/report.hpp>
#include <census/report_peers.hpp>
#include <census/text.hpp>
#include <census/waiver.hpp>

#include <algorithm>

namespace census {
namespace {

// 35 + 45 columns of numbers = 80; a longer id gets a line of its own.
constexpr std::size_t id_width = 35;

std::string row_label(const std::string& id) {
  return id.size() < id_width ? left(id, id_width) : id + "\n" + std::string(id_width, ' ');
}

template <class T>
std::string reading(const Reading<T>& field, int digits, const std::string& unit) {
  if (field.has_value()) return format_fixed(static_cast<double>(field.value), digits) + " " + unit;
  return field.availability == Availability::denied ? "denied" : "unknown";
}

std::string throttle_text(const Snapshot& now) {
  if (!now.throttle_reasons.has_value()) {
    return now.throttle_reasons.availability == Availability::denied ? "denied" : "unknown";
  }
  return now.throttle_reasons.value.empty() ? "none" : join(now.throttle_reasons.value);
}

std::string status_text(const RowRun& run) {
  return std::string(to_string(run.status)) + ": " + run.reason;
}

int calls_in_plan(const PlanSum& plan, const std::string& row) {
  for (const auto& line : plan.lines) {
    if (line.row == row) return line.calls_per_token;
  }
  return 0;
}

/// " calls  ms/token" of the row in the plan.
std::string cost_cells(const PlanSum& plan, const RowRun& run) {
  const int calls = calls_in_plan(plan, run.row);
  if (calls == 0) return right("-", 6) + right("-", 8);
  return right(std::to_string(calls), 6) + right(four_digits(calls * run.row_series.median_us / 1000), 8);
}

std::string table_line(const TablePage& page, const RowRun& run, bool with_cost) {
  if (run.status != RunStatus::measured) return run.row + "\n" + wrap(status_text(run), 2);
  const Shares share = shares(run);
  std::string line = row_label(run.row) + right(four_digits(run.row_series.median_us), 8) +
                     right(tbs_text(achieved_tbs(run)), 7) + right(fixed_or_na(share.peak, 0), 5) +
                     right(fixed_or_na(share.ceiling, 0), 5) + right(fixed_or_na(share.floor, 0), 6);
  if (with_cost) line += cost_cells(page.plans[0], run);
  return line + "\n";
}

std::string costs(const TablePage& page) {
  std::string text = "\ncalls and ms per token\n" + left("", id_width);
  for (const auto& plan : page.plans) text += right(plan.plan.substr(0, 15), 16);
  text += "\n";
  for (const auto& run : page.runs) {
    const bool used = std::any_of(page.plans.begin(), page.plans.end(),
                                  [&](const PlanSum& plan) { return calls_in_plan(plan, run.row) != 0; });
    if (!used || run.status != RunStatus::measured) continue;
    text += row_label(run.row);
    for (const auto& plan : page.plans) text += "  " + cost_cells(plan, run);
    text += "\n";
  }
  return text;
}

template <class Cell>
std::string sum_line(const TablePage& page, const std::string& label, Cell cell) {
  std::string line = left(label, id_width - 3);
  for (const auto& plan : page.plans) line += right(cell(plan), 16);
  return line + "\n";
}

std::string sums(const TablePage& page) {
  std::string text =
      "\n" + sum_line(page, "one token", [](const PlanSum& p) { return p.plan.substr(0, 15); });
  text += sum_line(page, "weight bytes, GB", [](const PlanSum& p) {
    return format_fixed(static_cast<double>(p.bytes_per_token.value) / 1e9, 3);
  });
  text += sum_line(page, "launches", [](const PlanSum& p) { return std::to_string(p.launches_per_token); });
  text += sum_line(page, "floor, ms", [](const PlanSum& p) { return fixed_or_na(p.floor_ms, 3); });
  text += sum_line(page, "measured, ms", [](const PlanSum& p) { return fixed_or_na(p.measured_ms, 3); });
  text += sum_line(page, "residual over the floor, ms",
                   [](const PlanSum& p) { return fixed_or_na(p.residual_ms, 3); });
  text += sum_line(page, "empty launches alone, ms",
                   [](const PlanSum& p) { return fixed_or_na(p.launch_ms, 3); });
  text += sum_line(page, "tokens/s at most", [](const PlanSum& p) { return fixed_or_na(p.tokens_per_s, 1); });
  for (const auto& plan : page.plans) {
    if (plan.missing.empty()) continue;
    text += wrap(plan.plan + ": the sums above lack the rows that were not measured: " + join(plan.missing));
  }
  return text;
}

std::string verdict_line(const RowVerdict& row) {
  const Verdict& v = row.verdict;
  std::string line = row_label(row.row) + left(to_string(row.backend), 5) +
                     left(row.waiver ? "waived" : to_string(v.kind), 13) + right(four_digits(v.us), 8) +
                     right(tbs_text(v.tbs), 7) + right(fixed_or_na(v.ratio, 3), 7);
  return line + "\n";
}

/// What a reader of the page needs about a row beyond its numbers.
std::string verdict_detail(const RowVerdict& row) {
  std::string text;
  if (row.verdict.kind != Kind::pass) {
    const std::string advisory = row.advisory ? " (advisory row: does not fail)" : "";
    text += wrap(verdict_label(row) + ": " + row.row + ": " + row.verdict.reason + advisory);
  }
  if (row.waiver) text += wrap("waiver: " + row.row + ": " + waiver_text(*row.waiver));
  for (const auto& notice : row.verdict.notices) text += wrap("notice: " + row.row + ": " + notice);
  if (!row.attempts.empty()) {
    std::vector<std::string> kinds;
    for (const auto& attempt : row.attempts) kinds.emplace_back(to_string(attempt.kind));
    text += wrap(row.row + ": earlier attempts in this run: " + join(kinds));
  }
  return text;
}

}  // namespace

Shares shares(const RowRun& run) {
  Shares share;
  const auto tbs = achieved_tbs(run);
  if (tbs) {
    if (const auto top = peak(run.device)) share.peak = *tbs / top->value * 100;
    if (run.ceiling_tbs && *run.ceiling_tbs > 0) share.ceiling = *tbs / *run.ceiling_tbs * 100;
  }
  if (run.status == RunStatus::measured && run.row_series.median_us > 0) {
    if (run.floor) share.floor = run.floor->median_us / run.row_series.median_us * 100;
    if (run.dependent_floor)
      share.dependent_floor = run.dependent_floor->median_us / run.row_series.median_us * 100;
  }
  return share;
}

std::string verdict_label(const RowVerdict& row) {
  return std::string(to_string(row.verdict.kind)) + (row.waiver ? ", waived" : "");
}

std::string build_text(const Build& build) {
  const std::string commit = build.commit.empty() ? "unknown" : build.commit.substr(0, 12);
  return build.version + ", commit " + commit + (build.dirty ? " (dirty)" : "");
}

std::string device_text(const Device& device, const Snapshot& now, const Build& build) {
  std::string text = device.name;
  if (device.backend == Backend::cuda) {
    const auto top = peak(device);
    text += ", peak " + (top ? format_fixed(top->value, 2) + " TB/s" : std::string("unknown")) + "; SM " +
            reading(now.sm_clock_mhz, 0, "MHz") + ", memory " + reading(now.memory_clock_mhz, 0, "MHz") +
            "; power cap " + reading(device.power_cap_percent, 0, "%") + "; throttle " + throttle_text(now) +
            "; driver " + device.driver;
  } else {
    text += ", " + std::to_string(device.sm_count) + " threads, largest cache " +
            format_memory(device.last_level_cache) + "; load " + reading(now.utilisation_percent, 0, "%");
  }
  return wrap(text + "; kernel-census " + build_text(build));
}

std::string text_report(const TablePage& page) {
  std::string text = device_text(page.device, page.now, page.build);
  for (const auto& setting : page.settings) text += wrap("setting: " + setting);
  const bool with_cost = page.plans.size() == 1;
  text += "\n" + left("", id_width) + right("us/call", 8) + right("TB/s", 7) + right("%", 5) + right("%", 5) +
          right("%", 6);
  text += with_cost ? right("calls", 6) + right("ms", 8) + "\n" : "\n";
  text += left("row", id_width + 15) + right("peak", 5) + right("ceil", 5) + right("floor", 6);
  text += with_cost ? right("/token", 14) + "\n" : "\n";
  for (const auto& run : page.runs) text += table_line(page, run, with_cost);
  for (const auto& run : page.runs) {
    for (const auto& notice : run.notices) text += wrap("notice: " + run.row + ": " + notice);
    for (const auto& finding : run.environment) text += wrap("environment: " + run.row + ": " + finding);
  }
  text += peers_text(page.runs);
  if (page.plans.size() > 1) text += costs(page);
  if (!page.plans.empty()) text += sums(page);
  return plain(text);
}

std::string text_report(const VerdictPage& page) {
  std::string text = wrap(page.title);
  for (const auto& setting : page.settings) text += wrap("setting: " + setting);
  if (!page.rows.empty()) {
    text += left("row", id_width + 5) + left("verdict", 13) + right("us", 8) + right("TB/s", 7) +
            right("ratio", 7) + "\n";
  }
  for (const auto& row : page.rows) text += verdict_line(row);
  for (const auto& row : page.rows) text += verdict_detail(row);
  for (const auto& note : page.notes) text += wrap(note);
  std::vector<std::string> parts;
  for (const auto& [what, seconds] : page.seconds)
    parts.push_back(what + " " + format_fixed(seconds, 1) + " s");
  if (!parts.empty()) text += wrap("where the time went: " + join(parts));
  return plain(text);
}

std::string text_report(const ListPage& page) {
  std::string text;
  for (const auto* row : page.rows) {
    text += row_label(row->id) + left(to_string(row->backend), 6) +
            (row->resident ? std::string("resident") : format_traffic(row->cold_bytes)) + "\n";
  }
  return text;
}

}  // namespace census
