// SPDX-License-Identifier: MIT
// What tries add up to.
#include <census/binomial.hpp>
#include <census/names.hpp>
#include <census/selftest.hpp>
#include <census/stats.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace census {
namespace {

constexpr std::size_t most_examples = 3;
/// What leave_one_out() judges, in the name of a rate.
constexpr const char* recorded_starts = "recorded starts";

/// Tries of one sort, over all sessions.
std::vector<const SelftestTry*> tries_of(const Selftest& selftest,
                                         const std::function<bool(const SelftestTry&)>& wanted) {
  std::vector<const SelftestTry*> found;
  for (const auto& session : selftest.sessions) {
    for (const auto& one : session.tries) {
      if (wanted(one)) found.push_back(&one);
    }
  }
  return found;
}

std::string count_verdicts(const std::vector<const SelftestTry*>& tries, const std::string& left_out) {
  std::map<std::string, int> counts;
  for (const auto* one : tries) {
    if (one->verdict != left_out) ++counts[one->verdict];
  }
  std::vector<std::string> words;
  for (const auto& [verdict, count] : counts) words.push_back(std::to_string(count) + " " + verdict);
  return join(words);
}

void set_bound(Rate& rate) {
  if (rate.tries > 0)
    rate.bound =
        rate.bad ? proportion_at_most(rate.seen, rate.tries) : proportion_at_least(rate.seen, rate.tries);
}

/// Judgements of single rows that say `verdict`.
Rate row_rate(const std::string& name, const std::vector<const SelftestTry*>& tries,
              const std::string& verdict, bool bad) {
  Rate rate{.name = name, .tries = static_cast<int>(tries.size()), .bad = bad};
  for (const auto* one : tries) {
    const bool seen = one->verdict == verdict;
    rate.seen += seen ? 1 : 0;
    if (seen == bad && rate.examples.size() < most_examples)
      rate.examples.push_back(one->row + ": " + one->verdict + ": " + one->reason);
  }
  rate.others = count_verdicts(tries, verdict);
  set_bound(rate);
  return rate;
}

/// Whole calls in which some row says `verdict`: rows of one call share its moment, so that calls are the
/// replicates.
Rate unit_rate(const std::string& name, const Selftest& selftest, const std::string& part,
               const std::string& verdict) {
  Rate rate{.name = name};
  std::map<std::pair<std::string, int>, bool> units;
  for (const auto& session : selftest.sessions) {
    for (const auto& one : session.tries) {
      if (one.part == part) units[{session.id, one.unit}] |= one.verdict == verdict;
    }
  }
  rate.tries = static_cast<int>(units.size());
  for (const auto& [unit, seen] : units) rate.seen += seen ? 1 : 0;
  set_bound(rate);
  return rate;
}

void add_equal(const Selftest& selftest, const std::string& part, const std::string& gate,
               const std::string& verdict, std::vector<Rate>& all) {
  const auto tries = tries_of(selftest, [&](const SelftestTry& one) { return one.part == part; });
  if (tries.empty()) return;
  all.push_back(
      unit_rate(gate + ", nothing planted: whole runs with a row " + verdict, selftest, part, verdict));
  all.push_back(row_rate(gate + ", nothing planted: rows " + verdict, tries, verdict, true));
}

bool reached(const SelftestTry& one) {
  return one.achieved_percent &&
         std::abs(*one.achieved_percent - one.requested_percent) <= counted_within_points;
}

void add_planted(const Selftest& selftest, const std::string& part, const std::string& gate,
                 const std::string& verdict, std::vector<Rate>& all) {
  std::set<double> percents;
  for (const auto* one : tries_of(selftest, [&](const SelftestTry& t) { return t.part == part; }))
    percents.insert(one->requested_percent);
  for (const double percent : percents) {
    const auto planted = [&](const SelftestTry& t) {
      return t.part == part && t.requested_percent == percent;
    };
    const auto all_tries = tries_of(selftest, planted);
    // A process that never came to plant has no achieved percentage, and its verdict still counts against the
    // gate.
    const auto counted = tries_of(
        selftest, [&](const SelftestTry& t) { return planted(t) && (reached(t) || !t.achieved_percent); });
    auto rate = row_rate(gate + ", " + format_fixed(percent, 0) + " % planted: rows " + verdict, counted,
                         verdict, false);
    rate.left_out = static_cast<int>(all_tries.size() - counted.size());
    all.push_back(rate);
  }
}

void add_faults(const Selftest& selftest, std::vector<Rate>& all) {
  std::vector<std::string> faults;
  for (const auto* one : tries_of(selftest, [](const SelftestTry& t) { return t.part == "fault"; })) {
    if (std::find(faults.begin(), faults.end(), one->fault) == faults.end()) faults.push_back(one->fault);
  }
  for (const auto& fault : faults) {
    const auto tries =
        tries_of(selftest, [&](const SelftestTry& t) { return t.part == "fault" && t.fault == fault; });
    all.push_back(
        row_rate("fault " + fault + ": " + tries.front()->expected, tries, tries.front()->expected, false));
  }
}

double percent_spread(const std::vector<double>& us) {
  return 100 * log_standard_deviation(us);
}

}  // namespace

std::vector<Rate> rates(const Selftest& selftest) {
  std::vector<Rate> all;
  add_equal(selftest, "aa", "gate", "regressed", all);
  add_planted(selftest, "plant", "gate", "regressed", all);
  add_equal(selftest, "left_out", recorded_starts, "regressed", all);
  add_planted(selftest, "left_out_plant", recorded_starts, "regressed", all);
  add_equal(selftest, "ab", "ab", "slower", all);
  add_planted(selftest, "ab_plant", "ab", "slower", all);
  add_faults(selftest, all);
  return all;
}

std::vector<RowEffect> row_effects(const Selftest& selftest) {
  std::vector<RowEffect> effects;
  std::map<std::string, std::vector<double>> times;
  const auto unplanted = [](const SelftestTry& t) { return t.part == "aa" || t.part == "left_out"; };
  for (const auto* one : tries_of(selftest, unplanted)) {
    const std::string key = std::string(to_string(one->backend)) + "." + one->row;
    if (one->first_runs > 0) {
      times[key].push_back(median(std::span(one->run_us).first(static_cast<std::size_t>(one->first_runs))));
    }
    auto found = std::find_if(effects.begin(), effects.end(), [&](const RowEffect& effect) {
      return effect.row == one->row && effect.backend == one->backend;
    });
    if (found == effects.end())
      found = effects.insert(effects.end(), {.row = one->row, .backend = one->backend});
    found->mde_percent = one->mde_percent;
    found->tolerance_percent = one->tolerance_percent;
    found->aa_calls = static_cast<int>(times[key].size());
    if (times[key].size() > 1) found->aa_spread_percent = percent_spread(times[key]);
  }
  return effects;
}

int exit_code(const Selftest& selftest) {
  const auto all = rates(selftest);
  if (std::none_of(all.begin(), all.end(), [](const Rate& rate) { return rate.tries > 0; })) return 3;
  const bool wrong = std::any_of(all.begin(), all.end(), [](const Rate& rate) {
    return rate.bad ? rate.seen > 0 : rate.name.rfind("fault ", 0) == 0 && rate.seen < rate.tries;
  });
  return wrong ? 1 : 0;
}

}  // namespace census
