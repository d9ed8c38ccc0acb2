// SPDX-License-Identifier: MIT
// Waits until a device is idle, so that work which still shows is somebody else's, whether or not the driver
// lists whose.
#pragma once

#include <census/telemetry.hpp>

#include <chrono>
#include <functional>

namespace census {

struct QuietWait {
  /// A desktop's compositor stays below it; so does the tail of our own work in the driver's average.
  double quiet_percent = 20;
  /// A driver averages utilisation over a sixth of a second to a second: after this our own work is out of
  /// it.
  std::chrono::milliseconds longest{1500};
  std::chrono::milliseconds step{50};
  std::function<void(std::chrono::milliseconds)> sleep;  ///< null: really sleeps
};

/// The utilisation when it had fallen to `quiet_percent` or the time was over, beginning with `first`, which
/// was read already. At once where it cannot be read. The device must not be given work meanwhile.
[[nodiscard]] Reading<double> wait_until_quiet(Telemetry& telemetry, Reading<double> first,
                                               const QuietWait& wait = {});

}  // namespace census
