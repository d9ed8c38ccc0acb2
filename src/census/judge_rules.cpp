// SPDX-License-Identifier: MIT
// What the comparisons by time and by share of the ceiling have in common.
#include <census/judge_rules.hpp>
#include <census/stats.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <cmath>

namespace census::rules {
std::optional<bool> same_code(const std::vector<RunFacts>& runs, const BaselineRow& baseline) {
  if (!baseline.code_digest ||
      std::any_of(runs.begin(), runs.end(), [](const RunFacts& run) { return !run.code_digest; }))
    return std::nullopt;
  return std::all_of(runs.begin(), runs.end(),
                     [&](const RunFacts& run) { return run.code_digest == baseline.code_digest; });
}

std::vector<double> times_us(const std::vector<RunFacts>& runs) {
  std::vector<double> times;
  for (const RunFacts& run : runs) times.push_back(run.us);
  return times;
}

std::vector<double> ceiling_shares(const std::vector<RunFacts>& runs) {
  std::vector<double> shares;
  for (const RunFacts& run : runs) {
    if (!run.tbs || !run.ceiling_tbs || !(*run.ceiling_tbs > 0)) continue;
    const double share = *run.tbs / *run.ceiling_tbs;
    if (std::isfinite(share)) shares.push_back(share);
  }
  return shares;
}

std::optional<double> median_if_any(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return median(values);
}

std::vector<std::string> findings(const Runs& runs) {
  std::vector<std::string> found;
  for (const auto* group : {&runs.first, &runs.confirmation}) {
    for (const RunFacts& run : *group) {
      for (const std::string& finding : run.environment) {
        if (std::find(found.begin(), found.end(), finding) == found.end()) found.push_back(finding);
      }
    }
  }
  return found;
}

std::vector<std::string> excuses(const Runs& runs, const BaselineRow& baseline) {
  std::vector<std::string> found = findings(runs);
  const bool confirmed = runs.confirmation.empty() || same_code(runs.confirmation, baseline).value_or(false);
  if (same_code(runs.first, baseline).value_or(false) && confirmed) {
    found.push_back("the machine code is the same as the baseline's");
  }
  return found;
}

std::string join(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
  return text;
}

std::string format_us(double us) {
  return format_fixed(us, us < 10 ? 3 : us < 100 ? 2 : 1) + " us";
}

std::string format_percent(double fraction) {
  const double percent = 100 * fraction;
  // A tolerance of 0.03 is not exactly 3 hundredths: what rounds to a whole number is shown as one.
  const bool whole = std::abs(percent - std::round(percent)) < 0.05;
  return format_fixed(percent, whole ? 0 : 1) + " %";
}

std::string count_of(const std::vector<RunFacts>& runs) {
  return runs.size() == 1 ? "the one run" : "median of " + std::to_string(runs.size()) + " runs";
}

}  // namespace census::rules
