// SPDX-License-Identifier: MIT
// judge: recorded runs against a baseline, each row and occasion on its own.
#include <census/commands.hpp>
#include <census/common_shift.hpp>
#include <census/names.hpp>
#include <census/recorded.hpp>
#include <census/replay.hpp>
#include <census/report.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace census {
namespace {

Policy policy_of(const Call& call, const RecordedGroup& group) {
  Policy policy = policy_for(slug(group.runs.front().device));
  policy.strict = call.options.strict;
  policy.fail_on_improved = call.options.fail_on_improved;
  return policy;
}

RowVerdict judge_group(const Call& call, const Policy& policy, const RecordedGroup& group,
                       const BaselineMatch& match) {
  const RowRun& one = group.runs.front();
  const BaselineRow* row = match.baseline ? find_row(*match.baseline, one.row) : nullptr;
  RowVerdict judged{.row = one.row, .backend = one.backend};
  judged.verdict = judge_recorded(group, call.options.runs, match, policy);
  judged.advisory = row != nullptr && row->advisory;
  judged.baseline_file = match.file;
  for (const auto& run : group.runs) judged.wall_seconds += run.wall_seconds;
  return judged;
}

}  // namespace

int judge_command(const Call& call) {
  if (call.options.replay) return replay(call);
  VerdictPage page{"judge: " + std::to_string(call.options.arguments.size()) + " arguments against " +
                       call.options.baselines,
                   call.options.settings,
                   {},
                   {},
                   {}};
  const Waivers waivers = checked_waivers(call);
  Baselines baselines(call.options.baselines);
  const std::vector<RecordedGroup> groups = recorded_groups(call);
  std::map<std::string, std::vector<std::size_t>> rows_of;  // by occasion: one start of one device
  std::vector<std::string> occasions;
  for (const RecordedGroup& group : groups) {
    auto& places = rows_of[group.runs.front().occasion];
    if (places.empty()) occasions.push_back(group.runs.front().occasion);
    places.push_back(page.rows.size());
    page.rows.push_back(judge_group(call, policy_of(call, group), group, baselines.of(group)));
  }
  page.notes = excuse_common_shifts(page.rows, rows_of);
  std::vector<int> codes;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    apply_waivers(page.rows[i], waivers, slug(groups[i].runs.front().device), call.platform.today());
    codes.push_back(exit_code(page.rows[i], policy_of(call, groups[i]), false));
  }
  page.notes.push_back(std::to_string(page.rows.size()) +
                       " verdicts, one for each row and occasion; occasions: " + join(occasions));
  answer(call, report(page, call.options.format));
  return combine_exit_codes(codes);
}

}  // namespace census
