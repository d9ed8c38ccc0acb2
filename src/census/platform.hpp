// SPDX-License-Identifier: MIT
// The outside world behind one small interface: which devices there are, and measuring on one. Faked in
// tests.
#pragma once

#include <census/census.hpp>
#include <census/device.hpp>
#include <census/measure.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace census {

class Platform {
 public:
  virtual ~Platform() = default;
  [[nodiscard]] virtual std::variant<std::vector<Device>, NoDevice> devices(Backend backend,
                                                                            const std::string& selector) = 0;
  [[nodiscard]] virtual std::unique_ptr<Measurer> measurer(const Device& device) = 0;
  [[nodiscard]] virtual std::unique_ptr<Telemetry> telemetry(const Device& device) = 0;
  /// The day it is, UTC: on which a waiver is in force or has expired.
  [[nodiscard]] virtual std::chrono::sys_days today() = 0;
};

/// The devices of this machine.
[[nodiscard]] std::unique_ptr<Platform> real_platform();

/// run() with another outside world; children of `gate` are this executable again, so a test executable that
/// calls this with a scripted platform is faked as a whole.
[[nodiscard]] int run_on(Platform& platform, int argc, const char* const* argv, const Census& census);

}  // namespace census
