// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/recorded.hpp>
#include <census/replay.hpp>
#include <census/report.hpp>
#include <census/units.hpp>

namespace census {
namespace {

std::string amount(double value, const char* unit) {
  std::string text = format_fixed(value, 3);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + unit;
}

std::vector<std::string> differences(const Options& options) {
  std::vector<std::string> words;
  if (options.tolerance_percent) words.push_back("tolerance " + amount(*options.tolerance_percent, " %"));
  if (options.control_tolerance_percent)
    words.push_back("control tolerance " + amount(*options.control_tolerance_percent, " %"));
  if (options.floor_us) words.push_back("floor " + amount(*options.floor_us, " us"));
  return words;
}

/// The other policy. A row that has its own tolerance, and a control, have theirs in the baseline.
void change(const Options& options, Policy& policy, BaselineMatch& match) {
  if (options.floor_us) policy.floor_us = *options.floor_us;
  if (options.tolerance_percent) {
    policy.tolerance = *options.tolerance_percent / 100;
    if (match.baseline) {
      for (BaselineRow& row : match.baseline->rows) row.tolerance = policy.tolerance;
    }
  }
  if (options.control_tolerance_percent) {
    policy.control_tolerance = *options.control_tolerance_percent / 100;
    if (match.baseline) match.baseline->control.tolerance = policy.control_tolerance;
  }
}

ReplayRow replayed(const Call& call, const RecordedGroup& group, const BaselineMatch& match) {
  const RowRun& one = group.runs.front();
  Policy policy = policy_for(slug(one.device));
  ReplayRow row{.row = one.row,
                .backend = one.backend,
                .occasion = one.occasion,
                .date = one.date,
                .recorded = {},
                .now = judge_recorded(group, call.options.runs, match, policy),
                .then = {}};
  if (group.recorded) row.recorded = group.recorded->kind;
  BaselineMatch other = match;
  change(call.options, policy, other);
  row.then = judge_recorded(group, call.options.runs, other, policy);
  return row;
}

}  // namespace

bool flips(const ReplayRow& row) {
  return row.now.kind != row.then.kind;
}

int replay(const Call& call) {
  ReplayPage page{call.options.baselines, differences(call.options), {}};
  if (page.policy.empty())
    throw UsageError("judge --replay: give the other policy: --tolerance, --control-tolerance or --floor");
  Baselines baselines(call.options.baselines);
  for (const RecordedGroup& group : recorded_groups(call))
    page.rows.push_back(replayed(call, group, baselines.of(group)));
  answer(call, report(page, call.options.format));
  return 0;
}

}  // namespace census
