// SPDX-License-Identifier: MIT
// The parts of the gate: settings from the environment, the fresh processes of a row, the printed verdict,
// begin and end.
#pragma once

#include <census/commands.hpp>
#include <census/result.hpp>
#include <census/results_dir.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace census {

/// Reads one environment variable.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The options with CENSUS_REQUIRE, CENSUS_STRICT, CENSUS_PLANT and CENSUS_ARM in force and listed in
/// settings. An option given on the command line wins over its variable. Throws UsageError naming the
/// variable.
[[nodiscard]] Options with_environment(Options options, const Environment& environment);

/// The GPU that ctest gave to this test, as a --device value; "" where ctest gave none. Throws UsageError for
/// one that is not here.
[[nodiscard]] std::string device_from_ctest(const Environment& environment,
                                            const std::vector<Device>& devices);

/// Everything about one row that a gate call learned.
struct GatedRow {
  RowVerdict row;
  std::vector<RowRun> runs;
  Device device;
  int code = 2;
};

/// Measures the row in fresh processes, judges it, writes its record. Throws FileError and UsageError for
/// what is not the row's.
[[nodiscard]] GatedRow gate_row(const Call& call, const KernelCase& row);

/// A red of the same run id stays red: `verdict` as it counts after `earlier` attempts.
[[nodiscard]] Verdict after_attempts(const Verdict& verdict, const std::vector<Verdict>& earlier);

/// Lines for CDash, each to be written by one write(): finite numbers only, no character that ctest could
/// misread.
[[nodiscard]] std::vector<std::string> measurement_lines(const GatedRow& gated);

/// What a person reads about the row: settings and device, then the verdict with its reason and, unless
/// green, what to do.
[[nodiscard]] std::string gate_heading(const GatedRow& gated, const std::vector<std::string>& settings);
[[nodiscard]] std::string gate_sentence(const GatedRow& gated, const Call& call);

int gate_begin(const Call& call);
int gate_end(const Call& call);

}  // namespace census
