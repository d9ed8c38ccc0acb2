// SPDX-License-Identifier: MIT
// What people read of the gate's error rates.
#include <census/names.hpp>
#include <census/selftest.hpp>
#include <census/text.hpp>
#include <census/units.hpp>

#include <algorithm>

namespace census {
namespace {

std::string bound_text(const Rate& rate) {
  if (rate.tries == 0) return "not tried";
  return (rate.bad ? "at most " : "at least ") + format_fixed(100 * rate.bound, 1) + " %";
}

std::string count_text(const Rate& rate) {
  return std::to_string(rate.seen) + " of " + std::to_string(rate.tries);
}

std::string details(const Rate& rate) {
  std::vector<std::string> parts;
  if (!rate.others.empty()) parts.push_back("others: " + rate.others);
  if (rate.left_out > 0)
    parts.push_back(std::to_string(rate.left_out) + " left out, their plant missed its request");
  return join(parts, "; ");
}

std::vector<std::string> session_lines(const Selftest& selftest) {
  std::vector<std::string> lines;
  for (const auto& session : selftest.sessions) {
    double seconds = 0;
    for (const auto& one : session.tries) seconds += one.seconds;
    lines.push_back(session.census + " on " + session.device.name + ", " + session.date + ", " +
                    (session.host.empty() ? "starts of its baseline" : session.host) + ", commit " +
                    (session.commit.empty() ? "unknown" : session.commit.substr(0, 12)) +
                    (session.dirty ? " (dirty)" : "") + ", " + std::to_string(session.tries.size()) +
                    " tries in " + format_fixed(seconds, 0) + " s");
  }
  return lines;
}

std::string table_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const auto& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

}  // namespace

std::string text_report(const Selftest& selftest) {
  std::string text;
  for (const auto& line : session_lines(selftest)) text += wrap("selftest: " + line);
  text += "\n";
  for (const auto& rate : rates(selftest)) {
    text += wrap(rate.name + ": " + count_text(rate) + ", " + bound_text(rate));
    if (!details(rate).empty()) text += wrap(details(rate), 2);
    for (const auto& example : rate.examples) text += wrap(example, 4);
  }
  const auto effects = row_effects(selftest);
  if (!effects.empty()) {
    text += "\n" + left("row", 41) + right("tolerance %", 12) + right("MDE %", 8) + right("spread %", 10) +
            right("calls", 7) + "\n";
  }
  for (const auto& row : effects) {
    text += left(row.row, 41) + right(fixed_or_na(row.tolerance_percent, 1), 12) +
            right(fixed_or_na(row.mde_percent, 1), 8) + right(fixed_or_na(row.aa_spread_percent, 2), 10) +
            right(std::to_string(row.aa_calls), 7) + "\n";
  }
  return text + wrap("Bounds are one-sided and exact (Clopper and Pearson), at 95 %.");
}

std::string markdown_report(const Selftest& selftest) {
  std::string text;
  for (const auto& line : session_lines(selftest)) text += "- " + line + "\n";
  text += "\n" + table_row({"what", "seen", "95 % bound", "else"}) + "|---|---|---|---|\n";
  for (const auto& rate : rates(selftest))
    text += table_row({rate.name, count_text(rate), bound_text(rate), details(rate)});
  text += "\n" + table_row({"row", "tolerance, %", "MDE, %", "spread of calls, %", "calls"}) +
          "|---|---|---|---|---|\n";
  for (const auto& row : row_effects(selftest)) {
    text += table_row({row.row, fixed_or_na(row.tolerance_percent, 1), fixed_or_na(row.mde_percent, 1),
                       fixed_or_na(row.aa_spread_percent, 2), std::to_string(row.aa_calls)});
  }
  return text;
}

}  // namespace census
