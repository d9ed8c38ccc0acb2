// SPDX-License-Identifier: MIT
// What table and measure share: choosing a device and measuring rows on it.
#include <census/commands.hpp>
#include <census/error.hpp>
#include <census/fault.hpp>
#include <census/json_io.hpp>
#include <census/judge.hpp>

#include <unistd.h>

#include <chrono>
#include <iostream>

namespace census {
namespace {

/// One line on stderr that is overwritten: only on a terminal, only after a second.
class Progress {
 public:
  void show(const std::string& what) {
    if (isatty(STDERR_FILENO) == 0 || std::chrono::steady_clock::now() - start_ < std::chrono::seconds(1))
      return;
    std::cerr << "\r\033[K" << what << std::flush;
    shown_ = true;
  }
  ~Progress() {
    if (shown_) std::cerr << "\r\033[K" << std::flush;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

int code_of(RunStatus status) {
  switch (status) {
    case RunStatus::measured:
    case RunStatus::checked_only:
      return 0;
    case RunStatus::incorrect:
      return 1;
    case RunStatus::error:
      return 2;
    case RunStatus::no_device:
      return 77;
    default:
      return 3;
  }
}

}  // namespace

void answer(const Call& call, const std::string& text) {
  if (call.options.output.empty()) {
    call.out << text << std::flush;
  } else {
    write_atomically(call.options.output, text);
  }
}

Backend choose_backend(const Call& call) {
  if (call.options.backend) return *call.options.backend;
  const bool has_cuda = std::holds_alternative<std::vector<Device>>(call.platform.devices(Backend::cuda, ""));
  return has_cuda ? Backend::cuda : Backend::cpu;
}

std::variant<Device, NoDevice> choose_device(Platform& platform, Backend backend,
                                             const std::string& selector) {
  auto found = platform.devices(backend, selector);
  if (auto* none = std::get_if<NoDevice>(&found)) return *none;
  const auto& devices = std::get<std::vector<Device>>(found);
  if (devices.empty()) return NoDevice{std::string("no ") + to_string(backend) + " device"};
  return devices.front();
}

MeasureOptions measure_options(const Options& options, const KernelCase& row) {
  MeasureOptions measure;
  measure.arm = options.arm;
  measure.check_reference = options.reference;
  measure.hot = options.hot;
  measure.stream_launch = options.stream_launch;
  measure.footprint_override = options.footprint;
  if (const auto plant = find_plant(options.plants, row)) {
    measure.plant_percent = plant->percent;
    measure.plant_bytes = plant->bytes;
  }
  measure.peers = options.peers;
  if (options.repetitions > 0) measure.min_samples = options.repetitions;
  return measure;
}

std::vector<RowRun> measure_rows(const Call& call, const Device& device,
                                 const std::vector<const KernelCase*>& rows) {
  const auto measurer = call.platform.measurer(device);
  Progress progress;
  std::vector<RowRun> runs;
  for (const auto* row : rows) {
    progress.show("[" + std::to_string(runs.size() + 1) + "/" + std::to_string(rows.size()) + "] " + row->id);
    runs.push_back(
        measurer->measure(with_fault(*row, call.options.fault), measure_options(call.options, *row)));
    runs.back().fault = call.options.fault;
    if (call.options.peers && device.backend == Backend::cpu && row->bf16_matrix)
      runs.back().peers.push_back({.name = "cuBLAS", .reason = "runs on CUDA devices only"});
  }
  return runs;
}

int exit_code(const std::vector<RowRun>& runs) {
  std::vector<int> codes;
  for (const auto& run : runs) codes.push_back(code_of(run.status));
  return combine_exit_codes(codes);
}

}  // namespace census
