// SPDX-License-Identifier: MIT
// Runs the gates on a device whose truth is known, by the functions that the gates themselves run.
#pragma once

#include <census/commands.hpp>
#include <census/find_baseline.hpp>
#include <census/gate.hpp>
#include <census/selftest.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace census {

/// What the tries of a session share. The device's lock is held by the caller, its descriptor in `options`.
struct SelftestBench {
  const Call& call;
  Options options;  ///< without anything planted
  Device device;
  Baseline baseline;
  std::vector<const KernelCase*> rows;                 ///< selected, with a baseline
  std::map<std::string, std::int64_t> plant_bytes;     ///< by plant_text(): where its search ended before
  std::function<void(std::vector<SelftestTry>)> keep;  ///< takes the tries of a finished piece of work
};

/// A gate call of one row as a try. `part` and what was planted are the caller's to add.
[[nodiscard]] SelftestTry gate_try(SelftestBench& bench, const Options& options, const KernelCase& row);

/// Time that is left, learnt from what earlier pieces of work took.
class TimeBudget {
 public:
  explicit TimeBudget(double minutes);
  /// Whether another piece like those before fits in; true for the first one.
  [[nodiscard]] bool allows() const;
  /// Runs a piece of work and remembers what it took.
  void spend(const std::function<void()>& work);
  /// The same end, with nothing learnt yet.
  [[nodiscard]] TimeBudget afresh() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double limit_s_;
  double longest_s_ = 0;
};

void try_equal(SelftestBench& bench, int calls, TimeBudget& budget);
void try_planted(SelftestBench& bench, double percent, int tries, TimeBudget& budget);
void try_ab_equal(SelftestBench& bench, int runs, TimeBudget& budget);
void try_ab_planted(SelftestBench& bench, double percent, int tries, TimeBudget& budget);
void try_faults(SelftestBench& bench);

}  // namespace census
