// SPDX-License-Identifier: MIT
// The input and output around plan_refresh: result files in, baseline files out, all or nothing.
#include <census/error.hpp>
#include <census/find_baseline.hpp>
#include <census/git.hpp>
#include <census/json_io.hpp>
#include <census/refresh.hpp>
#include <census/refresh_print.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <ostream>
#include <set>

namespace census {
namespace {

namespace fs = std::filesystem;

/// Keeps two refreshes of one directory apart: each reads what the other has written, and no occasion is
/// lost.
class DirectoryLock {
 public:
  explicit DirectoryLock(const fs::path& directory)
      : descriptor_(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ < 0 || flock(descriptor_, LOCK_EX) != 0) {
      const std::string why = std::strerror(errno);
      if (descriptor_ >= 0) close(descriptor_);
      throw FileError(directory.string() + ": cannot be opened as the directory of the baselines: " + why);
    }
  }
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;
  ~DirectoryLock() { close(descriptor_); }

 private:
  int descriptor_;
};

std::vector<fs::path> result_files(const std::vector<fs::path>& given) {
  std::vector<fs::path> files;
  for (const fs::path& path : given) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<fs::path> inside;
    for (const auto& entry : fs::directory_iterator(path, error)) {
      if (entry.path().extension() == ".json" && file_kind(entry.path()) == "result")
        inside.push_back(entry.path());
    }
    if (error) throw FileError(path.string() + ": cannot be listed: " + error.message());
    if (inside.empty()) throw UsageError(path.string() + ": holds no result files");
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

using Groups = std::map<std::string, std::vector<RowRun>>;

/// The selected runs of each device slug. The same record in two files (a row's own and a merged one) counts
/// once.
Groups runs_by_slug(const RefreshOptions& options) {
  Groups groups;
  std::set<std::string> seen;
  for (const fs::path& file : result_files(options.results)) {
    for (RowRun& run : read_result(file).runs) {
      if (options.selects && !options.selects(run.backend, run.row)) continue;
      if (run.status == RunStatus::no_device || !seen.insert(format_result({.runs = {run}})).second) continue;
      groups[slug(run.device)].push_back(std::move(run));
    }
  }
  if (groups.empty() && !options.results.empty())
    throw UsageError("refresh: there is no measured run in the given results");
  return groups;
}

/// Whether the baseline has the row that is to be edited, under this very id and where it is selected.
bool has_to_edit(const RefreshOptions& options, const Baseline& baseline, const std::string& id) {
  return std::any_of(baseline.rows.begin(), baseline.rows.end(),
                     [&](const BaselineRow& r) { return r.id == id; }) &&
         (!options.selects || options.selects(backend_of(baseline), id));
}

/// The ids that renames and drops speak of.
std::vector<std::string> edited_ids(const RefreshRules& rules) {
  std::vector<std::string> ids = rules.drops;
  for (const auto& [from, to] : rules.renames) ids.push_back(from);
  return ids;
}

/// Adds the baselines that no run is for, and that have a row to be renamed or dropped. Throws UsageError for
/// a row that none has.
void add_edited(const RefreshOptions& options, Groups& groups) {
  std::set<std::string> missing;
  for (const std::string& id : edited_ids(options.rules)) missing.insert(id);
  if (missing.empty()) return;
  for (const fs::path& file : baseline_files(options.baselines)) {
    const Baseline baseline = read_baseline(file);
    for (const std::string& id : edited_ids(options.rules)) {
      if (!has_to_edit(options, baseline, id)) continue;
      missing.erase(id);
      groups[file.stem().string()];
    }
  }
  if (!missing.empty())
    throw UsageError("refresh: no baseline in " + options.baselines.string() + " has the row " +
                     *missing.begin());
}

/// The edits that concern this baseline, and why they may not be made.
RefreshRules rules_for(const RefreshOptions& options, const Baseline* old,
                       std::vector<std::string>& refusals) {
  RefreshRules rules = options.rules;
  const auto elsewhere = [&](const std::string& id) {
    return old == nullptr || !has_to_edit(options, *old, id);
  };
  std::erase_if(rules.drops, elsewhere);
  std::erase_if(rules.renames, [&](const auto& pair) { return elsewhere(pair.first); });
  if (old == nullptr || !options.in_census) return rules;
  const Backend backend = backend_of(*old);
  for (const std::string& id : edited_ids(rules)) {
    if (options.in_census(backend, id))
      refusals.push_back("row " + id + ": the census still has it on " + to_string(backend) +
                         "; take it out there first, or choose a --backend");
  }
  for (const auto& [from, to] : rules.renames) {
    if (!options.in_census(backend, to))
      refusals.push_back("row " + from + ": the census has no row " + to + " to rename it to");
  }
  return rules;
}

std::optional<TaggedBaseline> tagged_baseline(const fs::path& directory, const std::string& name,
                                              RefreshPlan& plan) {
  const auto tag = last_tag(directory);
  if (!tag) {
    plan.notices.push_back("no tag that HEAD descends from: no total since it");
    return std::nullopt;
  }
  const auto text = file_at_tag(directory, *tag, name);
  if (!text) {
    plan.notices.push_back(name + " was not there at " + *tag + ": no total since it");
    return std::nullopt;
  }
  try {
    return TaggedBaseline{*tag, parse_baseline(*text, name + " at " + *tag)};
  } catch (const FileError& error) {
    // An older schema is no reason to refuse a new baseline; it only hides the total.
    plan.notices.push_back(std::string("no total since the last tag: ") + error.what());
    return std::nullopt;
  }
}

void check_work_tree(const fs::path& directory, std::vector<std::string>& refusals, std::ostream& out) {
  const WorkTree tree = work_tree(directory);
  if (!tree.known) out << "note: whether the tree is clean is unknown: " << tree.why << "\n";
  if (tree.dirty)
    refusals.push_back("the tree has uncommitted changes (" + tree.why + "); commit them first");
}

void write_changed(const fs::path& file, const Baseline& baseline, bool exists, std::ostream& out) {
  const std::string text = format_baseline(baseline);
  if (exists && format_baseline(read_baseline(file)) == text) {
    out << file.string() << ": unchanged\n";
    return;
  }
  write_atomically(file, text);
  out << file.string() << ": written\n";
}

}  // namespace

int refresh(const RefreshOptions& options, std::ostream& out) {
  if (options.results.empty() && edited_ids(options.rules).empty())
    throw UsageError("refresh: name the result files or their directory");
  Groups groups = runs_by_slug(options);
  const DirectoryLock lock(options.baselines);
  add_edited(options, groups);

  std::vector<std::string> refusals;
  check_work_tree(options.baselines, refusals, out);
  for (const std::string& refusal : refusals) out << "refused: " << refusal << "\n";
  std::map<fs::path, std::pair<Baseline, bool>> planned;  // with whether there was an old one
  for (const auto& [name, runs] : groups) {
    const fs::path file = options.baselines / (name + ".json");
    std::optional<Baseline> old;
    if (fs::exists(file)) old = read_baseline(file);
    std::vector<std::string> edit_refusals;
    const RefreshRules rules = rules_for(options, old ? &*old : nullptr, edit_refusals);
    RefreshPlan plan = plan_refresh(runs, old ? &*old : nullptr, policy_for(name), rules);
    plan.refusals.insert(plan.refusals.begin(), edit_refusals.begin(), edit_refusals.end());
    const auto tagged = tagged_baseline(options.baselines, name + ".json", plan);
    print_refresh(plan, tagged, file.string(), out);
    refusals.insert(refusals.end(), plan.refusals.begin(), plan.refusals.end());
    planned[file] = {std::move(plan.baseline), old.has_value()};
  }
  if (!refusals.empty()) {
    const std::string more =
        refusals.size() == 1 ? "" : " (and " + std::to_string(refusals.size() - 1) + " more, listed above)";
    throw UsageError("refresh: " + refusals.front() + more);
  }
  if (options.dry_run) {
    out << "dry run: nothing written\n";
    return 0;
  }
  for (const auto& [file, plan] : planned) write_changed(file, plan.first, plan.second, out);
  return 0;
}

}  // namespace census
