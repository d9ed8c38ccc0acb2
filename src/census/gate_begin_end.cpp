// SPDX-License-Identifier: MIT
// The fixtures around a ctest run: --begin makes the run id and the roster, --end reports what the run did.
#include <census/common_shift.hpp>
#include <census/error.hpp>
#include <census/find_baseline.hpp>
#include <census/gate.hpp>
#include <census/json_io.hpp>
#include <census/names.hpp>
#include <census/report.hpp>
#include <census/text.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace census {
namespace {

/// What the records of one run id add up to.
struct Collected {
  VerdictPage page;
  std::vector<Device> devices;  ///< that rows ran on, each once
  std::set<Backend> measured;   ///< backends with a row that was measured and judged
  std::map<std::string, std::vector<std::size_t>> rows_of;  ///< by device, places in page.rows
  int no_record = 0;
  bool unreadable = false;
};

/// Whether the row's verdict is about a number that was measured in this run. A skip is not, and neither is a
/// row that was only checked.
bool judged(const Verdict& v) {
  const bool about_code = v.kind == Kind::pass || v.kind == Kind::improved || v.kind == Kind::regressed;
  return (about_code && v.us.has_value()) || v.kind == Kind::incorrect;
}

void add_times(const ResultFile& record, std::map<std::string, double>& seconds) {
  double inside = 0;
  for (const auto& run : record.runs) {
    for (const auto& [phase, took] : run.phases) {
      seconds[phase] += took;
      inside += took;
    }
  }
  double whole = 0;
  for (const auto& row : record.verdicts) whole += row.wall_seconds;
  seconds["processes, lock and pauses"] += std::max(0.0, whole - inside);
}

void add_device(const ResultFile& record, std::vector<Device>& devices) {
  for (const auto& run : record.runs) {
    const bool known = std::any_of(devices.begin(), devices.end(),
                                   [&](const Device& d) { return slug(d) == slug(run.device); });
    if (!run.device.name.empty() && !known) devices.push_back(run.device);
  }
}

void add_row(const std::filesystem::path& directory, const RowKey& key, const std::string& run_id,
             Collected& all, std::map<std::string, double>& seconds) {
  std::optional<ResultFile> record;
  try {
    record = read_record(directory, key, run_id);
  } catch (const FileError& problem) {
    RowVerdict row{.row = key.second, .backend = key.first};
    row.verdict.reason = problem.what();
    all.page.rows.push_back(row);
    all.unreadable = true;
    return;
  }
  if (!record || record->verdicts.empty()) {
    ++all.no_record;
    return;
  }
  all.page.rows.push_back(record->verdicts.back());
  if (!record->runs.empty()) all.rows_of[record->runs.back().device.uuid].push_back(all.page.rows.size() - 1);
  if (judged(record->verdicts.back().verdict)) all.measured.insert(key.first);
  for (const auto& setting : record->settings) {
    auto& known = all.page.settings;
    if (std::find(known.begin(), known.end(), setting) == known.end()) known.push_back(setting);
  }
  add_device(*record, all.devices);
  add_times(*record, seconds);
}

Collected collect(const Call& call, const Roster& roster) {
  Collected all;
  all.page.title =
      "census.report: " + call.census.name + " " + build_text(this_build()) + ", run " + roster.run_id;
  all.page.settings = call.options.settings;
  std::map<std::string, double> seconds;
  for (const auto& key : roster.rows) add_row(call.options.end, key, roster.run_id, all, seconds);
  all.page.seconds.assign(seconds.begin(), seconds.end());
  std::sort(all.page.seconds.begin(), all.page.seconds.end(),
            [](const auto& a, const auto& b) { return a.second > b.second; });
  return all;
}

/// Baseline rows that no row of the roster answers to, by id or by alias.
std::vector<std::string> removed_rows(const Baseline& baseline, const Roster& roster, Backend backend) {
  std::set<std::string> answered;
  for (const auto& [row_backend, id] : roster.rows) {
    if (row_backend != backend) continue;
    if (const auto* row = find_row(baseline, id)) answered.insert(row->id);
  }
  std::vector<std::string> removed;
  for (const auto& row : baseline.rows) {
    if (!answered.contains(row.id)) removed.push_back(row.id);
  }
  return removed;
}

/// Adds a verdict `removed` for each, and returns whether there is one.
bool add_removed(const Call& call, const Roster& roster, Collected& all) {
  bool any = false;
  for (const auto& device : all.devices) {
    const auto match = find_baseline(call.options.baselines, device);
    if (!match.baseline) continue;
    for (const auto& id : removed_rows(*match.baseline, roster, device.backend)) {
      RowVerdict row{.row = id, .backend = device.backend};
      row.verdict.kind = Kind::removed;
      row.verdict.reason = match.file +
                           " has this row, the census does not; take it out with refresh --drop, or rename "
                           "it with refresh --rename";
      row.baseline_file = match.file;
      all.page.rows.push_back(row);
      any = true;
    }
  }
  return any;
}

/// Counts of the verdicts, "12 pass, 3 no_device", and how many of the regressed a waiver let pass.
std::string counts(const std::vector<RowVerdict>& rows) {
  std::map<Kind, int> by_kind;
  for (const auto& row : rows) ++by_kind[row.verdict.kind];
  const auto waived =
      std::count_if(rows.begin(), rows.end(), [](const RowVerdict& row) { return row.waiver.has_value(); });
  std::vector<std::string> parts;
  for (const auto& [kind, count] : by_kind) {
    const bool some = kind == Kind::regressed && waived > 0;
    parts.push_back(std::to_string(count) + " " + to_string(kind) +
                    (some ? " (" + std::to_string(waived) + " waived)" : ""));
  }
  return join(parts);
}

/// Required backends without a device or without one row measured in this run, each with the reason.
std::vector<std::string> missing_backends(const Call& call, const Collected& all) {
  std::vector<std::string> missing;
  for (const Backend backend : call.options.require) {
    const auto found = call.platform.devices(backend, "");
    const std::string name = to_string(backend);
    if (const auto* none = std::get_if<NoDevice>(&found)) {
      missing.push_back("required backend " + name + " has no device: " + none->reason);
    } else if (!all.measured.contains(backend)) {
      missing.push_back("required backend " + name + ": none of its rows was measured in this run");
    }
  }
  return missing;
}

}  // namespace

