// SPDX-License-Identifier: MIT
// measure: the selected rows in this process, recorded to a file. The gate's children are calls of it.
#include <census/commands.hpp>
#include <census/device_hold.hpp>
#include <census/error.hpp>
#include <census/fault.hpp>
#include <census/gate_runs.hpp>
#include <census/json_io.hpp>
#include <census/select.hpp>

namespace census {
namespace {

std::vector<RowRun> run_rows(const Call& call, Backend backend, const std::vector<const KernelCase*>& rows) {
  std::vector<RowRun> runs;
  const auto found = choose_device(call.platform, backend, call.options.device);
  if (const auto* none = std::get_if<NoDevice>(&found)) {
    Device device;
    device.backend = backend;
    for (const auto* row : rows)
      runs.push_back(unmeasured_run(*row, device, RunStatus::no_device, none->reason));
    return runs;
  }
  const auto& device = std::get<Device>(found);
  const auto hold = hold_device(device, call.options);
  if (const auto* holder = std::get_if<std::string>(&hold)) {
    for (const auto* row : rows)
      runs.push_back(unmeasured_run(*row, device, RunStatus::environment, *holder));
    return runs;
  }
  return measure_rows(call, device, rows);
}

}  // namespace

int measure_command(const Call& call) {
  if (call.options.output.empty()) throw UsageError("measure: say where the record goes with -o FILE");
  const Backend backend = choose_backend(call);
  const auto rows = select_rows(call.census, call.options, backend);
  if (rows.empty()) throw UsageError("measure: no rows selected");
  std::optional<CommaLocale> comma;
  if (call.options.fault == comma_locale_fault) comma.emplace();
  ResultFile file;
  file.settings = call.options.settings;
  file.runs = run_rows(call, backend, rows);
  write_atomically(call.options.output, format_result(file));
  return exit_code(file.runs);
}

}  // namespace census
