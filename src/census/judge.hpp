// SPDX-License-Identifier: MIT
// From runs and a baseline row to a verdict with its reason. Pure: no clock, no file, no device.
#pragma once

#include <census/baseline.hpp>

#include <optional>
#include <string>
#include <vector>

namespace census {

/// The closed set of verdicts. Order is that of the documentation, not of severity.
enum class Kind {
  pass,
  improved,
  regressed,
  incorrect,
  invalid,
  environment,
  inconclusive,
  no_baseline,
  removed,
  no_device,
  error
};

[[nodiscard]] const char* to_string(Kind kind);
[[nodiscard]] std::optional<Kind> kind_from(const std::string& text);

/// What judge() needs of one run. Times in microseconds per launch.
struct RunFacts {
  enum class Status {
    measured,
    checked_only,
    incorrect,
    invalid,
    environment,
    no_device,
    error
  } status = Status::measured;
  std::string reason;  ///< of a status that is not `measured`, or of `gateable == false`
  double us = 0;
  std::optional<double> tbs;          ///< null on resident rows
  std::optional<double> ceiling_tbs;  ///< of the same run
  int probe_version = 0;              ///< of the ceiling; 0 where none was measured
  std::optional<double> peak_tbs;     ///< of the device
  std::string output_digest;
  std::optional<std::string> code_digest;
  std::vector<std::string> environment;  ///< findings, each a sentence
  std::vector<std::string> notices;      ///< of the run: fewer copies than wanted, a footprint override
  bool gateable = true;  ///< false: --cache hot or --launch stream, which no baseline describes
};

/// All runs of a row in one gate call.
struct Runs {
  std::vector<RunFacts> first;         ///< K runs
  std::vector<RunFacts> confirmation;  ///< K more after a pause; empty when none were needed or made yet
};

/// The rules in force. Defaults are the H200's; see policy_for().
struct Policy {
  double tolerance = 0.03;          ///< policy number T of the device class while a row has too few occasions
  double control_tolerance = 0.03;  ///< how far the ceiling may move before the environment is blamed
  double floor_us = 0.05;           ///< smallest difference that can count: a timer tick over a sample
  bool fail_on_improved = false;
  bool strict = false;
  bool one_sided_fraction = false;  ///< CPU: judge the share of the same run's ceiling against a lower bound
};

/// The policy of a device class: 3 % where occasions were measured to support it (slug "nvidia-h200"), 5 %
/// elsewhere. CPU: the one-sided rule.
[[nodiscard]] Policy policy_for(const std::string& device_slug);

struct Verdict {
  Kind kind = Kind::error;
  std::string reason;                ///< one sentence with both numbers
  std::vector<std::string> notices;  ///< soft findings, one sentence each
  bool needs_confirmation = false;   ///< run K more and judge again with Runs::confirmation
  std::optional<double> us, tbs, baseline_us, baseline_tbs, limit_us, mde_percent, tolerance_percent,
      ceiling_percent;
  std::optional<double> bound_percent;  ///< CPU: the lower bound of ceiling_percent
  std::optional<double> ratio;          ///< us / baseline_us: 1.05 is 5 % slower
  std::optional<bool> same_code;  ///< the machine code equals the baseline's; null where either is unknown
};

/// Judges one row. `baseline` and `control` are null where there are none.
///
/// The first of these that holds decides: a run failed (error); an output is wrong, differs between runs or
/// from the baseline's (incorrect); no runs, a run that is never gated, no number, or a bandwidth that cannot
/// be (invalid); no device; a run that did not happen or was only checked (environment); no baseline, or one
/// of another probe version (no_baseline). Only then are times compared.
///
/// By time: slow when the median of the K runs is above limit = baseline + max(T * baseline, floor_us), where
/// T is the row's own tolerance, or the policy's while that is provisional; improved below baseline - the
/// same. Runs that straddle the limit and range over more than two tolerances are inconclusive. Slow and
/// inconclusive ask for a confirmation first
/// (`needs_confirmation`); with it they stand, or become a pass with a notice. What would be red becomes
/// `environment` when any run has a finding, the code digest equals the baseline's, the control fell by more
/// than its tolerance, or the time scaled by the control is within the limit. A pass stays a pass and carries
/// the findings as notices, unless the control fell by more than its tolerance as well: then the device was
/// disturbed and it too is `environment`.
///
/// By share of the ceiling (`one_sided_fraction`): regressed when the median share is below the row's
/// min_ceiling_fraction, with the same confirmation and excuses. A row without a bound passes when it was
/// measured, with a notice that its time was not judged.
[[nodiscard]] Verdict judge(const Runs& runs, const BaselineRow* baseline, const Control* control,
                            const Policy& policy);

/// Exit code of one verdict under the policy: 0, 1, 2, 3 or 77, as DESIGN's table has it. `required`: the
/// row's backend is.
[[nodiscard]] int exit_code(const Verdict& verdict, bool advisory, const Policy& policy, bool required);

/// Exit code of many: the first present of 2, 1, 3; 77 only if all are 77; else 0. 2 for none.
[[nodiscard]] int combine_exit_codes(const std::vector<int>& codes);

}  // namespace census
