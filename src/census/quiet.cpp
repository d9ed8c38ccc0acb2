// SPDX-License-Identifier: MIT
#include <census/quiet.hpp>

#include <thread>

namespace census {

Reading<double> wait_until_quiet(Telemetry& telemetry, Reading<double> busy, const QuietWait& wait) {
  for (auto waited = std::chrono::milliseconds(0);
       busy.has_value() && busy.value > wait.quiet_percent && waited < wait.longest; waited += wait.step) {
    if (wait.sleep) {
      wait.sleep(wait.step);
    } else {
      std::this_thread::sleep_for(wait.step);
    }
    busy = telemetry.read().utilisation_percent;
  }
  return busy;
}

}  // namespace census
