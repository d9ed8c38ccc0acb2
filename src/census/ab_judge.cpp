// SPDX-License-Identifier: MIT
// From paired runs to what is said of each row.
#include <census/ab.hpp>
#include <census/ab_measure.hpp>
#include <census/names.hpp>
#include <census/stats.hpp>
#include <census/text.hpp>

#include <algorithm>
#include <cmath>

namespace census {
namespace {

std::string percent(double fraction) {
  return format_fixed(100 * fraction, 2) + " %";
}

std::string numbers(const PairedDecision& decision, std::size_t pairs) {
  return "head " + four_digits(decision.head_us) + " us, base " + four_digits(decision.base_us) +
         " us, shift " + format_signed(100 * decision.shift, 2) + " %, p " + format_fixed(decision.p, 5) +
         ", " + std::to_string(pairs) + " pairs";
}

void settle(AbRow& row, AbKind kind, const std::string& reason) {
  row.kind = kind;
  row.reason = reason;
}

/// The first run of a side that did not give a time; null when all did.
const RowRun* first_failure(const std::vector<RowRun>& runs) {
  const auto found = std::find_if(runs.begin(), runs.end(), [](const RowRun& run) {
    return run.status != RunStatus::measured || !std::isfinite(run.row_series.median_us) ||
           run.row_series.median_us <= 0;
  });
  return found == runs.end() ? nullptr : &*found;
}

/// "head's process of pair 3"
std::string whose(Side side, std::size_t pair) {
  return std::string(to_string(side)) + "'s process of pair " + std::to_string(pair + 1);
}

bool settle_failure(AbRow& row, Side side, const std::vector<RowRun>& runs) {
  const RowRun* run = first_failure(runs);
  if (run == nullptr) return false;
  const std::string why = whose(side, static_cast<std::size_t>(run - runs.data())) + ": " +
                          (run->status == RunStatus::measured ? "no usable time" : to_string(run->status)) +
                          (run->reason.empty() ? "" : ": " + run->reason);
  const bool wrong_head = run->status == RunStatus::incorrect && side == Side::head;
  settle(row,
         wrong_head                        ? AbKind::incorrect
         : run->status == RunStatus::error ? AbKind::failed
                                           : AbKind::inconclusive,
         why);
  return true;
}

/// A digest that changes from process to process of one executable is a wrong kernel.
bool settle_digests(AbRow& row, Side side, const std::vector<RowRun>& runs) {
  const auto other = std::find_if(runs.begin(), runs.end(), [&](const RowRun& run) {
    return run.output_digest != runs.front().output_digest;
  });
  if (other == runs.end()) return false;
  settle(row, side == Side::head ? AbKind::incorrect : AbKind::inconclusive,
         "output digest " + other->output_digest + " in " +
             whose(side, static_cast<std::size_t>(other - runs.begin())) + ", " + runs.front().output_digest +
             " in its first: the kernel is not deterministic");
  return true;
}

/// Findings that some of the runs have and others lack: the device changed while it was compared.
std::vector<std::string> changes(const std::vector<RowRun>& base, const std::vector<RowRun>& head) {
  std::vector<std::string> findings;
  std::size_t with = 0;
  for (const auto* runs : {&base, &head}) {
    for (const auto& run : *runs) {
      with += run.environment.empty() ? 0U : 1U;
      for (const auto& finding : run.environment) {
        if (std::find(findings.begin(), findings.end(), finding) == findings.end())
          findings.push_back(finding);
      }
    }
  }
  return with == base.size() + head.size() ? std::vector<std::string>{} : findings;
}

void settle_times(AbRow& row, const PairedRuns& runs, const AbPolicy& policy) {
  const auto pairs = time_pairs(runs.base, runs.head);
  const PairedDecision decision = decide(pairs, policy.rule);
  row.pairs = static_cast<int>(pairs.size());
  row.base_us = decision.base_us;
  row.head_us = decision.head_us;
  row.shift_percent = 100 * decision.shift;
  row.p = decision.p;
  const std::string all = numbers(decision, pairs.size());
  if (same_code(runs) && pairs.size() == 1)
    return settle(row, AbKind::same_code,
                  "both launch the same code (digest " + *runs.head[0].code_digest + ")");
  row.live_control = same_code(runs);
  const auto changed = changes(runs.base, runs.head);
  if (decision.blocks && !changed.empty())
    return settle(row, AbKind::inconclusive,
                  all + ", but the device changed meanwhile: " + join(changed, "; "));
  for (const auto& finding : changed) row.notices.push_back(finding);
  if (decision.blocks)
    return settle(row, AbKind::slower,
                  all + ": slower by more than " + percent(policy.rule.margin) +
                      " beyond doubt, and by at least " + percent(policy.rule.least_shift));
  const bool gain = decide(exchanged(pairs), policy.rule).blocks;
  settle(row, gain ? AbKind::faster : AbKind::pass, all);
}

void note_differences(AbRow& row, const PairedRuns& runs) {
  if (row.base_arm != row.head_arm)
    row.notices.push_back("base runs the arm " + row.base_arm + ", head " + row.head_arm);
  std::vector<double> achieved;
  for (const auto& run : runs.head) {
    if (run.plant) achieved.push_back(run.plant->achieved_percent);
  }
  if (!achieved.empty()) row.planted_percent = median(achieved);
}

std::vector<double> times_us(const std::vector<RowRun>& runs, std::size_t most) {
  std::vector<double> us;
  for (std::size_t i = 0; i < std::min(runs.size(), most); ++i) us.push_back(runs[i].row_series.median_us);
  return us;
}

AbRow judge_row(const PairedRuns& runs, const std::string& failure, const AbPolicy& policy) {
  AbRow row{.row = runs.row};
  if (!failure.empty() || runs.base.empty() || runs.head.empty()) {
    settle(row, AbKind::failed, failure.empty() ? "was not measured" : failure);
    return row;
  }
  row.backend = runs.head.front().backend;
  row.base_digest = runs.base.front().output_digest;
  row.head_digest = runs.head.front().output_digest;
  row.base_arm = runs.base.front().arm;
  row.head_arm = runs.head.front().arm;
  row.base_run_us = times_us(runs.base, runs.head.size());
  row.head_run_us = times_us(runs.head, runs.head.size());
  note_differences(row, runs);
  // Head first: when both are wrong, the change under review is what a reader can act on.
  if (settle_failure(row, Side::head, runs.head) || settle_failure(row, Side::base, runs.base)) return row;
  if (settle_digests(row, Side::head, runs.head) || settle_digests(row, Side::base, runs.base)) return row;
  settle_times(row, runs, policy);
  if (row.base_digest == row.head_digest) return row;
  const std::string change =
      "numeric class changed: output digest " + row.base_digest + " in base, " + row.head_digest + " in head";
  if (policy.accept_numeric_change || exit_code(row.kind) != 0) {
    row.notices.push_back(change);
  } else {
    settle(row, AbKind::numeric_change,
           change + "; if it is meant, say --accept-numeric-change and refresh the baseline (" + row.reason +
               ")");
  }
  return row;
}

AbControl judge_control(const PairedRuns& runs, const PairedRule& rule) {
  AbControl control{.row = runs.row};
  control.base_run_us = times_us(runs.base, runs.control.size());
  control.control_run_us = times_us(runs.control, runs.control.size());
  const auto pairs = time_pairs(runs.base, runs.control);
  if (pairs.empty()) return control;
  const PairedDecision slower = decide(pairs, rule);
  const PairedDecision faster = decide(exchanged(pairs), rule);
  control.shift_percent = 100 * slower.shift;
  control.p = std::min(slower.p, faster.p);
  control.flagged = slower.blocks || faster.blocks;
  return control;
}

/// What forbids to believe any time of the run; "" when nothing does.
std::string doubt(const AbReport& report) {
  for (const auto& control : report.controls) {
    if (control.flagged) {
      return "the null control moved: base against itself on " + control.row + " shifted by " +
             format_fixed(*control.shift_percent, 2) + " %, p " + format_fixed(*control.p, 5);
    }
  }
  for (const auto& row : report.rows) {
    if (row.live_control && (row.kind == AbKind::slower || row.kind == AbKind::faster))
      return "the live control moved: " + row.row + " runs the same code on both sides, yet " + row.reason;
  }
  const bool vouched =
      std::any_of(report.controls.begin(), report.controls.end(),
                  [](const AbControl& control) { return control.shift_percent.has_value(); });
  return vouched ? "" : "no null control was measured";
}

/// Whether the row's answer rests on its times.
bool rests_on_times(const AbRow& row) {
  return row.kind == AbKind::pass || row.kind == AbKind::faster || row.kind == AbKind::slower;
}

}  // namespace

void judge_pairs(const AbRuns& runs, const AbPolicy& policy, AbReport& report) {
  for (const auto& row : runs.rows) {
    report.rows.push_back(judge_row(row, runs.failure, policy));
    if (!row.control.empty()) report.controls.push_back(judge_control(row, policy.rule));
  }
  report.processes = runs.processes;
  const bool timed = std::any_of(report.rows.begin(), report.rows.end(), rests_on_times);
  report.inconclusive = timed ? doubt(report) : "";
  if (report.inconclusive.empty()) return;
  for (auto& row : report.rows) {
    if (rests_on_times(row))
      settle(row, AbKind::inconclusive,
             report.inconclusive + " (else " + to_string(row.kind) + ": " + row.reason + ")");
  }
}

}  // namespace census
