// SPDX-License-Identifier: MIT
// The subcommands. Each returns the exit code; what cannot be done throws and is caught in run.cpp.
#pragma once

#include <census/census.hpp>
#include <census/cli.hpp>
#include <census/device.hpp>
#include <census/measure.hpp>
#include <census/platform.hpp>
#include <census/waiver.hpp>

#include <optional>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

namespace census {

/// What every subcommand gets.
struct Call {
  Platform& platform;
  const Census& census;
  const Options& options;
  std::ostream& out;
};

int table_command(const Call& call);
int list_command(const Call& call);
int measure_command(const Call& call);
int judge_command(const Call& call);
int gate_command(const Call& call);
int refresh_command(const Call& call);
int drift_command(const Call& call);
int report_command(const Call& call);
int doctor_command(const Call& call);
int explain_command(const Call& call);
int ab_command(const Call& call);
int selftest_command(const Call& call);
int resource_spec_command(const Call& call);

/// Writes the text to the file of -o, or to the call's output. Throws FileError.
void answer(const Call& call, const std::string& text);

/// The waivers beside the baselines, checked against the census, the baselines and the day. Throws FileError.
[[nodiscard]] Waivers checked_waivers(const Call& call);

/// The backend that is meant: the one asked for; else cuda where it has a device, else cpu.
[[nodiscard]] Backend choose_backend(const Call& call);

/// The device to use on the backend, or why there is none.
[[nodiscard]] std::variant<Device, NoDevice> choose_device(Platform& platform, Backend backend,
                                                           const std::string& selector);

/// How the options want a row measured.
[[nodiscard]] MeasureOptions measure_options(const Options& options, const KernelCase& row);

/// Measures the rows one after another, with progress on stderr. A row whose build lacks the backend becomes
/// no_device.
[[nodiscard]] std::vector<RowRun> measure_rows(const Call& call, const Device& device,
                                               const std::vector<const KernelCase*>& rows);

/// 0, 1, 2, 3 or 77: what measuring alone can say about the rows.
[[nodiscard]] int exit_code(const std::vector<RowRun>& runs);

}  // namespace census
