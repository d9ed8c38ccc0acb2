// SPDX-License-Identifier: MIT
#include <census/plant_calibration.hpp>

#include <algorithm>
#include <cmath>

namespace census {
namespace {

constexpr std::int64_t granule = 16;  // bytes of the widest load, see ExtraRead

std::int64_t to_granules(double bytes, std::int64_t max_bytes) {
  const double most = static_cast<double>(max_bytes / granule * granule);
  const auto clamped = static_cast<std::int64_t>(std::clamp(bytes, static_cast<double>(granule), most));
  return clamped / granule * granule;
}

// The measured points nearest below and above the request; what is planted without bytes is known: nothing.
struct Enclosure {
  double low_bytes = 0, low_rise = 0;
  double high_bytes = 0, high_rise = 0;  // high_bytes 0: not enclosed yet

  void add(double bytes, double rise, double wanted) {
    if (rise < wanted) {
      low_bytes = bytes;
      low_rise = rise;
    } else {
      high_bytes = bytes;
      high_rise = rise;
    }
  }

  [[nodiscard]] double next(double wanted) const {
    if (high_bytes == 0) return 2 * low_bytes;
    const double span = high_bytes - low_bytes;
    const double secant = (wanted - low_rise) / (high_rise - low_rise);
    // A step of the curve would hold the secant at one end: always cut off at least a tenth.
    return low_bytes + span * std::clamp(secant, 0.1, 0.9);
  }
};

}  // namespace

PlantCalibration calibrate_plant(double percent, std::int64_t first_guess, std::int64_t max_bytes,
                                 const std::function<double(std::int64_t)>& rise_percent,
                                 int max_measurements) {
  PlantCalibration best;
  if (max_bytes < granule) return best;
  Enclosure enclosure;
  std::int64_t bytes = to_granules(static_cast<double>(first_guess), max_bytes);
  for (int i = 0; i < max_measurements; ++i) {
    const double rise = rise_percent(bytes);
    const bool closer = std::abs(rise - percent) < std::abs(best.achieved_percent - percent);
    if (closer || best.bytes_per_launch == 0) best = {bytes, rise, false};
    best.reached = std::abs(best.achieved_percent - percent) <= plant_tolerance_points;
    if (best.reached) break;
    enclosure.add(static_cast<double>(bytes), rise, percent);
    const std::int64_t next = to_granules(enclosure.next(percent), max_bytes);
    if (next == bytes) break;
    bytes = next;
  }
  return best;
}

}  // namespace census
