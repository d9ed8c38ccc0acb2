// SPDX-License-Identifier: MIT
// A checked-in baseline: what a device did, row by row, with the spread that sets each row's tolerance. Plain
// data and arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace census {

/// Raised by one whenever a field of the baseline file changes its meaning; a reader refuses other numbers.
inline constexpr int baseline_schema_version = 1;

/// One machine start on which a row was measured.
struct Occasion {
  std::string id;  ///< RowRun::occasion: the same start is never counted twice
  double us = 0;   ///< median over its runs of their medians
  std::string date, host, uuid, driver;
  std::vector<double> run_us;         ///< the run medians behind `us`
  std::optional<double> ceiling_tbs;  ///< median over its runs
  std::string toolkit;                ///< CUDA's "13.0"; "" where it is unknown or none, and in the control
};

/// One row. `us` is the geometric mean over occasions of their medians. Spreads are standard deviations of
/// log(us).
struct BaselineRow {
  std::string id;
  double us = 0;
  std::optional<double> tbs;  ///< null on resident rows
  int runs = 0;
  std::optional<double> spread_run;       ///< pooled within occasions, null for fewer than 2 runs in each
  std::optional<double> spread_occasion;  ///< between occasions, null for fewer than 2
  double tolerance = 0.03;
  bool provisional = true;  ///< too few occasions for the formula: the policy number is in force
  bool advisory = false;    ///< the formula asked for more than 8 %
  std::string output_digest;
  std::optional<std::string> code_digest;
  std::string arm;
  int registers = 0, spill_bytes = 0, shared_bytes = 0;
  std::vector<std::string> aliases;
  std::string commit, date, reason;
  std::vector<Occasion> occasions;
  std::optional<double> min_ceiling_fraction;  ///< CPU only
};

/// The control: the ceiling probe. A baseline made with another probe version does not match.
struct Control {
  int probe_version = 0;
  double ceiling_tbs = 0;  ///< geometric mean over occasions
  std::optional<double> spread_occasion;
  double tolerance = 0.03;
  std::vector<Occasion> occasions;  ///< us unused; ceiling_tbs set
};

/// BaselineDevice::name of cpu-generic.json, whose one-sided bounds hold on any CPU: it has no hard
/// differences.
inline constexpr const char* generic_cpu_name = "generic CPU";

/// The hard key and the soft fields of the device, as in device.hpp.
struct BaselineDevice {
  std::string name;
  std::uint32_t pci_device_id = 0;
  int sm_count = 0;
  std::int64_t memory_bytes = 0;
  int bus_width_bits = 0;
  std::string mig_profile;
  std::optional<bool> ecc;
  std::optional<double> power_cap_percent;
  std::string driver_branch;
};

struct Baseline {
  std::string slug;  ///< the file is <slug>.json
  BaselineDevice device;
  Control control;
  std::vector<BaselineRow> rows;  ///< sorted by id
};

/// The row of this id or alias; null when there is none.
[[nodiscard]] const BaselineRow* find_row(const Baseline& baseline, const std::string& id);

/// Which hard fields differ, each "sm_count 132, here 114"; empty when the baseline is this device's.
[[nodiscard]] std::vector<std::string> hard_differences(const BaselineDevice& baseline,
                                                        const BaselineDevice& here);
/// Which soft fields differ, in the same form.
[[nodiscard]] std::vector<std::string> soft_differences(const BaselineDevice& baseline,
                                                        const BaselineDevice& here);

/// Occasions from which on a spread is known well enough for the formula; with fewer, t is too large to be of
/// use.
inline constexpr int formula_occasions = 10;

/// Tolerance by STATISTICS' formula from n occasions with standard deviation s of log(us):
/// clamp(t(0.999, n-1) * s * sqrt(1 + 1/n), 2 %, 8 %), never above `policy_tolerance` unless `loosened` (a
/// recorded reason); below 10 occasions the policy number, provisional. `advisory` when the formula before
/// the cap exceeds 8 %.
struct Tolerance {
  double value = 0.03;
  bool provisional = true;
  bool advisory = false;
};
[[nodiscard]] Tolerance tolerance_for(int occasions, std::optional<double> spread_occasion,
                                      double policy_tolerance, bool loosened);

/// Smallest slowdown found with 95 % probability: T + 1.645 * S * sqrt(1 + 1/n). nullopt for fewer than 3
/// occasions.
[[nodiscard]] std::optional<double> minimum_detectable_effect(const BaselineRow& row);

}  // namespace census
