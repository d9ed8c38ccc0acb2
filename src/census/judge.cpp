// SPDX-License-Identifier: MIT
// Everything that decides a verdict before two numbers are compared, in order of precedence.
#include <census/judge.hpp>
#include <census/judge_rules.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace census {
namespace {

constexpr std::array<std::pair<Kind, const char*>, 11> kind_names{{{Kind::pass, "pass"},
                                                                   {Kind::improved, "improved"},
                                                                   {Kind::regressed, "regressed"},
                                                                   {Kind::incorrect, "incorrect"},
                                                                   {Kind::invalid, "invalid"},
                                                                   {Kind::environment, "environment"},
                                                                   {Kind::inconclusive, "inconclusive"},
                                                                   {Kind::no_baseline, "no_baseline"},
                                                                   {Kind::removed, "removed"},
                                                                   {Kind::no_device, "no_device"},
                                                                   {Kind::error, "error"}}};

struct Decision {
  Kind kind;
  std::string reason;
};
using Status = RunFacts::Status;

std::optional<Decision> of_status(const std::vector<RunFacts>& runs, Status status, Kind kind,
                                  const char* otherwise) {
  const auto run =
      std::find_if(runs.begin(), runs.end(), [&](const RunFacts& r) { return r.status == status; });
  if (run == runs.end()) return std::nullopt;
  return Decision{kind, run->reason.empty() ? otherwise : run->reason};
}

/// Runs of one binary that disagree, or an output that is not the baseline's. `checked_only` runs have a
/// digest too.
std::optional<Decision> digest_change(const std::vector<RunFacts>& runs, const BaselineRow* baseline) {
  std::string seen;
  const bool expected = baseline != nullptr && !baseline->output_digest.empty();
  for (const RunFacts& run : runs) {
    if (expected && run.status == Status::measured && run.output_digest.empty()) {
      return Decision{Kind::invalid, "a run has no output digest: its output was not checked"};
    }
    if (run.status != Status::measured && run.status != Status::checked_only) continue;
    if (!seen.empty() && run.output_digest != seen) {
      return Decision{Kind::incorrect, "two runs gave different outputs, digest " + seen + " and " +
                                           run.output_digest + ": the kernel is not deterministic"};
    }
    seen = run.output_digest;
  }
  if (!expected || seen.empty() || seen == baseline->output_digest) return std::nullopt;
  return Decision{Kind::incorrect,
                  "output digest " + seen + " is not the baseline's " + baseline->output_digest +
                      ": the numeric class changed; if that is intended, refresh with a reason"};
}

std::string above(double tbs, double bound, const std::string& what) {
  return format_fixed(tbs, 2) + " TB/s is above " + format_fixed(bound, 2) + " TB/s, " + what +
         ": the data came from a cache";
}

std::optional<std::string> impossible(const RunFacts& run) {
  if (!std::isfinite(run.us) || run.us <= 0)
    return "a run has no usable time (" + format_fixed(run.us, 3) + " us)";
  if (!run.tbs) return std::nullopt;
  if (!std::isfinite(*run.tbs) || *run.tbs <= 0) return "a run has no usable bandwidth";
  if (run.peak_tbs) {
    if (*run.tbs > *run.peak_tbs) return above(*run.tbs, *run.peak_tbs, "the physical peak");
  } else if (run.ceiling_tbs && *run.tbs > rules::most_of_ceiling * *run.ceiling_tbs) {
    return above(*run.tbs, rules::most_of_ceiling * *run.ceiling_tbs, "1.10 x the ceiling of the same run");
  }
  return std::nullopt;
}

/// The CPU has no peak, and its ceiling is disturbed as easily as the row: judged by the median, not by each
/// run.
std::optional<std::string> impossible_on_cpu(const RunFacts& run) {
  RunFacts without_bounds = run;
  without_bounds.peak_tbs.reset();
  without_bounds.ceiling_tbs.reset();
  return impossible(without_bounds);
}

std::optional<Decision> invalid_numbers(const Runs& runs, const std::vector<RunFacts>& all,
                                        const Policy& policy) {
  for (const RunFacts& run : all) {
    if (run.status != Status::measured) continue;
    if (!run.gateable)
      return Decision{Kind::invalid, run.reason.empty() ? "a run that is never gated" : run.reason};
    if (auto reason = policy.one_sided_fraction ? impossible_on_cpu(run) : impossible(run)) {
      return Decision{Kind::invalid, *reason};
    }
  }
  const auto share = rules::median_if_any(rules::ceiling_shares(runs.first));
  if (policy.one_sided_fraction && share && *share > rules::most_of_cpu_ceiling) {
    return Decision{Kind::invalid, rules::count_of(runs.first) + " " + format_fixed(*share, 2) +
                                       " x the ceiling is above 2 x: the data came from a cache"};
  }
  return std::nullopt;
}

std::optional<Decision> no_match(const std::vector<RunFacts>& runs, const BaselineRow* baseline,
                                 const Control* control) {
  if (baseline == nullptr) return Decision{Kind::no_baseline, "no baseline for this row"};
  if (control == nullptr) return std::nullopt;
  for (const RunFacts& run : runs) {
    if (run.probe_version != 0 && run.probe_version != control->probe_version) {
      return Decision{Kind::no_baseline, "the baseline was made with probe version " +
                                             std::to_string(control->probe_version) + ", here it is " +
                                             std::to_string(run.probe_version) +
                                             ": refresh the whole baseline"};
    }
  }
  return std::nullopt;
}

std::optional<Decision> before_comparing(const Runs& runs, const std::vector<RunFacts>& all,
                                         const BaselineRow* baseline, const Control* control,
                                         const Policy& policy) {
  if (runs.first.empty()) return Decision{Kind::invalid, "no run was made"};
  if (auto d = of_status(all, Status::error, Kind::error, "a run failed")) return d;
  if (auto d = of_status(all, Status::incorrect, Kind::incorrect, "the output is not the reference's"))
    return d;
  if (auto d = digest_change(all, baseline)) return d;
  if (auto d = of_status(all, Status::invalid, Kind::invalid, "a run was invalid")) return d;
  if (auto d = invalid_numbers(runs, all, policy)) return d;
  if (auto d = of_status(all, Status::no_device, Kind::no_device, "no device")) return d;
  if (auto d = of_status(all, Status::environment, Kind::environment, "nothing was measured")) return d;
  if (auto d = of_status(all, Status::checked_only, Kind::environment, "checked, not timed")) return d;
  return no_match(all, baseline, control);
}

/// The row's own numbers, as far as its runs have them.
Verdict own_numbers(const Runs& runs, const std::vector<RunFacts>& all) {
  std::vector<RunFacts> measured;
  std::copy_if(runs.first.begin(), runs.first.end(), std::back_inserter(measured), [](const RunFacts& run) {
    return run.status == Status::measured && std::isfinite(run.us) && run.us > 0;
  });
  std::vector<double> bandwidths;
  for (const RunFacts& run : measured) {
    if (run.tbs && std::isfinite(*run.tbs)) bandwidths.push_back(*run.tbs);
  }
  Verdict verdict;
  verdict.us = rules::median_if_any(rules::times_us(measured));
  verdict.tbs = rules::median_if_any(bandwidths);
  if (const auto share = rules::median_if_any(rules::ceiling_shares(measured)))
    verdict.ceiling_percent = 100 * *share;
  for (const RunFacts& run : all) {
    for (const std::string& notice : run.notices) {
      if (std::find(verdict.notices.begin(), verdict.notices.end(), notice) == verdict.notices.end()) {
        verdict.notices.push_back(notice);
      }
    }
  }
  return verdict;
}

}  // namespace

