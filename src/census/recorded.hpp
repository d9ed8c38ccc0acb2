// SPDX-License-Identifier: MIT
// Recorded runs, sorted into what a gate would judge at once: one row on one occasion.
#pragma once

#include <census/commands.hpp>
#include <census/find_baseline.hpp>
#include <census/judge.hpp>
#include <census/result.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace census {

struct RecordedGroup {
  std::vector<RowRun> runs;         ///< in the order of the files, at least one
  std::optional<Verdict> recorded;  ///< what the gate said of them, where it made the file
};

/// The runs of the files that the options name and select, by backend, row and occasion. Throws UsageError
/// for none.
[[nodiscard]] std::vector<RecordedGroup> recorded_groups(const Call& call);

/// The baseline that belongs to the group's device, looked up once for each device.
class Baselines {
 public:
  explicit Baselines(std::string directory) : directory_(std::move(directory)) {}
  [[nodiscard]] const BaselineMatch& of(const RecordedGroup& group);

 private:
  std::string directory_;
  std::map<std::string, BaselineMatch> matches_;
};

/// The verdict on a group. The first `runs_per_look` runs are judged, those after them confirm: the order in
/// which a gate made them.
[[nodiscard]] Verdict judge_recorded(const RecordedGroup& group, int runs_per_look,
                                     const BaselineMatch& match, const Policy& policy);

}  // namespace census
