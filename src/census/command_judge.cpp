// SPDX-License-Identifier: MIT
// judge: recorded runs against a baseline, each row and occasion on its own.
#include <census/commands.hpp>
#include <census/error.hpp>
#include <census/find_baseline.hpp>
#include <census/json_io.hpp>
#include <census/judge.hpp>
#include <census/names.hpp>
#include <census/report.hpp>
#include <census/result_files.hpp>
#include <census/select.hpp>

#include <algorithm>
#include <map>
#include <tuple>

namespace census {
namespace {

/// Backend, row, occasion.
using Group = std::tuple<Backend, std::string, std::string>;

/// The runs of the files that the options select, in the order of the files.
std::map<Group, std::vector<RowRun>> group_runs(const Call& call) {
  std::map<Group, std::vector<RowRun>> groups;
  std::vector<std::string> ids;
  for (const auto& file : result_files("judge", call.options.arguments)) {
    for (auto& run : read_result(file).runs) {
      ids.push_back(run.row);
      const bool by_backend = !call.options.backend || run.backend == *call.options.backend;
      const auto& globs = call.options.rows;
      const bool by_row = globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const auto& glob) {
                            return glob_matches(glob, run.row);
                          });
      if (by_backend && by_row) groups[{run.backend, run.row, run.occasion}].push_back(std::move(run));
    }
  }
  if (groups.empty()) {
    const std::string glob = call.options.rows.empty() ? "*" : call.options.rows[0];
    throw UsageError("judge: no recorded run matches \"" + glob + "\"" + nearest_hint(glob, ids));
  }
  return groups;
}

/// The first K runs are judged, those after them confirm: the order in which a gate made them.
Runs as_gated(const std::vector<RowRun>& recorded, int runs_per_look) {
  Runs runs;
  for (const auto& run : recorded) {
    auto& look = runs.first.size() < static_cast<std::size_t>(runs_per_look) ? runs.first : runs.confirmation;
    look.push_back(facts(run));
  }
  return runs;
}

RowVerdict judge_group(const Call& call, const Policy& policy, const std::vector<RowRun>& recorded,
                       const BaselineMatch& match) {
  const RowRun& one = recorded.front();
  const BaselineRow* row = match.baseline ? find_row(*match.baseline, one.row) : nullptr;
  RowVerdict judged{.row = one.row, .backend = one.backend};
  judged.verdict = judge(as_gated(recorded, call.options.runs), row,
                         match.baseline ? &match.baseline->control : nullptr, policy);
  if (judged.verdict.kind == Kind::no_baseline && !match.why_not.empty())
    judged.verdict.reason = match.why_not;
  judged.verdict.notices.insert(judged.verdict.notices.end(), match.notices.begin(), match.notices.end());
  if (judged.verdict.needs_confirmation)
    judged.verdict.notices.push_back("unconfirmed: the records hold no second look");
  judged.advisory = row != nullptr && row->advisory;
  judged.baseline_file = match.file;
  for (const auto& run : recorded) judged.wall_seconds += run.wall_seconds;
  return judged;
}

}  // namespace

int judge_command(const Call& call) {
  VerdictPage page{"judge: " + std::to_string(call.options.arguments.size()) + " arguments against " +
                       call.options.baselines,
                   call.options.settings,
                   {},
                   {},
                   {}};
  std::vector<int> codes;
  const Waivers waivers = checked_waivers(call);
  std::map<std::string, BaselineMatch> matches;
  std::vector<std::string> occasions;
  for (const auto& [group, recorded] : group_runs(call)) {
    const Device& device = recorded.front().device;
    // Two devices of one slug may differ in a hard field, so the match belongs to the device.
    const std::string key = slug(device) + " " + device.uuid;
    if (!matches.contains(key)) matches.emplace(key, find_baseline(call.options.baselines, device));
    Policy policy = policy_for(slug(device));
    policy.strict = call.options.strict;
    policy.fail_on_improved = call.options.fail_on_improved;
    page.rows.push_back(judge_group(call, policy, recorded, matches.at(key)));
    apply_waivers(page.rows.back(), waivers, slug(device), call.platform.today());
    codes.push_back(exit_code(page.rows.back(), policy, false));
    const auto& occasion = std::get<2>(group);
    if (std::find(occasions.begin(), occasions.end(), occasion) == occasions.end())
      occasions.push_back(occasion);
  }
  page.notes.push_back(std::to_string(page.rows.size()) +
                       " verdicts, one for each row and occasion; occasions: " + join(occasions));
  answer(call, report(page, call.options.format));
  return combine_exit_codes(codes);
}

}  // namespace census
