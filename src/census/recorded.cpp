// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/json_io.hpp>
#include <census/names.hpp>
#include <census/recorded.hpp>
#include <census/result_files.hpp>
#include <census/select.hpp>

#include <tuple>

namespace census {
namespace {

/// Backend, row, occasion.
using Key = std::tuple<Backend, std::string, std::string>;

Runs as_gated(const std::vector<RowRun>& recorded, int runs_per_look) {
  Runs runs;
  for (const auto& run : recorded) {
    auto& look = runs.first.size() < static_cast<std::size_t>(runs_per_look) ? runs.first : runs.confirmation;
    look.push_back(facts(run));
  }
  return runs;
}

std::optional<Verdict> verdict_on(const ResultFile& file, const RowRun& run) {
  std::optional<Verdict> last;
  for (const RowVerdict& row : file.verdicts) {
    if (row.row == run.row && row.backend == run.backend) last = row.verdict;
  }
  return last;
}

}  // namespace

std::vector<RecordedGroup> recorded_groups(const Call& call) {
  std::map<Key, RecordedGroup> groups;
  std::vector<std::string> ids;
  for (const auto& path : result_files("judge", call.options.arguments)) {
    ResultFile file = read_result(path);
    for (auto& run : file.runs) {
      ids.push_back(run.row);
      if (!is_selected(call.census, call.options, run.backend, run.row)) continue;
      RecordedGroup& group = groups[{run.backend, run.row, run.occasion}];
      if (const auto verdict = verdict_on(file, run)) group.recorded = verdict;
      group.runs.push_back(std::move(run));
    }
  }
  if (groups.empty()) {
    const std::string glob = call.options.rows.empty() ? "*" : call.options.rows[0];
    throw UsageError("judge: no recorded run matches \"" + glob + "\"" + nearest_hint(glob, ids));
  }
  std::vector<RecordedGroup> found;
  for (auto& [key, group] : groups) found.push_back(std::move(group));
  return found;
}

const BaselineMatch& Baselines::of(const RecordedGroup& group) {
  const Device& device = group.runs.front().device;
  // Two devices of one slug may differ in a hard field, so the match belongs to the device.
  const std::string key = slug(device) + " " + device.uuid;
  auto found = matches_.find(key);
  if (found == matches_.end()) found = matches_.emplace(key, find_baseline(directory_, device)).first;
  return found->second;
}

Verdict judge_recorded(const RecordedGroup& group, int runs_per_look, const BaselineMatch& match,
                       const Policy& policy) {
  const BaselineRow* row = match.baseline ? find_row(*match.baseline, group.runs.front().row) : nullptr;
  Verdict verdict = judge(as_gated(group.runs, runs_per_look), row,
                          match.baseline ? &match.baseline->control : nullptr, policy);
  if (verdict.kind == Kind::no_baseline && !match.why_not.empty()) verdict.reason = match.why_not;
  verdict.notices.insert(verdict.notices.end(), match.notices.begin(), match.notices.end());
  if (verdict.needs_confirmation) verdict.notices.push_back("unconfirmed: the records hold no second look");
  return verdict;
}

}  // namespace census
