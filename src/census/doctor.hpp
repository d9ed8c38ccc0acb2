// SPDX-License-Identifier: MIT
// What the gate would say about a device now, each rule of the environment with its present reading.
#pragma once

#include <census/telemetry.hpp>

#include <string>
#include <vector>

namespace census {

/// One rule of the environment and how it stands.
struct RuleState {
  std::string rule;     ///< "power limit"
  std::string reading;  ///< "54 % of the default", "denied"
  std::string verdict;  ///< "sound", "environment", "unseen" (no reading), "under load" (only a run can tell)
                        ///< or "information"
  std::string finding;  ///< of environment: what the gate would say
};

/// The rules for this device and one look at it. `idle_percent`: its utilisation after a wait for its falling
/// idle. Pure.
[[nodiscard]] std::vector<RuleState> environment_rules(const Device& device, const Snapshot& now,
                                                       const Reading<double>& idle_percent);

/// A device as doctor sees it.
struct DoctorDevice {
  Device device;
  Snapshot now;
  std::vector<RuleState> rules;
  std::string lock;  ///< "" free, else who holds it
  std::string baseline_file;
  std::string baseline_state;  ///< one sentence: matches, or why not
  bool baseline_matches = false;
  std::vector<std::string> baseline_notices;
  int judged_rows = 0;
  std::vector<std::string> rows_without_baseline;
};

struct DoctorPage {
  std::string census, build, compiler, cuda, lock_directory, baselines;
  std::string waivers;                                    ///< one sentence about the file of waivers
  std::vector<std::pair<std::string, std::string>> none;  ///< backend without a device, and why
  std::vector<DoctorDevice> devices;
};

/// Kind "doctor"; every field of the page. In json_io_doctor.cpp.
[[nodiscard]] std::string json_report(const DoctorPage& page);

}  // namespace census