int gate_begin(const Call& call) {
  if (call.census.rows.empty()) throw UsageError("gate --begin: the census has no rows");
  (void)checked_waivers(call);  // what every row would refuse is better said once, before them
  const Roster roster = begin_run(call.options.begin, call.census);
  call.out << plain(wrap("run " + roster.run_id + ": " + std::to_string(roster.rows.size()) +
                         " rows, results in " + call.options.begin +
                         (call.options.settings.empty() ? "" : "; " + join(call.options.settings))));
  return 0;
}

int gate_end(const Call& call) {
  const auto roster = read_roster(call.options.end);
  if (!roster) {
    throw UsageError("gate --end: no run was begun in " + call.options.end + "; call gate --begin " +
                     call.options.end + " before the rows");
  }
  Collected all = collect(call, *roster);
  auto& notes = all.page.notes;
  for (auto& sentence : excuse_common_shifts(all.page.rows, all.rows_of))
    notes.push_back(std::move(sentence));
  const bool removed = add_removed(call, *roster, all);
  notes.push_back("verdicts: " + (all.page.rows.empty() ? std::string("none") : counts(all.page.rows)));
  if (all.no_record > 0) {
    notes.push_back(std::to_string(all.no_record) + " of the " + std::to_string(roster->rows.size()) +
                    " rows of the census were not selected in this run");
  }
  const auto missing = missing_backends(call, all);
  notes.insert(notes.end(), missing.begin(), missing.end());
  if (all.measured.empty())
    notes.push_back("FAILED: no row was measured and judged in this run: it says nothing about the code");
  answer(call, report(all.page, call.options.format));
  if (all.unreadable) return 2;
  const bool failed = all.measured.empty() || !missing.empty() || (removed && call.options.strict);
  return failed ? 3 : 0;
}

}  // namespace census
