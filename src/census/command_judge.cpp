// SPDX-License-Identifier: MIT
// judge: recorded runs against a baseline, each row and occasion on its own.
#include <census/commands.hpp>
#include <census/names.hpp>
#include <census/recorded.hpp>
#include <census/replay.hpp>
#include <census/report.hpp>

#include <algorithm>

namespace census {
namespace {

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
  std::vector<int> codes;
  const Waivers waivers = checked_waivers(call);
  Baselines baselines(call.options.baselines);
  std::vector<std::string> occasions;
  for (const RecordedGroup& group : recorded_groups(call)) {
    const RowRun& one = group.runs.front();
    Policy policy = policy_for(slug(one.device));
    policy.strict = call.options.strict;
    policy.fail_on_improved = call.options.fail_on_improved;
    page.rows.push_back(judge_group(call, policy, group, baselines.of(group)));
    apply_waivers(page.rows.back(), waivers, slug(one.device), call.platform.today());
    codes.push_back(exit_code(page.rows.back(), policy, false));
    if (std::find(occasions.begin(), occasions.end(), one.occasion) == occasions.end())
      occasions.push_back(one.occasion);
  }
  page.notes.push_back(std::to_string(page.rows.size()) +
                       " verdicts, one for each row and occasion; occasions: " + join(occasions));
  answer(call, report(page, call.options.format));
  return combine_exit_codes(codes);
}

}  // namespace census
