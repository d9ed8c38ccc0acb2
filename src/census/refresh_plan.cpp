// SPDX-License-Identifier: MIT
// The pure core of refresh: accepted runs merged into the old baseline, and everything that forbids it.
#include <census/judge_rules.hpp>
#include <census/names.hpp>
#include <census/refresh_parts.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace census {
namespace {

using Rows = std::map<std::string, std::vector<RowRun>>;

class Planner {
 public:
  Planner(const Baseline* old, const Policy& policy, const RefreshRules& rules)
      : policy_(policy), rules_(rules), machine_(refreshing::is_machine_change(rules.reason)) {
    if (old == nullptr) return;
    renamed_ = refreshing::renamed(*old, rules.renames, plan_.refusals);
    old_ = &renamed_;
    plan_.old_control = old->control;
  }

  RefreshPlan plan(const std::vector<RowRun>& runs);

 private:
  void refuse(const std::string& row, const std::string& what) {
    plan_.refusals.push_back("row " + row + ": " + what);
  }
  /// Refuses unsound runs; what is left is grouped by row.
  Rows accept(const std::vector<RowRun>& runs);
  void check_device(const std::vector<RowRun>& runs);
  void check_counts(const std::string& id, const std::vector<RowRun>& runs);
  void check_one_kernel(const std::string& id, const std::vector<RowRun>& runs);
  void merge(const std::string& id, const std::vector<RowRun>& runs);
  BaselineRow accumulated(const BaselineRow& before, BaselineRow now);
  void check_ratchet(const refreshing::RowChange& change);
  void check_machine();
  void keep_the_rest();
  void make_control(const std::vector<RowRun>& runs);
  [[nodiscard]] bool covers_all_old_rows() const;
  void note_drivers(const BaselineRow& row);

  void edit_alone();
  void sort();
  [[nodiscard]] bool is_dropped(const std::string& id) const {
    return std::find(rules_.drops.begin(), rules_.drops.end(), id) != rules_.drops.end();
  }
  /// The id so far of a row that this refresh renames; "" for others.
  [[nodiscard]] std::string former_id(const std::string& id) const;

