// SPDX-License-Identifier: MIT
// Judging recorded tries again, and adding sessions up.
#include <census/error.hpp>
#include <census/selftest.hpp>
#include <census/units.hpp>

#include <set>

namespace census {
namespace {

/// The baseline row that a recorded try was judged against.
BaselineRow baseline_of(const SelftestTry& one) {
  BaselineRow row{.id = one.row, .us = one.baseline_us.value_or(0)};
  row.tolerance = one.tolerance_percent.value_or(0) / 100;
  row.provisional = !one.tolerance_percent.has_value();
  if (one.bound_percent) row.min_ceiling_fraction = *one.bound_percent / 100;
  return row;
}

}  // namespace

Verdict judge_again(const SelftestTry& one, const Policy& policy) {
  Runs runs;
  for (std::size_t i = 0; i < one.run_us.size(); ++i) {
    RunFacts fact;
    fact.us = one.run_us[i];
    if (!one.resident) fact.tbs = bandwidth({one.cold_bytes}, {one.run_us[i]}).value;
    if (i < one.ceiling_tbs.size()) fact.ceiling_tbs = one.ceiling_tbs[i];
    if (i == 0) fact.environment = one.findings;
    (i < static_cast<std::size_t>(one.first_runs) ? runs.first : runs.confirmation).push_back(fact);
  }
  if (!one.baseline_us) return judge(runs, nullptr, nullptr, policy);
  const BaselineRow row = baseline_of(one);
  const Control control{.ceiling_tbs = one.baseline_ceiling_tbs.value_or(0)};
  return judge(runs, &row, one.baseline_ceiling_tbs ? &control : nullptr, policy);
}

Selftest merge(const std::vector<Selftest>& parts) {
  Selftest all;
  std::set<std::string> ids;
  for (const auto& part : parts) {
    for (const auto& session : part.sessions) {
      if (!ids.insert(session.id).second)
        throw UsageError("selftest --merge: the session " + session.id +
                         " is there twice; name each file once");
      const auto& first = all.sessions.empty() ? session : all.sessions.front();
      if (slug(first.device) != slug(session.device) || first.census != session.census) {
        throw UsageError("selftest --merge: " + first.census + " on " + slug(first.device) + " and " +
                         session.census + " on " + slug(session.device) + " do not add up; merge them apart");
      }
      all.sessions.push_back(session);
    }
  }
  return all;
}

}  // namespace census
