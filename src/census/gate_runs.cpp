// SPDX-License-Identifier: MIT
#include <census/child.hpp>
#include <census/gate_runs.hpp>
#include <census/json_io.hpp>
#include <census/temporary_directory.hpp>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace census {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// What the process left: its one run, or what is wrong instead.
RowRun read_run(const fs::path& file, const RowRun& failed, const std::string& failure) {
  RowRun run = failed;
  run.reason = "the measuring process ended without a record" + (failure.empty() ? "" : ": " + failure);
  if (!fs::exists(file)) return run;
  try {
    const auto record = read_result(file);
    if (record.runs.size() == 1 && record.runs[0].row == failed.row &&
        record.runs[0].backend == failed.backend) {
      return record.runs[0];
    }
    run.reason = "the measuring process recorded another row than " + failed.row;
  } catch (const FileError& problem) {
    run.reason = std::string("the measuring process wrote an unusable record: ") + problem.what();
  }
  return run;
}

}  // namespace

RowRun unmeasured_run(const KernelCase& row, const Device& device, RunStatus status,
                      const std::string& reason) {
  RowRun run;
  run.row = row.id;
  run.backend = row.backend;
  run.status = status;
  run.reason = reason;
  run.device = device;
  run.build = this_build();
  run.cold_bytes = row.cold_bytes;
  run.other_bytes = row.other_bytes;
  run.resident = row.resident;
  return run;
}

RowRunner::RowRunner(const Options& options, const KernelCase& row, Device device, int lock_descriptor,
                     std::chrono::steady_clock::time_point deadline)
    : options_(options),
      row_(row),
      device_(std::move(device)),
      lock_descriptor_(lock_descriptor),
      deadline_(deadline) {}

std::vector<std::string> RowRunner::arguments(const std::string& file) const {
  std::vector<std::string> words = {
      "measure",    "--row", row_.id, "--backend", to_string(row_.backend),         "--device",
      device_.uuid, "-o",    file,    "--lock-fd", std::to_string(lock_descriptor_)};
  const auto add = [&](const std::string& option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  if (!runs_.empty()) words.emplace_back("--no-reference");
  if (!options_.arm.empty()) add("--arm", options_.arm);
  if (!options_.fault.empty()) add("--fault", options_.fault);
  if (options_.repetitions > 0) add("--reps", std::to_string(options_.repetitions));
  if (options_.hot) add("--cache", "hot");
  if (options_.stream_launch) add("--launch", "stream");
  if (options_.footprint) add("--footprint", std::to_string(options_.footprint->value));
  if (const auto plant = find_plant(options_.plants, row_)) {
    // The search for the slowdown takes a second; it is the same for each process.
    const bool found = !runs_.empty() && runs_.back().plant;
    add("--plant", plant_text(row_.backend, row_.id, plant->percent,
                              found ? runs_.back().plant->bytes_per_launch : plant->bytes));
  }
  return words;
}

RowRun RowRunner::one() {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
  const auto failed = unmeasured_run(row_, device_, RunStatus::error, "");
  if (left.count() <= 0) {
    return unmeasured_run(
        row_, device_, RunStatus::error,
        "the row's time is over after " + std::to_string(runs_.size()) + " processes; see --time-limit");
  }
  const std::chrono::milliseconds most(static_cast<long long>(options_.child_timeout_s * 1000));
  const TemporaryDirectory directory;
  const auto file = directory.file("run.json");
  const ChildEnd end = run_self(arguments(file.string()), std::min(left, most));
  // A process that died or overran has no say, whatever it wrote before.
  if (end.signal != 0 || end.timed_out) {
    return unmeasured_run(row_, device_, RunStatus::error, "the measuring process: " + failure_text(end));
  }
  return read_run(file, failed, failure_text(end));
}

std::vector<RowRun> RowRunner::add(int count) {
  std::vector<RowRun> fresh;
  for (int i = 0; i < count; ++i) {
    RowRun run = one();
    if (run.status == RunStatus::measured && !runs_.empty() &&
        run.output_digest != runs_.front().output_digest) {
      run.status = RunStatus::incorrect;
      run.reason = "output digest " + run.output_digest + " in process " + std::to_string(runs_.size() + 1) +
                   ", but " + runs_.front().output_digest + " in process 1: the kernel is not deterministic";
    }
    runs_.push_back(run);
    fresh.push_back(run);
    if (run.status != RunStatus::measured) break;
  }
  return fresh;
}

}  // namespace census
