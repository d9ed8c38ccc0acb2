// SPDX-License-Identifier: MIT
// What people read of a paired run.
#include <census/ab.hpp>
#include <census/names.hpp>
#include <census/report.hpp>
#include <census/text.hpp>

#include <algorithm>
#include <map>

namespace census {
namespace {

std::string signed_or_na(const std::optional<double>& percent) {
  return percent ? format_signed(*percent, 2) : "n/a";
}

std::string counts(const AbReport& report) {
  std::map<AbKind, int> by_kind;
  for (const auto& row : report.rows) ++by_kind[row.kind];
  std::vector<std::string> parts;
  for (const auto& [kind, count] : by_kind) parts.push_back(std::to_string(count) + " " + to_string(kind));
  return join(parts);
}

std::vector<std::string> head_lines(const AbReport& report) {
  std::vector<std::string> lines = {"ab: " + report.census + ", rows of " + to_string(report.backend) +
                                        " on " + report.device.name + " " + report.device.uuid + ", driver " +
                                        (report.device.driver.empty() ? "none" : report.device.driver),
                                    "base " + report.base_file + ", " + build_text(report.base_build),
                                    "head " + report.head_file + ", " + build_text(report.head_build)};
  if (!report.settings.empty()) lines.push_back("settings: " + join(report.settings));
  return lines;
}

std::string rule_text(const PairedRule& rule) {
  return "A row blocks when head is slower by " + format_fixed(100 * rule.least_shift, 1) + " % and " +
         format_fixed(rule.least_us, 2) + " us (Hodges-Lehmann), and the signed-rank test against " +
         format_fixed(100 * rule.margin, 1) + " % has p of at most " + format_fixed(rule.alpha, 3) + "; " +
         std::to_string(rule.pairs) + " pairs, " + std::to_string(rule.pairs_in_doubt) + " for rows above " +
         format_fixed(100 * rule.doubt, 1) + " %.";
}

std::string control_text(const AbControl& control) {
  return "null control " + control.row + ": base against itself " + signed_or_na(control.shift_percent) +
         " %, p " + fixed_or_na(control.p, 5) + ", " + std::to_string(control.control_run_us.size()) +
         " pairs" + (control.flagged ? ": MOVED" : "");
}

std::string end_text(const AbReport& report) {
  return counts(report) + "; " + std::to_string(report.processes) + " processes in " +
         format_fixed(report.wall_seconds, 1) + " s";
}

std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string table_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const auto& one : cells) line += " " + cell(one) + " |";
  return line + "\n";
}

}  // namespace

std::string row_text(const AbReport& report, const AbRow& row) {
  std::string text;
  for (const auto& line : head_lines(report)) text += wrap(line);
  text += wrap(std::string(to_string(row.kind)) + ": " + row.row + ": " + row.reason);
  if (row.live_control) text += wrap("live control: both sides run the same code", 2);
  if (row.planted_percent)
    text += wrap("planted in head: " + signed_or_na(row.planted_percent) + " % as calibrated", 2);
  for (const auto& notice : row.notices) text += wrap("notice: " + notice, 2);
  return text;
}

std::string text_report(const AbReport& report) {
  std::string text;
  for (const auto& line : head_lines(report)) text += wrap(line);
  text += "\n" + left("row", 39) + right("base us", 10) + right("head us", 10) + right("shift %", 9) +
          right("p", 9) + "\n";
  for (const auto& row : report.rows) {
    text += row.row.size() < 39 ? left(row.row, 39) : row.row + "\n" + std::string(39, ' ');
    text += right(four_digits(row.base_us), 10) + right(four_digits(row.head_us), 10) +
            right(signed_or_na(row.shift_percent), 9) + right(fixed_or_na(row.p, 5), 9) + "\n";
    if (row.kind != AbKind::pass) text += wrap(std::string(to_string(row.kind)) + ": " + row.reason, 2);
    if (row.live_control) text += wrap("live control: both sides run the same code", 2);
    if (row.planted_percent)
      text += wrap("planted in head: " + signed_or_na(row.planted_percent) + " % as calibrated", 2);
    for (const auto& notice : row.notices) text += wrap("notice: " + notice, 2);
  }
  text += "\n";
  for (const auto& control : report.controls) text += wrap(control_text(control));
  if (!report.inconclusive.empty()) text += wrap("INCONCLUSIVE: " + report.inconclusive);
  for (const auto& note : report.notes) text += wrap("note: " + note);
  return text + wrap(rule_text(report.rule)) + wrap(end_text(report));
}

std::string markdown_report(const AbReport& report) {
  std::string text;
  for (const auto& line : head_lines(report)) text += "- " + line + "\n";
  text += "\n" + table_row({"row", "verdict", "base us", "head us", "shift, %", "p", "pairs"});
  text += "|---|---|---|---|---|---|---|\n";
  for (const auto& row : report.rows) {
    text += table_row({row.row, to_string(row.kind), four_digits(row.base_us), four_digits(row.head_us),
                       signed_or_na(row.shift_percent), fixed_or_na(row.p, 5), std::to_string(row.pairs)});
  }
  text += "\n";
  if (!report.inconclusive.empty()) text += "- **inconclusive**: " + report.inconclusive + "\n";
  for (const auto& row : report.rows) {
    if (row.kind != AbKind::pass)
      text += std::string("- **") + to_string(row.kind) + "** " + row.row + ": " + row.reason + "\n";
    for (const auto& notice : row.notices) text += "- notice: " + row.row + ": " + notice + "\n";
  }
  for (const auto& control : report.controls) text += "- " + control_text(control) + "\n";
  for (const auto& note : report.notes) text += "- " + note + "\n";
  return text + "- " + rule_text(report.rule) + "\n- " + end_text(report) + "\n";
}

}  // namespace census
