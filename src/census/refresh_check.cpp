// SPDX-License-Identifier: MIT
// Which runs may enter a baseline.
#include <census/refresh_parts.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <cmath>

namespace census::refreshing {
namespace {

void check_build(const RowRun& run, std::vector<std::string>& found) {
  if (run.build.commit.empty()) {
    found.push_back("its build does not know its commit; build from a git work tree");
  } else if (run.build.dirty) {
    found.push_back("its build had uncommitted changes; commit, build and measure again");
  }
}

void check_setting(const RowRun& run, std::vector<std::string>& found) {
  if (run.plant) found.push_back("a slowdown was planted in it");
  if (!run.fault.empty()) found.push_back("the fault " + run.fault + " was planted in it");
  if (run.cache_mode != "cold") found.push_back("it was measured with --cache " + run.cache_mode);
  if (run.launch_mode != "graph") found.push_back("it was measured with --launch " + run.launch_mode);
  if (run.footprint_override) found.push_back("its footprint was set by hand");
}

void check_numbers(const RowRun& run, std::vector<std::string>& found) {
  const double us = run.row_series.median_us;
  if (run.row_series.samples_us.empty() || !std::isfinite(us) || us <= 0)
    found.push_back("it has no usable time");
  const std::size_t samples = run.row_series.samples_us.size();
  if (run.backend == Backend::cuda && samples > 0 && samples < static_cast<std::size_t>(least_samples)) {
    found.push_back("it is too short: " + std::to_string(samples) + " samples, " +
                    std::to_string(least_samples) + " are needed; measure without --reps");
  }
  const double sample_us = us * run.launches_per_replay * run.replays_per_sample;
  if (run.backend == Backend::cuda && sample_us > 0 && sample_us < least_sample_us)
    found.push_back("it is too short: a sample took " + format_fixed(sample_us, 0) + " us");
  if (run.output_digest.empty()) found.push_back("its output was not checked");
  if (run.occasion.empty()) found.push_back("it does not say on which occasion it was made");
  if (!run.resident && !(run.ceiling_tbs && *run.ceiling_tbs > 0))
    found.push_back("it has no ceiling beside it");
  const RunFacts known = facts(run);
  if (known.tbs && known.peak_tbs && *known.tbs > *known.peak_tbs)
    found.push_back("it is above the physical peak");
}

}  // namespace

std::vector<std::string> unsound(const RowRun& run) {
  if (run.status != RunStatus::measured) {
    return {std::string("it ended as ") + to_string(run.status) + ": " + run.reason};
  }
  std::vector<std::string> found;
  check_build(run, found);
  check_setting(run, found);
  check_numbers(run, found);
  // A CPU's bound is meant to hold beside a busy neighbour, so there findings do not spoil a run.
  if (run.backend == Backend::cuda) {
    for (const std::string& finding : run.environment)
      found.push_back("its environment was not sound: " + finding);
  }
  return found;
}

std::vector<std::string> mixed(const std::vector<RowRun>& runs) {
  std::vector<std::string> found;
  const BaselineDevice first = baseline_device(runs.front().device);
  std::optional<int> probe_version;
  for (const RowRun& run : runs) {
    for (const std::string& difference : hard_differences(first, baseline_device(run.device))) {
      found.push_back("the runs are of two kinds of device: " + difference);
    }
    const BaselineDevice here = baseline_device(run.device);
    if (here.driver_branch != first.driver_branch) {
      found.push_back("the runs are of two driver branches, " + first.driver_branch + " and " +
                      here.driver_branch + "; refresh from runs of one of them");
    }
    if (!run.ceiling_tbs) continue;
    if (probe_version && *probe_version != run.probe_version) {
      found.push_back("the runs are of two probe versions, " + std::to_string(*probe_version) + " and " +
                      std::to_string(run.probe_version));
    }
    probe_version = run.probe_version;
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace census::refreshing
