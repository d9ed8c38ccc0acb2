// SPDX-License-Identifier: MIT
// Runs the scripted gate executable in a directory of its own, and makes the baseline that it is judged
// against.
#pragma once

#include <census/json_io.hpp>

#include <gmock/gmock.h>

#include <stdlib.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace gate_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// How one call of the executable ended.
struct Ended {
  int code = -1;
  std::string output;  ///< stdout and stderr
};

/// A directory with the script, the baselines and the results of one test.
class FakeRun {
 public:
  FakeRun() {
    std::string pattern = (std::filesystem::temp_directory_path() / "fake-gate-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp " + pattern);
    path = pattern;
    std::filesystem::create_directory(path / "baselines");
  }
  FakeRun(const FakeRun&) = delete;
  FakeRun& operator=(const FakeRun&) = delete;
  ~FakeRun() { std::filesystem::remove_all(path); }

  void script(const std::string& text) const { std::ofstream(path / "script") << text; }

  /// `arguments` as a shell splits them; `variables` like "CENSUS_STRICT=1". Nothing of the caller's CENSUS_
  /// variables gets in.
  [[nodiscard]] Ended run(const std::string& arguments, const std::string& variables = "") const {
    const std::string command = "cd '" + path.string() +
                                "' && env -u CENSUS_REQUIRE -u CENSUS_STRICT -u CENSUS_PLANT -u CENSUS_ARM " +
                                "-u CTEST_RESOURCE_GROUP_0_GPUS FAKE_SCRIPT='" + (path / "script").string() +
                                "' CENSUS_LOCK_DIR='" + (path / "locks").string() + "' " + variables +
                                " '" FAKE_GATE "' " + arguments + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("popen");
    Ended ended;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
      ended.output.append(buffer.data(), n);
    const int status = pclose(pipe);
    ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return ended;
  }

  /// `gate` of one row, without pauses.
  [[nodiscard]] Ended gate(const std::string& row, const std::string& options = "",
                           const std::string& variables = "") const {
    return run("gate --row " + row + " --pause 0 --results results " + options, variables);
  }

  [[nodiscard]] std::string text_of(const std::filesystem::path& file) const {
    std::ostringstream text;
    text << std::ifstream(path / file).rdbuf();
    return text.str();
  }

  std::filesystem::path path;
};

/// Baseline of the scripted GPU: both of its rows take 10 us.
inline census::Baseline fake_baseline() {
  census::Baseline baseline;
  baseline.slug = "fake-gpu";
  baseline.device.name = "Fake GPU";
  baseline.device.sm_count = 8;
  baseline.device.memory_bytes = std::int64_t{16} << 30;
  baseline.device.bus_width_bits = 6016;
  baseline.device.driver_branch = "580";
  baseline.control.probe_version = 1;
  baseline.control.ceiling_tbs = 4.0;
  for (const char* id : {"fake.one", "fake.two"}) {
    census::BaselineRow row;
    row.id = id;
    row.us = 10;
    row.tbs = 2.0;
    row.runs = 9;
    row.tolerance = 0.03;
    row.output_digest = "00000000000000aa";
    row.arm = "plain";
    row.commit = "0123456789abcdef0123456789abcdef01234567";
    row.date = "2026-12-01";
    baseline.rows.push_back(row);
  }
  return baseline;
}

inline void write_baseline(const FakeRun& fake, const census::Baseline& baseline = fake_baseline()) {
  census::write_atomically(fake.path / "baselines" / (baseline.slug + ".json"),
                           census::format_baseline(baseline));
}

}  // namespace gate_test
