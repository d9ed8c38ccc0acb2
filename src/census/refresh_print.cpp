// SPDX-License-Identifier: MIT
// What a refresh tells its caller.
#include <census/judge_rules.hpp>
#include <census/refresh_print.hpp>
#include <census/stats.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <ostream>
#include <vector>

namespace census {
namespace {

/// "+1.2 %" of new over old.
std::string change(double from, double to) {
  const double percent = 100 * (to / from - 1);
  return (percent < 0 ? "" : "+") + format_fixed(percent, 1) + " %";
}

std::string time_text(const RefreshLine& line) {
  if (!line.old_us) return rules::format_us(line.new_us.value_or(0));
  return rules::format_us(*line.old_us) + " -> " + rules::format_us(*line.new_us) + " (" +
         change(*line.old_us, *line.new_us) + ")";
}

std::string occasions_text(const RefreshLine& line) {
  const std::string before = line.old_us ? std::to_string(line.old_occasions) + " -> " : "";
  return before + std::to_string(line.new_occasions) + (line.new_occasions == 1 ? " occasion" : " occasions");
}

std::string tolerance_text(const RefreshLine& line) {
  if (line.new_bound) {
    const std::string before = line.old_bound ? format_fixed(*line.old_bound, 3) + " -> " : "";
    return "bound " + before + format_fixed(*line.new_bound, 3) + " of the ceiling";
  }
  const bool differs = line.old_tolerance && *line.old_tolerance != *line.new_tolerance;
  return "tolerance " + (differs ? rules::format_percent(*line.old_tolerance) + " -> " : "") +
         rules::format_percent(line.new_tolerance.value_or(0));
}

/// The total over all rows that both have, by their own times, and the row that lost most.
void print_total(const Baseline& now, const TaggedBaseline& tagged, std::ostream& out) {
  std::vector<double> ratios;
  const BaselineRow* worst = nullptr;
  for (const BaselineRow& row : now.rows) {
    const BaselineRow* then = find_row(tagged.baseline, row.id);
    if (then == nullptr) continue;
    ratios.push_back(row.us / then->us);
    if (ratios.back() >= *std::max_element(ratios.begin(), ratios.end())) worst = &row;
  }
  if (worst == nullptr) {
    out << "  since " << tagged.tag << ": no row in common\n";
    return;
  }
  out << "  since " << tagged.tag << ": " << ratios.size() << " rows, time "
      << change(1, geometric_mean(ratios)) << " in the geometric mean, the slowest change " << worst->id
      << " " << change(1, *std::max_element(ratios.begin(), ratios.end())) << "\n";
}

}  // namespace

void print_refresh(const RefreshPlan& plan, const std::optional<TaggedBaseline>& tagged,
                   const std::string& file, std::ostream& out) {
  std::size_t width = 0;
  for (const RefreshLine& line : plan.lines) width = std::max(width, line.row.size());
  out << file << "\n";
  for (const RefreshLine& line : plan.lines) {
    out << "  " << line.row << std::string(width - line.row.size(), ' ') << "  " << line.action << "  "
        << time_text(line) << ", " << occasions_text(line) << ", " << tolerance_text(line);
    const BaselineRow* then = tagged ? find_row(tagged->baseline, line.row) : nullptr;
    if (then != nullptr && line.new_us)
      out << ", since " << tagged->tag << " " << change(then->us, *line.new_us);
    out << "\n";
  }
  if (tagged && !plan.baseline.rows.empty()) print_total(plan.baseline, *tagged, out);
  for (const std::string& notice : plan.notices) out << "  note: " << notice << "\n";
  for (const std::string& refusal : plan.refusals) out << "  refused: " << refusal << "\n";
}

}  // namespace census
