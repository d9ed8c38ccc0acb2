// SPDX-License-Identifier: MIT
#include <census/ab_process.hpp>
#include <census/child.hpp>
#include <census/error.hpp>
#include <census/json_io.hpp>
#include <census/plant.hpp>
#include <census/temporary_directory.hpp>

#include <unistd.h>

#include <chrono>
#include <filesystem>

namespace census {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds list_limit(60);  // listing touches no device
// Beside --child-timeout for the first row of a process: a row takes a second on a GPU and up to 10 on a busy
// CPU, its reference included.
constexpr double more_seconds_per_row = 20;

std::string absolute(Side side, const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored) || access(path.c_str(), X_OK) != 0) {
    throw UsageError(std::string("ab --") + to_string(side) + " " + path +
                     ": no executable file; build it, for example with ci/premerge");
  }
  return fs::canonical(path).string();
}

std::vector<std::string> arguments(const AbProcess& process, const Options& options,
                                   const std::string& plants, const Device& device, int lock_descriptor,
                                   const std::string& file) {
  std::vector<std::string> words = {"measure",  "--backend", to_string(device.backend),
                                    "--device", device.uuid, "-o",
                                    file,       "--lock-fd", std::to_string(lock_descriptor)};
  const auto add = [&](const std::string& option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  for (const auto& row : process.rows) add("--row", row);
  if (!process.check_reference) words.emplace_back("--no-reference");
  if (!options.arm.empty()) add("--arm", options.arm);
  if (options.repetitions > 0) add("--reps", std::to_string(options.repetitions));
  if (options.footprint) add("--footprint", std::to_string(options.footprint->value));
  if (!plants.empty() && process.side == Side::head) add("--plant", plants);
  return words;
}

/// The runs in the order of the process's rows.
std::vector<RowRun> in_order(const AbProcess& process, const ResultFile& record) {
  std::vector<RowRun> runs;
  for (const auto& row : process.rows) {
    const RowRun* found = nullptr;
    for (const auto& run : record.runs) {
      if (run.row == row) found = &run;
    }
    if (found == nullptr) throw ProcessFailed("its record lacks the row " + row);
    runs.push_back(*found);
  }
  return runs;
}

std::vector<RowRun> run_one(const std::string& executable, const AbProcess& process, const Options& options,
                            const std::string& plants, const Device& device, int lock_descriptor) {
  const double seconds =
      options.child_timeout_s + more_seconds_per_row * static_cast<double>(process.rows.size() - 1);
  const std::chrono::milliseconds limit(static_cast<long long>(seconds * 1000));
  const TemporaryDirectory directory;
  const auto file = directory.file("run.json");
  const ChildEnd end = run_program(
      executable, arguments(process, options, plants, device, lock_descriptor, file.string()), limit);
  if (end.signal != 0 || end.timed_out) throw ProcessFailed(failure_text(end));
  // An exit code other than 0 with a record is about single rows, and their runs say so.
  if (!fs::exists(file)) throw ProcessFailed("no record: " + failure_text(end));
  try {
    return in_order(process, read_result(file));
  } catch (const FileError& problem) {
    throw ProcessFailed(std::string("an unusable record: ") + problem.what());
  }
}

/// The search for a slowdown takes a second a row: the next process begins with what this one found. Of the
/// requests for a row the last one counts.
std::string begin_where_found(const std::string& plants, const std::vector<RowRun>& runs) {
  std::string text = plants;
  for (const RowRun& run : runs) {
    if (!run.plant) continue;
    text += "," + plant_text(run.backend, run.row, run.plant->requested_percent, run.plant->bytes_per_launch);
  }
  return text;
}

}  // namespace

AbExecutables find_executables(const std::string& base, const std::string& head) {
  return {absolute(Side::base, base), absolute(Side::head, head)};
}

std::vector<ListedRow> list_rows(Side side, const std::string& executable) {
  const TemporaryDirectory directory;
  const auto file = directory.file("list.json");
  const ChildEnd end = run_program(executable, {"list", "--format", "json", "-o", file.string()}, list_limit);
  const std::string who = std::string("ab --") + to_string(side) + " " + executable + ": ";
  if (!failure_text(end).empty() || !fs::exists(file))
    throw UsageError(who + "cannot list its rows: " + failure_text(end));
  try {
    return parse_list(read_text(file), file.string());
  } catch (const FileError& problem) {
    throw UsageError(who + "lists its rows in another form: " + problem.what());
  }
}

RunProcess process_runner(const AbExecutables& executables, const Options& options, const Device& device,
                          int lock_descriptor) {
  return [executables, options, device, lock_descriptor,
          plants = options.plant_text](const AbProcess& process) mutable {
    const auto& executable = process.side == Side::head ? executables.head : executables.base;
    try {
      auto runs = run_one(executable, process, options, plants, device, lock_descriptor);
      if (process.side == Side::head) plants = begin_where_found(options.plant_text, runs);
      if (options.ignore_code) {
        for (RowRun& run : runs) run.code_digest.reset();
      }
      return runs;
    } catch (const ProcessFailed& problem) {
      throw ProcessFailed(std::string(to_string(process.side)) + "'s process of pair " +
                          std::to_string(process.pair + 1) + " (" + executable + "): " + problem.what());
    }
  };
}

}  // namespace census
