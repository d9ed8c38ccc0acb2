// SPDX-License-Identifier: MIT
// What a refresh tells its caller.
#include <census/drift.hpp>
#include <census/judge_rules.hpp>
#include <census/refresh_print.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <ostream>

namespace census {
namespace {

/// "+1.2 %" of new over old.
std::string change(double from, double to) {
  return signed_percent(100 * (to / from - 1));
}

/// "new_id (was old_id)".
std::string name_of(const RefreshLine& line) {
  return line.row + (line.was.empty() ? "" : " (was " + line.was + ")");
}

std::string time_text(const RefreshLine& line) {
  if (!line.new_us) return "was " + rules::format_us(line.old_us.value_or(0));
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
void print_total(const BaselineDrift& drift, const std::string& tag, std::ostream& out) {
  const auto total = total_of(drift.rows);
  out << "  since " << tag << ": " << (total ? total_text(*total) : "no row in common") << "\n";
  std::string gone;
  for (const RowDrift& row : drift.rows) {
    if (!row.now_us) gone += (gone.empty() ? "" : ", ") + row.row;
  }
  if (!gone.empty()) out << "  gone since " << tag << ": " << gone << "\n";
}

/// ", since v1 +2.0 %" of the row; "" where the tag has no such baseline.
std::string since_text(const std::optional<BaselineDrift>& drift, const std::string& tag,
                       const std::string& row) {
  if (!drift) return "";
  for (const RowDrift& each : drift->rows) {
    if (each.row != row || !each.now_us) continue;
    const auto loss = loss_percent(each);
    return loss ? ", since " + tag + " " + signed_percent(*loss) : ", new since " + tag;
  }
  return "";
}

/// The control old -> new.
void print_control(const RefreshPlan& plan, std::ostream& out) {
  const Control& now = plan.baseline.control;
  if (!(now.ceiling_tbs > 0)) return;
  out << "  control: ceiling ";
  if (plan.old_control) out << format_fixed(plan.old_control->ceiling_tbs, 3) << " -> ";
  out << format_fixed(now.ceiling_tbs, 3) << " TB/s";
  if (plan.old_control) out << " (" << change(plan.old_control->ceiling_tbs, now.ceiling_tbs) << ")";
  const auto count = [](const Control& control) { return std::to_string(control.occasions.size()); };
  out << ", " << (plan.old_control ? count(*plan.old_control) + " -> " : "") << count(now)
      << (now.occasions.size() == 1 ? " occasion\n" : " occasions\n");
}

}  // namespace

void print_refresh(const RefreshPlan& plan, const std::optional<TaggedBaseline>& tagged,
                   const std::string& file, std::ostream& out) {
  std::optional<BaselineDrift> drift;
  if (tagged) drift = drift_between(plan.baseline, &tagged->baseline, file);
  const std::string tag = tagged ? tagged->tag : "";
  std::size_t width = 0;
  for (const RefreshLine& line : plan.lines) width = std::max(width, name_of(line).size());
  out << file << "\n";
  for (const RefreshLine& line : plan.lines) {
    const std::string name = name_of(line);
    out << "  " << name << std::string(width - name.size(), ' ') << "  " << line.action << "  "
        << time_text(line);
    if (line.new_us) out << ", " << occasions_text(line) << ", " << tolerance_text(line);
    out << since_text(drift, tag, line.row) << "\n";
  }
  print_control(plan, out);
  if (drift && !plan.baseline.rows.empty()) print_total(*drift, tag, out);
  for (const std::string& notice : plan.notices) out << "  note: " << notice << "\n";
  for (const std::string& refusal : plan.refusals) out << "  refused: " << refusal << "\n";
}

}  // namespace census
