// SPDX-License-Identifier: MIT
// Judging by the share of the same run's ceiling: a lower bound that finds cliffs, on machines whose speed is
// unknown.
#include <census/judge_rules.hpp>
#include <census/units.hpp>

#include <utility>

namespace census::rules {
namespace {

std::string share_text(double share) {
  return format_fixed(share, 2) + " of the ceiling";
}

/// Measured, right, and with nothing to hold its time against.
Verdict not_judged(Verdict verdict, const Runs& runs, const std::string& why) {
  verdict.kind = Kind::pass;
  verdict.reason =
      count_of(runs.first) + " " + format_us(*verdict.us) + ", output as the baseline's; time not judged";
  verdict.notices.push_back("time not judged: " + why);
  return verdict;
}

void settle_low(Verdict& verdict, const Runs& runs, double share, double bound,
                const std::optional<double>& again, const std::vector<std::string>& causes) {
  verdict.needs_confirmation = runs.confirmation.empty();
  verdict.kind = causes.empty() ? Kind::regressed : Kind::environment;
  verdict.reason = count_of(runs.first) + " " + share_text(share) + " < " + format_fixed(bound, 2);
  if (again) verdict.reason += " (confirmed " + format_fixed(*again, 2) + ")";
  if (!causes.empty()) verdict.reason += ", but " + join(causes);
}

}  // namespace

Verdict by_fraction(const Runs& runs, const BaselineRow& baseline, Verdict verdict) {
  if (!baseline.min_ceiling_fraction) {
    const bool resident = !runs.first.front().tbs;
    return not_judged(std::move(verdict), runs,
                      resident ? "a resident row has no bandwidth to set beside the ceiling"
                               : "the baseline row has no min_ceiling_fraction");
  }
  const double bound = *baseline.min_ceiling_fraction;
  verdict.bound_percent = 100 * bound;
  const auto share = median_if_any(ceiling_shares(runs.first));
  const auto again = median_if_any(ceiling_shares(runs.confirmation));
  if (!share || (!runs.confirmation.empty() && !again)) {
    verdict.kind = Kind::invalid;
    verdict.reason = "no ceiling was measured beside the row, so its share of it is unknown";
    return verdict;
  }
  if (*share < bound && (!again || *again < bound)) {
    settle_low(verdict, runs, *share, bound, again, excuses(runs, baseline));
    return verdict;
  }
  verdict.kind = Kind::pass;
  verdict.reason = count_of(runs.first) + " " + share_text(*share) + " >= " + format_fixed(bound, 2);
  if (*share < bound) {
    verdict.reason = "confirmed by " + std::to_string(runs.confirmation.size()) +
                     " more runs: " + share_text(*again) + " >= " + format_fixed(bound, 2);
    verdict.notices.push_back("the first runs, " + share_text(*share) + ", were below the bound; " +
                              share_text(*again) + " did not confirm it");
  }
  for (const std::string& finding : findings(runs)) verdict.notices.push_back(finding);
  if (*share > most_of_ceiling) {
    verdict.notices.push_back(share_text(*share) +
                              " is more than 1.10: the ceiling was disturbed, or data came from a cache");
  }
  return verdict;
}

}  // namespace census::rules
