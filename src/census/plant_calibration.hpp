// SPDX-License-Identifier: MIT
// How many extra bytes a planted slowdown must read: found by measuring, whatever the backend. Pure.
#pragma once

#include <cstdint>
#include <functional>

namespace census {

/// How close the rise must come to the request, in percentage points.
inline constexpr double plant_tolerance_points = 0.3;

struct PlantCalibration {
  std::int64_t bytes_per_launch = 0;  ///< a multiple of 16
  double achieved_percent = 0;        ///< rise of the median at those bytes, as measured last
  bool reached = false;               ///< within plant_tolerance_points of the request
};

/// Finds the bytes per launch at which the median rises by `percent` (> 0). `rise_percent(bytes)` measures by
/// how many percent the median with that many bytes planted lies above the median without. It is asked at
/// most `max_measurements` times, always for a positive multiple of 16 not above `max_bytes`, the first time
/// for `first_guess` clamped to those. Returns the closest found when the request was not reached. Method:
/// doubling until the rise is enclosed, then the secant within the enclosure, which noise cannot leave.
[[nodiscard]] PlantCalibration calibrate_plant(double percent, std::int64_t first_guess,
                                               std::int64_t max_bytes,
                                               const std::function<double(std::int64_t)>& rise_percent,
                                               int max_measurements = 16);

}  // namespace census
