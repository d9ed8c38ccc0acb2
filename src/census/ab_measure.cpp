// SPDX-License-Identifier: MIT
#include <census/ab_measure.hpp>

#include <algorithm>
#include <cmath>

namespace census {
namespace {

bool timed(const RowRun& run) {
  const double us = run.row_series.median_us;
  return run.status == RunStatus::measured && std::isfinite(us) && us > 0;
}

bool all_timed(const std::vector<RowRun>& runs) {
  return !runs.empty() && std::all_of(runs.begin(), runs.end(), timed);
}

bool in_doubt(const PairedRuns& runs, const PairedRule& rule) {
  return decide(time_pairs(runs.base, runs.head), rule).in_doubt;
}

bool control_in_doubt(const PairedRuns& runs, const PairedRule& rule) {
  const auto pairs = time_pairs(runs.base, runs.control);
  return !pairs.empty() && (decide(pairs, rule).in_doubt || decide(exchanged(pairs), rule).in_doubt);
}

/// The rows that go on, by their place in AbRuns::rows.
struct Plan {
  std::vector<std::size_t> rows, controls;

  [[nodiscard]] std::vector<std::size_t> of(Side side) const {
    if (side == Side::head) return rows;
    if (side == Side::control) return controls;
    std::vector<std::size_t> both = rows;
    both.insert(both.end(), controls.begin(), controls.end());
    std::sort(both.begin(), both.end());
    both.erase(std::unique(both.begin(), both.end()), both.end());
    return both;
  }
};

std::vector<RowRun>& runs_of(PairedRuns& runs, Side side) {
  return side == Side::base ? runs.base : side == Side::head ? runs.head : runs.control;
}

void run_side(Side side, int pair, const Plan& plan, const RunProcess& run, AbRuns& all) {
  const auto places = plan.of(side);
  if (places.empty()) return;
  AbProcess process{
      .side = side, .pair = pair, .rows = {}, .check_reference = pair == 0 && side != Side::control};
  for (const std::size_t place : places) process.rows.push_back(all.rows[place].row);
  const auto runs = run(process);
  ++all.processes;
  for (std::size_t i = 0; i < places.size(); ++i) runs_of(all.rows[places[i]], side).push_back(runs.at(i));
}

/// Leaves out the rows whose answer is known, or can no longer be had.
void keep_useful(Plan& plan, const AbRuns& all) {
  std::erase_if(plan.rows, [&](std::size_t place) {
    return !all_timed(all.rows[place].base) || !all_timed(all.rows[place].head);
  });
  std::erase_if(plan.controls, [&](std::size_t place) {
    return !all_timed(all.rows[place].base) || !all_timed(all.rows[place].control);
  });
}

void leave_out_same_code(Plan& plan, const AbRuns& all) {
  std::size_t seen = 0;
  std::erase_if(plan.rows,
                [&](std::size_t place) { return same_code(all.rows[place]) && ++seen > live_controls; });
}

void keep_doubtful(Plan& plan, const AbRuns& all, const PairedRule& rule) {
  std::erase_if(plan.rows, [&](std::size_t place) { return !in_doubt(all.rows[place], rule); });
  const bool doubtful = std::any_of(plan.controls.begin(), plan.controls.end(), [&](std::size_t place) {
    return control_in_doubt(all.rows[place], rule);
  });
  if (plan.rows.empty() && !doubtful) plan.controls.clear();
}

}  // namespace

std::array<Side, 3> order_of_pair(int pair) {
  if (pair % 2 == 0) return {Side::base, Side::control, Side::head};
  return {Side::head, Side::control, Side::base};
}

bool same_code(const PairedRuns& runs) {
  if (runs.base.empty() || runs.head.empty()) return false;
  const auto& base = runs.base.front().code_digest;
  return base.has_value() && base == runs.head.front().code_digest;
}

std::vector<std::string> choose_controls(std::vector<SizedRow> rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const SizedRow& a, const SizedRow& b) { return a.cold_bytes < b.cold_bytes; });
  std::vector<std::string> chosen;
  if (rows.empty()) return chosen;
  for (const std::size_t place : {std::size_t{0}, rows.size() / 2, rows.size() - 1}) {
    if (std::find(chosen.begin(), chosen.end(), rows[place].id) == chosen.end())
      chosen.push_back(rows[place].id);
  }
  return chosen;
}

std::vector<TimePair> time_pairs(const std::vector<RowRun>& base, const std::vector<RowRun>& head) {
  std::vector<TimePair> pairs;
  for (std::size_t i = 0; i < std::min(base.size(), head.size()); ++i) {
    if (timed(base[i]) && timed(head[i]))
      pairs.push_back({base[i].row_series.median_us, head[i].row_series.median_us});
  }
  return pairs;
}

AbRuns measure_pairs(const std::vector<std::string>& rows, const std::vector<std::string>& controls,
                     const PairedRule& rule, const RunProcess& run) {
  AbRuns all;
  Plan plan;
  for (const auto& row : rows) {
    plan.rows.push_back(all.rows.size());
    if (std::find(controls.begin(), controls.end(), row) != controls.end())
      plan.controls.push_back(all.rows.size());
    all.rows.push_back({.row = row});
  }
  try {
    for (int pair = 0; pair < rule.pairs_in_doubt; ++pair) {
      if (pair == rule.pairs) keep_doubtful(plan, all, rule);
      if (plan.rows.empty() && plan.controls.empty()) break;
      for (const Side side : order_of_pair(pair)) run_side(side, pair, plan, run, all);
      keep_useful(plan, all);
      if (pair == 0) leave_out_same_code(plan, all);
      if (plan.rows.empty() && pair < rule.pairs) break;  // nothing is left that the controls could vouch for
    }
  } catch (const ProcessFailed& problem) {
    all.failure = problem.what();
  }
  return all;
}

}  // namespace census