const char* to_string(Kind kind) {
  for (const auto& [value, name] : kind_names) {
    if (value == kind) return name;
  }
  return "error";
}

std::optional<Kind> kind_from(const std::string& text) {
  for (const auto& [value, name] : kind_names) {
    if (text == name) return value;
  }
  return std::nullopt;
}

Policy policy_for(const std::string& device_slug) {
  if (device_slug == "cpu-generic") return {.one_sided_fraction = true};
  // Machine starts of an H200 differ by 0.7 % (standard deviation), which supports 3 %.
  if (device_slug == "nvidia-h200") return {.tolerance = 0.03, .control_tolerance = 0.03};
  return {.tolerance = 0.05, .control_tolerance = 0.05};
}

Verdict judge(const Runs& runs, const BaselineRow* baseline, const Control* control, const Policy& policy) {
  std::vector<RunFacts> all = runs.first;
  all.insert(all.end(), runs.confirmation.begin(), runs.confirmation.end());
  Verdict verdict = own_numbers(runs, all);
  if (auto decision = before_comparing(runs, all, baseline, control, policy)) {
    verdict.kind = decision->kind;
    verdict.reason = std::move(decision->reason);
    return verdict;
  }
  if (policy.one_sided_fraction) return rules::by_fraction(runs, *baseline, std::move(verdict));
  return rules::by_time(runs, *baseline, control, policy, std::move(verdict));
}

}  // namespace census
