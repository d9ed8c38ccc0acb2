// SPDX-License-Identifier: MIT
#include <census/names.hpp>
#include <census/report.hpp>
#include <census/report_peers.hpp>
#include <census/text.hpp>
#include <census/waiver.hpp>

namespace census {
namespace {

/// One table line; a '|' inside a cell would end the cell.
std::string table_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const auto& cell : cells) {
    line += " ";
    for (const char c : cell) line += c == '|' ? std::string("\\|") : std::string(1, c == '\n' ? ' ' : c);
    line += " |";
  }
  return line + "\n";
}

/// Heading and rule; the first column is text, the others are numbers.
std::string table_head(const std::vector<std::string>& names) {
  std::string rule = "|---|";
  for (std::size_t i = 1; i < names.size(); ++i) rule += "--:|";
  return table_row(names) + rule + "\n";
}

std::string settings_list(const std::vector<std::string>& settings) {
  std::string text;
  for (const auto& setting : settings) text += "- setting: `" + setting + "`\n";
  return text.empty() ? text : text + "\n";
}

std::string peer_table(const std::vector<RowRun>& runs) {
  std::string table, notes;
  for (const auto& run : runs) {
    for (const auto& peer : run.peers) {
      if (!peer.series) continue;
      const PeerNumbers numbers = peer_numbers(run, peer);
      table += table_row({run.row, peer.name, four_digits(numbers.us), tbs_text(numbers.tbs),
                          fixed_or_na(numbers.ratio, 3), std::to_string(peer.series->samples_us.size()),
                          peer.call});
    }
  }
  for (const auto& [line, rows] : missing_peers(runs)) notes += "\nNo peer " + line + "\n";
  if (table.empty()) return notes;
  return "\n" + table_head({"row", "peer", "us/call", "TB/s", "peer / ours", "samples", "call"}) + table +
         notes;
}

std::string plan_table(const std::vector<PlanSum>& plans) {
  std::string text =
      "\n" + table_head({"one token", "weight bytes, GB", "launches", "floor, ms", "measured, ms",
                         "residual, ms", "empty launches, ms", "tokens/s at most"});
  for (const auto& p : plans) {
    text += table_row({p.plan, format_fixed(static_cast<double>(p.bytes_per_token.value) / 1e9, 3),
                       std::to_string(p.launches_per_token), fixed_or_na(p.floor_ms, 3),
                       fixed_or_na(p.measured_ms, 3), fixed_or_na(p.residual_ms, 3),
                       fixed_or_na(p.launch_ms, 3), fixed_or_na(p.tokens_per_s, 1)});
  }
  for (const auto& p : plans) {
    if (!p.missing.empty())
      text += "\n" + p.plan + ": the times lack rows that were not measured: " + join(p.missing) + "\n";
  }
  return text;
}

}  // namespace

std::string markdown_report(const TablePage& page) {
  std::string text = device_text(page.device, page.now, page.build) + "\n" + settings_list(page.settings);
  std::vector<std::string> names = {"row", "us/call", "TB/s", "% peak", "% ceiling", "% floor", "samples"};
  for (const auto& plan : page.plans) names.push_back(plan.plan + ", ms/token");
  text += table_head(names);
  for (const auto& run : page.runs) {
    if (run.status != RunStatus::measured) {
      text += table_row({run.row, std::string(to_string(run.status)) + ": " + run.reason});
      continue;
    }
    const Shares share = shares(run);
    std::vector<std::string> cells = {run.row,
                                      four_digits(run.row_series.median_us),
                                      tbs_text(achieved_tbs(run)),
                                      fixed_or_na(share.peak, 1),
                                      fixed_or_na(share.ceiling, 1),
                                      fixed_or_na(share.floor, 1),
                                      std::to_string(run.row_series.samples_us.size())};
    for (const auto& plan : page.plans) {
      std::string cell = "-";
      for (const auto& line : plan.lines) {
        if (line.row == run.row) {
          cell = std::to_string(line.calls_per_token) +
                 " x = " + four_digits(line.calls_per_token * run.row_series.median_us / 1000);
        }
      }
      cells.push_back(cell);
    }
    text += table_row(cells);
  }
  text += peer_table(page.runs);
  return page.plans.empty() ? text : text + plan_table(page.plans);
}

std::string markdown_report(const VerdictPage& page) {
  std::string text = page.title + "\n\n" + settings_list(page.settings);
  text += table_head({"row", "backend", "verdict", "us", "TB/s", "baseline us", "ratio", "MDE, %"});
  for (const auto& row : page.rows) {
    const Verdict& v = row.verdict;
    text +=
        table_row({row.row, to_string(row.backend), verdict_label(row), four_digits(v.us), tbs_text(v.tbs),
                   four_digits(v.baseline_us), fixed_or_na(v.ratio, 3), fixed_or_na(v.mde_percent, 1)});
  }
  text += "\n";
  for (const auto& row : page.rows) {
    if (row.verdict.kind != Kind::pass) {
      text += "- **" + verdict_label(row) + "** " + row.row + ": " + row.verdict.reason + "\n";
    }
    if (row.waiver) text += "- waiver: " + row.row + ": " + waiver_text(*row.waiver) + "\n";
    for (const auto& notice : row.verdict.notices) text += "- notice: " + row.row + ": " + notice + "\n";
  }
  for (const auto& note : page.notes) text += "- " + note + "\n";
  return text;
}

std::string markdown_report(const ListPage& page) {
  std::string text = table_head({"row", "backend", "cold bytes", "shape", "source"});
  for (const auto* row : page.rows) {
    text += table_row({row->id, to_string(row->backend),
                       row->resident ? std::string("resident") : format_traffic(row->cold_bytes), row->shape,
                       row->source});
  }
  return text;
}

}  // namespace census
