// SPDX-License-Identifier: MIT
// Judging by time: two-sided against the baseline, confirmed once, with the ceiling as the control.
#include <census/judge_rules.hpp>
#include <census/stats.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <utility>

namespace census::rules {
namespace {

/// Where one set of K runs lies. `wide`: the runs disagree about the limit by more than two tolerances.
enum class Side { within, fast, slow, wide };

struct Limit {
  double baseline_us;
  double tolerance;     ///< fraction
  double tolerance_us;  ///< the larger of tolerance * baseline and the floor
  bool floor;           ///< the floor is the larger one

  [[nodiscard]] double upper() const { return baseline_us + tolerance_us; }
  [[nodiscard]] double lower() const { return baseline_us - tolerance_us; }
  /// "11.20 us + 5 %"
  [[nodiscard]] std::string text(const char* sign) const {
    const std::string amount = floor ? format_fixed(tolerance_us, 2) + " us" : format_percent(tolerance);
    return format_us(baseline_us) + " " + sign + " " + amount;
  }
};

Limit limit_of(const BaselineRow& baseline, const Policy& policy) {
  const double tolerance = baseline.provisional ? policy.tolerance : baseline.tolerance;
  const double relative_us = tolerance * baseline.us;
  return {baseline.us, tolerance, std::max(relative_us, policy.floor_us), policy.floor_us > relative_us};
}

Side side_of(const std::vector<RunFacts>& runs, const Limit& limit) {
  const std::vector<double> us = times_us(runs);
  const auto [least, most] = std::minmax_element(us.begin(), us.end());
  const bool straddles = *least <= limit.upper() && *most > limit.upper();
  if (straddles && *most - *least > 2 * limit.tolerance_us) return Side::wide;
  const double value = median(us);
  return value > limit.upper() ? Side::slow : value < limit.lower() ? Side::fast : Side::within;
}

std::string range_of(const std::vector<RunFacts>& runs) {
  const std::vector<double> us = times_us(runs);
  const auto [least, most] = std::minmax_element(us.begin(), us.end());
  return format_us(*least) + " to " + format_us(*most);
}

/// The ceiling of these runs over the baseline's, or nullopt where either is unknown.
std::optional<double> control_ratio(const std::vector<RunFacts>& runs, const Control* control) {
  if (control == nullptr || !(control->ceiling_tbs > 0)) return std::nullopt;
  std::vector<double> ceilings;
  for (const RunFacts& run : runs) {
    if (run.ceiling_tbs && *run.ceiling_tbs > 0) ceilings.push_back(*run.ceiling_tbs);
  }
  const auto now = median_if_any(ceilings);
  if (!now) return std::nullopt;
  return *now / control->ceiling_tbs;
}

/// The control's own tolerance once it is known from occasions, else the policy number.
double control_tolerance(const Control& control, const Policy& policy) {
  return control.occasions.size() < formula_occasions ? policy.control_tolerance : control.tolerance;
}

std::string moved(double ratio) {
  return "the ceiling is " + format_percent(ratio < 1 ? 1 - ratio : ratio - 1) +
         (ratio < 1 ? " below" : " above") + " the baseline's";
}

/// What the control says against blaming the code for slow runs. A control that is merely faster excuses
/// nothing. A resident row reads no memory, so its time is not scaled by the ceiling.
std::vector<std::string> control_excuses(const std::vector<RunFacts>& runs, const Limit& limit,
                                         const Control* control, const Policy& policy) {
  const auto ratio = control_ratio(runs, control);
  if (!ratio || *ratio >= 1) return {};
  if (*ratio < 1 - control_tolerance(*control, policy))
    return {moved(*ratio) + ": the device is slower, not the code"};
  const double us = median(times_us(runs));
  const double scaled_us = us * *ratio;
  if (!runs.front().tbs || us <= limit.upper() || scaled_us > limit.upper()) return {};
  return {moved(*ratio) + ", and scaled by it the row takes " + format_us(scaled_us) + ", within the limit"};
}

/// What a reader of a green verdict should know about the control.
std::optional<std::string> control_notice(const std::vector<RunFacts>& runs, const Limit& limit,
                                          const Control* control, const Policy& policy) {
  const auto ratio = control_ratio(runs, control);
  if (!ratio)
    return "no ceiling to set beside the baseline's: a slower device would not be told from slower code";
  const double us = median(times_us(runs));
  const double scaled_us = us * *ratio;
  if (runs.front().tbs && us <= limit.upper() && scaled_us > limit.upper()) {
    return moved(*ratio) + ", and scaled by it the row takes " + format_us(scaled_us) + ", above the limit";
  }
  const double allowed = control_tolerance(*control, policy);
  if (*ratio < 1 - allowed || *ratio > 1 + allowed) return moved(*ratio);
  return std::nullopt;
}

Verdict with_numbers(Verdict verdict, const BaselineRow& baseline, const Limit& limit) {
  verdict.baseline_us = baseline.us;
  verdict.baseline_tbs = baseline.tbs;
  verdict.limit_us = limit.upper();
  verdict.tolerance_percent = 100 * limit.tolerance;
  verdict.ratio = *verdict.us / baseline.us;
  if (const auto effect = minimum_detectable_effect(baseline)) verdict.mde_percent = 100 * *effect;
  return verdict;
}

/// Not slow: pass, or improved where the control did not rise with it.
void settle_good(Verdict& verdict, const Runs& runs, Side side, const Limit& limit, const Control* control) {
  verdict.kind = Kind::pass;
  const std::string value = count_of(runs.first) + " " + format_us(*verdict.us);
  if (side == Side::within) {
    verdict.reason = value + " within " + limit.text("+");
    return;
  }
  verdict.reason = value + " < " + limit.text("-");
  const auto ratio = control_ratio(runs.first, control);
  if (verdict.tbs && ratio && *verdict.us * *ratio >= limit.lower()) {
    verdict.notices.push_back("faster than the limit, but " + moved(*ratio) +
                              " as well: not called improved");
    return;
  }
  verdict.kind = Kind::improved;
  verdict.reason += ": the baseline is stale, refresh it";
}

void settle_unconfirmed(Verdict& verdict, const Runs& runs, const Limit& limit) {
  const std::string again = format_us(median(times_us(runs.confirmation)));
  verdict.kind = Kind::pass;
  verdict.reason = "confirmed by " + std::to_string(runs.confirmation.size()) + " more runs: " + again +
                   " within " + limit.text("+");
  verdict.notices.push_back("the first runs, " + range_of(runs.first) + ", were above the limit of " +
                            format_us(limit.upper()) + "; " + again + " did not confirm it");
}

/// A good time on a disturbed device: the ceiling fell and something that was seen explains it. The row may
/// have been lucky with its moments, so neither the time nor what it would have been is known.
void doubt_good(Verdict& verdict, const Runs& runs, const Control* control, const Policy& policy) {
  const std::vector<std::string> seen = findings(runs);
  if (seen.empty()) return;
  for (const auto* group : {&runs.first, &runs.confirmation}) {
    const auto ratio = control_ratio(*group, control);
    if (!ratio || *ratio >= 1 - control_tolerance(*control, policy)) continue;
    verdict.kind = Kind::environment;
    verdict.reason += ", but " + moved(*ratio) + " and " + join(seen);
    return;
  }
}

/// Slow or wide, and not refuted: regressed, inconclusive, or the environment's fault.
void settle_bad(Verdict& verdict, const Runs& runs, bool wide, const Limit& limit,
                const std::vector<std::string>& causes) {
  verdict.needs_confirmation = runs.confirmation.empty();
  verdict.kind = wide ? Kind::inconclusive : Kind::regressed;
  verdict.reason = wide ? "runs range from " + range_of(runs.first) +
                              ", by more than two tolerances, about the limit " + limit.text("+")
                        : count_of(runs.first) + " " + format_us(*verdict.us) + " > " + limit.text("+");
  if (!runs.confirmation.empty()) {
    verdict.reason += wide ? " (again " + range_of(runs.confirmation) + ")"
                           : " (confirmed " + format_us(median(times_us(runs.confirmation))) + ")";
  }
  if (causes.empty()) return;
  verdict.kind = Kind::environment;
  verdict.reason += ", but " + join(causes);
}

}  // namespace

Verdict by_time(const Runs& runs, const BaselineRow& baseline, const Control* control, const Policy& policy,
                Verdict so_far) {
  const Limit limit = limit_of(baseline, policy);
  Verdict verdict = with_numbers(std::move(so_far), baseline, limit);
  verdict.same_code = same_code(runs.first, baseline);
  if (baseline.advisory)
    verdict.notices.push_back("advisory row: it varies too much between machine starts to block");

  const auto good = [](Side side) { return side == Side::within || side == Side::fast; };
  const Side first = side_of(runs.first, limit);
  const Side second = runs.confirmation.empty() ? first : side_of(runs.confirmation, limit);
  if (good(first) || good(second)) {
    if (good(first)) {
      settle_good(verdict, runs, first, limit, control);
    } else {
      settle_unconfirmed(verdict, runs, limit);
    }
    doubt_good(verdict, runs, control, policy);
    if (verdict.kind == Kind::environment) return verdict;
    for (const std::string& finding : findings(runs)) verdict.notices.push_back(finding);
    if (auto notice = control_notice(runs.first, limit, control, policy)) verdict.notices.push_back(*notice);
    return verdict;
  }

  std::vector<std::string> causes = excuses(runs, baseline);
  for (const auto* group : {&runs.first, &runs.confirmation}) {
    if (group->empty()) continue;
    for (auto& cause : control_excuses(*group, limit, control, policy)) {
      if (std::find(causes.begin(), causes.end(), cause) == causes.end()) causes.push_back(std::move(cause));
    }
  }
  // Wide runs whose median is above the limit, followed by runs that are all clearly above it, are slow.
  const bool wide = second == Side::wide || (first == Side::wide && *verdict.us <= limit.upper());
  settle_bad(verdict, runs, wide, limit, causes);
  return verdict;
}

}  // namespace census::rules
