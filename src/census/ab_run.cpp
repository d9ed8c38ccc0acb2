// SPDX-License-Identifier: MIT
#include <census/ab_measure.hpp>
#include <census/ab_process.hpp>
#include <census/ab_run.hpp>
#include <census/device_hold.hpp>
#include <census/error.hpp>
#include <census/measure_common.hpp>
#include <census/names.hpp>

#include <algorithm>
#include <chrono>

namespace census {
namespace {

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool selected(const ListedRow& row, const Options& options, Backend backend) {
  const auto spends = [&](const std::string& plan) { return contains(row.plans, plan); };
  const auto& plans = options.plans;
  return row.backend == backend && (options.rows.empty() || matches_any(options.rows, row.id)) &&
         (plans.empty() || std::any_of(plans.begin(), plans.end(), spends));
}

const ListedRow* find(const std::vector<ListedRow>& rows, const ListedRow& like) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const ListedRow& row) {
    return row.id == like.id && row.backend == like.backend;
  });
  return found == rows.end() ? nullptr : &*found;
}

void check_arm(Side side, const ListedRow& row, const std::string& arm) {
  if (arm.empty() || contains(row.arms, arm)) return;
  throw UsageError("ab --arm " + arm + ": " + to_string(side) + "'s row " + row.id + " has only " +
                   join(row.arms) + "; choose rows with --row");
}

void check_globs(const std::vector<ListedRow>& base, const std::vector<ListedRow>& head,
                 const Options& options, Backend backend) {
  std::vector<std::string> ids;
  for (const auto* rows : {&head, &base}) {
    for (const auto& row : *rows) {
      if (row.backend == backend) ids.push_back(row.id);
    }
  }
  for (const auto& glob : options.rows) {
    const auto matches = [&](const std::string& id) { return glob_matches(glob, id); };
    if (std::none_of(ids.begin(), ids.end(), matches)) {
      throw UsageError("ab: no row of base or head matches \"" + glob + "\" on " + to_string(backend) +
                       nearest_hint(glob, ids));
    }
  }
}

void check_options(const Options& options) {
  if (options.base.empty()) throw UsageError("ab: say what to compare with: --base EXECUTABLE");
  if (options.hot || options.stream_launch)
    throw UsageError("ab: --cache hot and --launch stream are never gated; leave them out");
}

PairedRule rule_of(const Options& options) {
  PairedRule rule;
  if (options.pairs > 0) {
    rule.pairs = options.pairs;
    rule.pairs_in_doubt = 2 * options.pairs;
  }
  const std::string why = cannot_fail(rule);
  if (!why.empty()) throw UsageError("ab --pairs " + std::to_string(options.pairs) + ": " + why);
  return rule;
}

void add_unmatched(const std::vector<std::string>& rows, Side has, const Options& options, AbReport& report) {
  const Side lacks = has == Side::base ? Side::head : Side::base;
  for (const auto& id : rows) {
    const std::string text =
        std::string("only ") + to_string(has) + " has this row, " + to_string(lacks) + " lacks it";
    if (options.common) {
      report.notes.push_back(id + ": " + text + "; left out as --common says");
      continue;
    }
    AbRow row{.row = id, .backend = report.backend, .kind = AbKind::unmatched};
    row.reason = text + "; --common compares the rows that both have";
    report.rows.push_back(row);
  }
}

/// Identity of what was measured, from the first run of each side.
void describe_runs(const AbRuns& runs, AbReport& report) {
  for (const auto& row : runs.rows) {
    if (row.base.empty() || row.head.empty()) continue;
    report.base_build = row.base.front().build;
    report.head_build = row.head.front().build;
    report.device = row.head.front().device;
    report.occasion = row.head.front().occasion;
    return;
  }
}

}  // namespace

AbSelection select_rows(const std::vector<ListedRow>& base, const std::vector<ListedRow>& head,
                        const Options& options, Backend backend) {
  check_globs(base, head, options, backend);
  AbSelection selection;
  for (const auto& row : head) {
    if (!selected(row, options, backend)) continue;
    const ListedRow* other = find(base, row);
    if (other == nullptr) {
      selection.only_head.push_back(row.id);
      continue;
    }
    check_arm(Side::head, row, options.arm);
    check_arm(Side::base, *other, options.arm);
    selection.common.push_back(row);
  }
  for (const auto& row : base) {
    if (selected(row, options, backend) && find(head, row) == nullptr) selection.only_base.push_back(row.id);
  }
  return selection;
}

AbReport run_ab(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  check_options(call.options);
  const AbPolicy policy{rule_of(call.options), call.options.common, call.options.accept_numeric_change};
  const auto files =
      find_executables(call.options.base, call.options.head.empty() ? "/proc/self/exe" : call.options.head);
  AbReport report{.census = call.census.name, .backend = choose_backend(call)};
  const auto selection = select_rows(list_rows(Side::base, files.base), list_rows(Side::head, files.head),
                                     call.options, report.backend);
  report.base_file = files.base;
  report.head_file = files.head;
  report.settings = call.options.settings;
  report.rule = policy.rule;
  report.date = utc_date();
  const auto found = choose_device(call.platform, report.backend, call.options.device);
  if (const auto* none = std::get_if<NoDevice>(&found)) throw NotMeasured(none->reason);
  report.device = std::get<Device>(found);
  auto hold = hold_device(report.device, call.options);
  if (const auto* holder = std::get_if<std::string>(&hold)) throw NotMeasured(*holder);
  auto& lock = std::get<DeviceLock>(hold);
  lock.make_inheritable();
  std::vector<std::string> ids;
  std::vector<SizedRow> sized;
  for (const auto& row : selection.common) {
    ids.push_back(row.id);
    sized.push_back({row.id, row.cold_bytes});
  }
  const AbRuns runs = measure_pairs(ids, choose_controls(sized), policy.rule,
                                    process_runner(files, call.options, report.device, lock.descriptor()));
  judge_pairs(runs, policy, report);
  describe_runs(runs, report);
  add_unmatched(selection.only_head, Side::head, call.options, report);
  add_unmatched(selection.only_base, Side::base, call.options, report);
  report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace census
