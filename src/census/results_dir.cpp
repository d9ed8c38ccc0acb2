// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/json_io.hpp>
#include <census/results_dir.hpp>
#include <census/select.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <sstream>

namespace census {
namespace {

namespace fs = std::filesystem;

constexpr const char* roster_name = "roster.txt";
constexpr const char* roster_heading = "kernel-census roster 1";
// A build directory is not an archive; ten runs are enough to look back at a red that went away.
constexpr std::size_t kept_runs = 10;

/// "20261201T100000.123456Z-4711": sorts by time, and two runs of one moment differ by their process.
std::string new_run_id() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  const std::time_t seconds = static_cast<std::time_t>(us / 1000000);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[64];
  std::snprintf(text, sizeof text, "%04d%02d%02dT%02d%02d%02d.%06dZ-%d", utc.tm_year + 1900, utc.tm_mon + 1,
                utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, static_cast<int>(us % 1000000),
                static_cast<int>(getpid()));
  return text;
}

/// Moves the records out of the way of the new run, and drops the oldest runs.
void put_away(const fs::path& directory, const std::string& run_id) {
  std::vector<fs::path> records;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == ".json") records.push_back(entry.path());
  }
  if (records.empty()) return;
  const fs::path earlier = directory / "earlier";
  fs::create_directories(earlier / run_id);
  for (const auto& record : records) fs::rename(record, earlier / run_id / record.filename());
  std::vector<fs::path> runs;
  for (const auto& entry : fs::directory_iterator(earlier)) runs.push_back(entry.path());
  std::sort(runs.begin(), runs.end());
  for (std::size_t i = 0; i + kept_runs < runs.size(); ++i) fs::remove_all(runs[i]);
}

std::string roster_text(const Roster& roster) {
  std::string text = std::string(roster_heading) + "\nrun " + roster.run_id + "\n";
  for (const auto& [backend, row] : roster.rows) text += std::string(to_string(backend)) + " " + row + "\n";
  return text;
}

[[noreturn]] void unreadable(const fs::path& file, const std::string& what) {
  throw FileError(file.string() + ": " + what + "; start a new run with gate --begin " +
                  file.parent_path().string());
}

}  // namespace

Roster begin_run(const fs::path& directory, const Census& census) {
  Roster roster{new_run_id(), {}};
  for (const auto& row : census.rows) roster.rows.emplace_back(row.backend, row.id);
  try {
    fs::create_directories(directory);
    // An unreadable roster has no id to file its records under; they still must not pass for this run's.
    std::string before = "unknown";
    try {
      const auto old = read_roster(directory);
      if (old) before = old->run_id;
    } catch (const FileError&) {
      before = "unreadable";
    }
    put_away(directory, before);
  } catch (const fs::filesystem_error& problem) {
    throw FileError(std::string("results directory: ") + problem.what());
  }
  write_atomically(directory / roster_name, roster_text(roster));
  return roster;
}

std::optional<Roster> read_roster(const fs::path& directory) {
  const fs::path file = directory / roster_name;
  if (!fs::exists(file)) return std::nullopt;
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line != roster_heading) unreadable(file, "not a roster of this version");
  Roster roster;
  std::string word;
  if (!std::getline(in, line) || !(std::istringstream(line) >> word >> roster.run_id) || word != "run") {
    unreadable(file, "line 2: no run id");
  }
  while (std::getline(in, line)) {
    std::string row;
    if (!(std::istringstream(line) >> word >> row)) unreadable(file, "not a row: \"" + line + "\"");
    if (word != to_string(Backend::cuda) && word != to_string(Backend::cpu)) {
      unreadable(file, "no backend: \"" + word + "\"");
    }
    roster.rows.emplace_back(parse_backend(word), row);
  }
  return roster;
}

fs::path record_path(const fs::path& directory, Backend backend, const std::string& row) {
  return directory / (std::string(to_string(backend)) + "." + row + ".json");
}

std::optional<ResultFile> read_record(const fs::path& directory, const RowKey& row,
                                      const std::string& run_id) {
  const auto file = record_path(directory, row.first, row.second);
  if (!fs::exists(file)) return std::nullopt;
  auto record = read_result(file);
  if (record.run_id != run_id) return std::nullopt;
  return record;
}

}  // namespace census