  const Policy& policy_;
  const RefreshRules& rules_;
  const bool machine_;  ///< the driver or the toolkit changed, so that every row starts anew
  RefreshPlan plan_;
  Baseline renamed_;
  const Baseline* old_ = nullptr;  ///< with the renames; null where there is none
  std::vector<refreshing::RowChange> changes_;
  std::set<std::string> taken_;  ///< ids of old rows that new data speaks of
};

Rows Planner::accept(const std::vector<RowRun>& runs) {
  Rows rows;
  std::set<std::string> said;  // a row of ten runs with one fault is refused in one line
  for (const RowRun& run : runs) {
    const std::vector<std::string> faults = refreshing::unsound(run);
    for (const std::string& fault : faults) {
      if (said.insert(run.row + fault).second)
        refuse(run.row, "a run of " + run.date + " is refused: " + fault);
    }
    if (faults.empty()) rows[run.row].push_back(run);
  }
  return rows;
}

void Planner::check_device(const std::vector<RowRun>& runs) {
  for (const std::string& difference : refreshing::mixed(runs)) plan_.refusals.push_back(difference);
  if (old_ == nullptr) return;
  for (const std::string& difference : hard_differences(old_->device, baseline_device(runs.front().device))) {
    plan_.refusals.push_back("the baseline " + old_->slug + " is another device's: " + difference);
  }
}

void Planner::check_counts(const std::string& id, const std::vector<RowRun>& runs) {
  if (policy_.one_sided_fraction) {
    if (static_cast<int>(runs.size()) < refreshing::least_cpu_runs) {
      refuse(id, std::to_string(runs.size()) + " runs are too few, " +
                     std::to_string(refreshing::least_cpu_runs) + " are needed for a bound on a CPU");
    }
    return;
  }
  for (const Occasion& occasion : refreshing::occasions_of(runs)) {
    if (static_cast<int>(occasion.run_us.size()) >= refreshing::least_runs_per_occasion) continue;
    refuse(id, std::to_string(occasion.run_us.size()) + " runs on the occasion of " + occasion.date + " (" +
                   occasion.id + ") are too few, " + std::to_string(refreshing::least_runs_per_occasion) +
                   " are needed");
  }
}

void Planner::check_one_kernel(const std::string& id, const std::vector<RowRun>& runs) {
  if (std::none_of(runs.begin(), runs.end(), [](const RowRun& run) { return run.reference_checked; })) {
    refuse(id, "no run compared its output with the reference; measure it without skipping the check");
  }
  const BaselineRow first = refreshing::row_of({runs.front()}, policy_, rules_.loosen);
  for (const RowRun& run : runs) {
    const BaselineRow other = refreshing::row_of({run}, policy_, rules_.loosen);
    if (other.output_digest != first.output_digest) {
      return refuse(id, "its runs gave different outputs, digests " + first.output_digest + " and " +
                            other.output_digest);
    }
    // CPUs of different kinds run different arms; their bound covers them all.
    if (!policy_.one_sided_fraction && !refreshing::same_kernel(first, other)) {
      return refuse(id, "its runs are of different kernels (commits " + runs.front().build.commit + " and " +
                            run.build.commit + "); refresh from runs of one of them");
    }
  }
}

void Planner::note_drivers(const BaselineRow& row) {
  for (const Occasion& occasion : row.occasions) {
    if (occasion.driver == row.occasions.front().driver) continue;
    const std::string notice = "occasions of different drivers are averaged (" +
                               row.occasions.front().driver + ", " + occasion.driver +
                               "); --replace starts anew with the newer";
    if (std::find(plan_.notices.begin(), plan_.notices.end(), notice) == plan_.notices.end()) {
      plan_.notices.push_back(notice);
    }
    return;
  }
}

BaselineRow Planner::accumulated(const BaselineRow& before, BaselineRow now) {
  // With equal code there is nothing but the machine between old and new, so that any distance is noise to be
  // averaged.
  const bool known_equal = before.code_digest && before.code_digest == now.code_digest;
  const double tolerance_us = std::max(before.tolerance * before.us, policy_.floor_us);
  if (!known_equal && std::abs(now.us - before.us) > tolerance_us) {
    refuse(now.id, "the new runs give " + rules::format_us(now.us) + ", the old " +
                       rules::format_us(before.us) +
                       ", more than the tolerance apart; if the kernel changed, say --replace");
  }
  now.occasions = refreshing::united(before.occasions, now.occasions);
  refreshing::summarise(now, policy_, rules_.loosen);
  now.reason = before.reason;
  return now;
}

void Planner::check_ratchet(const refreshing::RowChange& change) {
  changes_.push_back(change);
  if (machine_) {
    for (const std::string& sentence : refreshing::more_than_the_machine(change, rules_.reason))
      refuse(change.now.id, sentence);
  }
  if (!rules_.reason.empty()) return;
  for (const std::string& sentence : refreshing::unexplained(change, policy_))
    refuse(change.now.id, sentence);
}

void Planner::check_machine() {
  if (old_ == nullptr) return;
  for (std::string& refusal : refreshing::machine_refusals(*old_, plan_.baseline, changes_, rules_.reason)) {
    plan_.refusals.push_back(std::move(refusal));
  }
  if (!machine_ || covers_all_old_rows()) return;
  std::vector<std::string> missing;
  for (const BaselineRow& row : old_->rows) {
    if (!taken_.contains(row.id) && !is_dropped(row.id)) missing.push_back(row.id);
  }
  plan_.refusals.push_back("a change of the machine needs all rows of the baseline; measure these too: " +
                           join(missing));
}

void Planner::merge(const std::string& id, const std::vector<RowRun>& runs) {
  BaselineRow now = refreshing::row_of(runs, policy_, rules_.loosen);
  RefreshLine line{.row = id};
  const BaselineRow* before = old_ == nullptr ? nullptr : find_row(*old_, id);
  if (before == nullptr) {
    line.action = "new";
  } else {
    taken_.insert(before->id);
    line.old_us = before->us;
    line.old_tolerance = before->tolerance;
    line.old_bound = before->min_ceiling_fraction;
    line.old_occasions = static_cast<int>(before->occasions.size());
    if (is_dropped(before->id)) refuse(id, "is to be dropped, yet the results have runs of it");
    line.was = former_id(before->id);
    const bool anew =
        machine_ || rules_.replace || policy_.one_sided_fraction || !refreshing::same_kernel(*before, now);
    if (anew) {
      line.action = "replaced";
      now.reason = "measured again";
    } else if (refreshing::united(before->occasions, now.occasions).size() == before->occasions.size()) {
      line.action = "already counted";
      now = *before;
    } else {
      line.action = "accumulated";
      now = accumulated(*before, std::move(now));
    }
    now.aliases = before->aliases;
    if (before->id != id) {  // renamed: the row is found by its alias, and from now on by its new name
      std::erase(now.aliases, id);
      now.aliases.push_back(before->id);
      now.id = id;
    }
    check_ratchet({*before, now, anew});
  }
  if (!rules_.reason.empty() && line.action != "already counted") now.reason = rules_.reason;
  line.new_us = now.us;
  line.new_tolerance = now.tolerance;
  line.new_bound = now.min_ceiling_fraction;
  line.new_occasions = static_cast<int>(now.occasions.size());
  note_drivers(now);
  plan_.lines.push_back(std::move(line));
  plan_.baseline.rows.push_back(std::move(now));
}

bool Planner::covers_all_old_rows() const {
  return old_ == nullptr || std::all_of(old_->rows.begin(), old_->rows.end(), [&](const BaselineRow& row) {
           return taken_.contains(row.id) || is_dropped(row.id);
         });
}

void Planner::keep_the_rest() {
  if (old_ == nullptr) return;
  for (const BaselineRow& row : old_->rows) {
    if (taken_.contains(row.id)) continue;
    const int occasions = static_cast<int>(row.occasions.size());
    if (is_dropped(row.id)) {
      plan_.lines.push_back({.row = row.id,
                             .old_us = row.us,
                             .new_us = {},
                             .old_tolerance = row.tolerance,
                             .new_tolerance = {},
                             .old_bound = row.min_ceiling_fraction,
                             .new_bound = {},
                             .old_occasions = occasions,
                             .new_occasions = 0,
                             .action = "dropped",
                             .was = {}});
      continue;
    }
    plan_.baseline.rows.push_back(row);
    plan_.lines.push_back({.row = row.id,
                           .old_us = row.us,
                           .new_us = row.us,
                           .old_tolerance = row.tolerance,
                           .new_tolerance = row.tolerance,
                           .old_bound = row.min_ceiling_fraction,
                           .new_bound = row.min_ceiling_fraction,
                           .old_occasions = occasions,
                           .new_occasions = occasions,
                           .action = "kept",
                           .was = former_id(row.id)});
  }
}

void Planner::make_control(const std::vector<RowRun>& runs) {
  const auto probed =
      std::find_if(runs.begin(), runs.end(), [](const RowRun& run) { return run.ceiling_tbs.has_value(); });
  if (probed == runs.end()) {
    plan_.refusals.push_back(
        "no run has a ceiling, so that there is no control; measure a row that is not resident");
    return;
  }
  const bool same_probe = old_ == nullptr || old_->control.probe_version == probed->probe_version;
  if (!same_probe && !covers_all_old_rows()) {
    plan_.refusals.push_back("the baseline was made with probe version " +
                             std::to_string(old_->control.probe_version) + ", the runs with " +
                             std::to_string(probed->probe_version) +
                             "; refresh all rows of the baseline at once");
  }
  std::vector<Occasion> occasions = refreshing::occasions_of(runs);
  const bool anew = old_ == nullptr || !same_probe || policy_.one_sided_fraction ||
                    ((machine_ || rules_.replace) && covers_all_old_rows());
  if (!anew) occasions = refreshing::united(old_->control.occasions, occasions);
  plan_.baseline.control = refreshing::control_of(std::move(occasions), probed->probe_version, policy_);
}

RefreshPlan Planner::plan(const std::vector<RowRun>& all_runs) {
  std::vector<RowRun>
      runs;  // rows without a device were skipped, which says nothing about those that had one
  std::copy_if(all_runs.begin(), all_runs.end(), std::back_inserter(runs),
               [](const RowRun& run) { return run.status != RunStatus::no_device; });
  const bool edits = old_ != nullptr && (!rules_.renames.empty() || !rules_.drops.empty());
  if (runs.empty() && edits) {
    edit_alone();
    return std::move(plan_);
  }
  if (runs.empty()) {
    plan_.refusals.push_back("there is no measured run in the results");
    return std::move(plan_);
  }
  if (rules_.loosen && rules_.reason.empty())
    plan_.refusals.push_back("loosening a tolerance needs a --reason");
  const Rows rows = accept(runs);
  if (rows.empty()) return std::move(plan_);
  std::vector<RowRun> accepted;
  for (const auto& [id, group] : rows) accepted.insert(accepted.end(), group.begin(), group.end());

  plan_.baseline.slug = slug(accepted.front().device);
  // Soft fields are the newest run's.
  const auto newest = std::max_element(accepted.begin(), accepted.end(),
                                       [](const auto& a, const auto& b) { return a.date < b.date; });
  plan_.baseline.device = baseline_device(newest->device);
  check_device(accepted);
  for (const auto& [id, group] : rows) {
    check_counts(id, group);
    check_one_kernel(id, group);
    merge(id, group);
  }
  keep_the_rest();
  make_control(accepted);
  check_machine();
  for (std::string& refusal : refreshing::mixture(changes_, policy_, rules_.accepted_losses, plan_.notices)) {
    plan_.refusals.push_back(std::move(refusal));
  }
  sort();
  return std::move(plan_);
}

std::string Planner::former_id(const std::string& id) const {
  for (const auto& [from, to] : rules_.renames) {
    if (to == id) return from;
  }
  return "";
}

void Planner::edit_alone() {
  plan_.baseline.slug = old_->slug;
  plan_.baseline.device = old_->device;
  plan_.baseline.control = old_->control;
  keep_the_rest();
  sort();
}

void Planner::sort() {
  std::sort(plan_.baseline.rows.begin(), plan_.baseline.rows.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  std::sort(plan_.lines.begin(), plan_.lines.end(),
            [](const auto& a, const auto& b) { return a.row < b.row; });
}

}  // namespace

RefreshPlan plan_refresh(const std::vector<RowRun>& runs, const Baseline* old, const Policy& policy,
                         const RefreshRules& rules) {
  return Planner(old, policy, rules).plan(runs);
}

}  // namespace census
