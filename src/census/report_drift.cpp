// SPDX-License-Identifier: MIT
// What people read of a drift.
#include <census/drift.hpp>
#include <census/judge_rules.hpp>
#include <census/text.hpp>
#include <census/units.hpp>

#include <algorithm>

namespace census {
namespace {

std::string shares_or_time(const std::optional<double>& us, const std::optional<double>& bound) {
  return bound ? "bound " + format_fixed(*bound, 3) : rules::format_us(us.value_or(0));
}

std::string ceiling_text(const BaselineDrift& drift) {
  if (!drift.then_ceiling_tbs) return "the file was not there";
  return "control: ceiling " + format_fixed(*drift.then_ceiling_tbs, 3) + " -> " +
         format_fixed(drift.now_ceiling_tbs, 3) + " TB/s (" +
         signed_percent(100 * (drift.now_ceiling_tbs / *drift.then_ceiling_tbs - 1)) + ")";
}

std::string heading(const DriftPage& page) {
  return "drift since " + page.since + " (commit " + page.commit.substr(0, 12) + ")";
}

}  // namespace

std::string signed_percent(double percent) {
  return format_signed(percent, 1) + " %";
}

std::string drift_text(const RowDrift& row) {
  if (!row.now_us) return "gone, was " + shares_or_time(row.then_us, row.then_bound);
  const std::string now = shares_or_time(row.now_us, row.now_bound);
  if (!row.then_us) return "new, " + now;
  const std::string was = row.was.empty() ? "" : ", was " + row.was;
  const std::string cost = row.then_bound && row.now_bound ? " in the bound" : "";
  return shares_or_time(row.then_us, row.then_bound) + " -> " + now + " (" +
         signed_percent(loss_percent(row).value_or(0)) + cost + ")" + was;
}

std::string total_text(const DriftTotal& total) {
  return std::to_string(total.rows) + (total.rows == 1 ? " row" : " rows") + ", time " +
         signed_percent(total.mean_percent) + " in the geometric mean, the slowest change " + total.worst +
         " " + signed_percent(total.worst_percent);
}

std::string text_report(const DriftPage& page) {
  std::string text = wrap(heading(page));
  for (const auto& note : page.notes) text += wrap(note);
  for (const BaselineDrift& drift : page.baselines) {
    text += "\n" + wrap(drift.file) + wrap(ceiling_text(drift), 2);
    std::size_t width = 0;
    for (const RowDrift& row : drift.rows) width = std::max(width, row.row.size());
    for (const RowDrift& row : drift.rows)
      text += "  " + left(row.row, width) + "  " + drift_text(row) + "\n";
    if (const auto total = total_of(drift.rows)) text += wrap(total_text(*total), 2);
  }
  return plain(text);
}

std::string markdown_report(const DriftPage& page) {
  const auto cell = [](const std::optional<double>& value, int digits) { return fixed_or_na(value, digits); };
  std::string text = heading(page) + "\n";
  for (const auto& note : page.notes) text += "\n" + note + "\n";
  for (const BaselineDrift& drift : page.baselines) {
    text +=
        "\n`" + drift.file + "`, " + ceiling_text(drift) +
        "\n\n| row | us then | us now | bound then | bound now | slower by, % |\n|---|--:|--:|--:|--:|--:|\n";
    for (const RowDrift& row : drift.rows) {
      text += "| " + row.row + (row.was.empty() ? "" : " (was " + row.was + ")") + " | " +
              four_digits(row.then_us) + " | " + four_digits(row.now_us) + " | " + cell(row.then_bound, 3) +
              " | " + cell(row.now_bound, 3) + " | " + cell(loss_percent(row), 1) + " |\n";
    }
    if (const auto total = total_of(drift.rows)) text += "\n" + total_text(*total) + "\n";
  }
  return text;
}

}  // namespace census
