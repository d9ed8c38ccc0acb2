// SPDX-License-Identifier: MIT
// drift: each row's total change since the last tag, or since a commit that is named.
#include <census/commands.hpp>
#include <census/drift.hpp>
#include <census/error.hpp>
#include <census/find_baseline.hpp>
#include <census/git.hpp>
#include <census/json_io.hpp>
#include <census/report.hpp>
#include <census/select.hpp>

namespace census {
namespace {

namespace fs = std::filesystem;

/// Since when: the tag or commit that was asked for, else the last tag.
std::string start_of(const Call& call) {
  if (!call.options.since.empty()) return call.options.since;
  if (const auto tag = last_tag(call.options.baselines)) return *tag;
  throw UsageError("drift: no tag that HEAD descends from around " + call.options.baselines +
                   "; name a commit with --since REF");
}

BaselineDrift drift_of(const Call& call, const fs::path& file, const DriftPage& page) {
  const Baseline now = read_baseline(file);
  const std::string name = file.filename().string();
  const auto text = file_at_tag(call.options.baselines, page.commit, name);
  std::optional<Baseline> then;
  if (text) then = parse_baseline(*text, name + " at " + page.since);
  BaselineDrift drift = drift_between(now, then ? &*then : nullptr, file.string());
  const Backend backend = backend_of(now);
  std::erase_if(drift.rows, [&](const RowDrift& row) {
    return !is_selected(call.census, call.options, backend, row.row);
  });
  return drift;
}

}  // namespace

int drift_command(const Call& call) {
  DriftPage page{.since = start_of(call), .commit = {}, .baselines = {}, .notes = {}};
  const auto commit = commit_of(call.options.baselines, page.since);
  if (!commit)
    throw UsageError("drift: git knows no commit \"" + page.since + "\" around " + call.options.baselines);
  page.commit = *commit;
  const auto files = baseline_files(call.options.baselines);
  if (files.empty())
    throw UsageError("drift: no baseline in " + call.options.baselines + "; see --baselines");
  for (const fs::path& file : files) {
    BaselineDrift drift = drift_of(call, file, page);
    if (!drift.rows.empty()) page.baselines.push_back(std::move(drift));
  }
  if (page.baselines.empty()) throw UsageError("drift: no row of a baseline is selected");
  answer(call, report(page, call.options.format));
  return 0;
}

}  // namespace census
