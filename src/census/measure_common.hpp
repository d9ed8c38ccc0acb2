// SPDX-License-Identifier: MIT
// What measuring a row has in common on every backend: the identity of the run, its phases, its series, the
// check of outputs.
#pragma once

#include <census/device.hpp>
#include <census/kernel_case.hpp>
#include <census/measure.hpp>
#include <census/result.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace census {

/// Now in UTC, "2026-12-01T10:00:00Z".
[[nodiscard]] std::string utc_date();

/// Name of this machine, "unknown" where it has none.
[[nodiscard]] std::string host_name();

/// "<boot id>/<device uuid>"; the host name stands in for a boot id that cannot be read.
[[nodiscard]] std::string occasion_of(const Device& device);

/// The record of a run before anything is measured: row, device, build, occasion, host, date, modes and byte
/// counts are set.
[[nodiscard]] RowRun begin_run(const KernelCase& row, const Device& device, const MeasureOptions& options);

/// Median and quartiles of the samples, which it keeps. Throws std::invalid_argument on an empty or NaN
/// sample.
[[nodiscard]] Series series_of(std::vector<double> samples_us);

/// Tells RowRun::phases where the time goes: each phase lasts until the next begins. finish() closes the last
/// one and sets wall_seconds. One lap of a steady clock; the run outlives it.
class PhaseClock {
 public:
  explicit PhaseClock(RowRun& run);
  ~PhaseClock() { finish(); }
  PhaseClock(const PhaseClock&) = delete;
  PhaseClock& operator=(const PhaseClock&) = delete;

  void begin(std::string_view phase);
  void finish();

 private:
  RowRun& run_;
  std::chrono::steady_clock::time_point start_, phase_start_;
  std::string phase_;
  bool finished_ = false;
};

/// Index of the first element that is NaN or infinite; nullopt when all are finite.
[[nodiscard]] std::optional<std::uint64_t> first_not_finite(const std::vector<float>& output);

/// Index of the first element whose bits differ; the shorter length when one is a prefix of the other;
/// nullopt when equal.
[[nodiscard]] std::optional<std::uint64_t> first_difference(const std::vector<float>& output,
                                                            const std::vector<float>& reference);

/// Checks the outputs of an instance whose every copy has been launched once: all elements finite, copy 0
/// bit-equal to the reference when `check_reference`; the digest of copy 0. Sets output_digest,
/// reference_checked, first_difference, and on failure status (`invalid` or `incorrect`) and reason. True
/// when the row may be timed.
[[nodiscard]] bool check_outputs(Instance& instance, int copies, bool check_reference, RowRun& run);

}  // namespace census
