// SPDX-License-Identifier: MIT
// judge --replay: what another policy would have said of runs that are recorded already.
#pragma once

#include <census/commands.hpp>
#include <census/judge.hpp>

#include <optional>
#include <string>
#include <vector>

namespace census {

/// One row on one occasion.
struct ReplayRow {
  std::string row;
  Backend backend = Backend::cuda;
  std::string occasion, date;
  std::optional<Kind> recorded;  ///< what the gate said then, perhaps by another baseline
  Verdict now, then;             ///< by the policy in force, and by the other one; the same runs and baseline
};

/// Whether the verdict is another one under the other policy.
[[nodiscard]] bool flips(const ReplayRow& row);

struct ReplayPage {
  std::string baselines;
  std::vector<std::string> policy;  ///< what is different, "tolerance 5 %"
  std::vector<ReplayRow> rows;
};

[[nodiscard]] std::string text_report(const ReplayPage& page);
[[nodiscard]] std::string json_report(const ReplayPage& page);
[[nodiscard]] std::string markdown_report(const ReplayPage& page);

/// Answers the page of the call's records and other policy. Returns 0: a replay accuses nobody. Throws
/// UsageError where the call gives no other policy.
int replay(const Call& call);

}  // namespace census
