// SPDX-License-Identifier: MIT
// The CPU's read ceiling and floors: how fast the memory that a row's weights could lie in can be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace census {

/// A buffer on huge pages that is read in several ways and timed. Needs AVX2. Every read sums what it reads
/// and compares the sum with the one that the contents have: a read that was skipped throws
/// std::runtime_error. Not thread-safe; uses OpenMP's threads like the kernels do.
class CpuProbe {
 public:
  /// Allocates and fills that many cache lines; throws std::bad_alloc.
  explicit CpuProbe(std::int64_t lines);

  [[nodiscard]] std::int64_t lines() const { return lines_; }
  [[nodiscard]] const void* data() const { return words_.get(); }

  /// Tries every reading strategy on part of the buffer and keeps the fastest for what follows.
  void choose_strategy();

  /// What a launch of a row reads and writes beside its weights.
  struct Dependence {
    std::int64_t x_values = 0;  ///< f32, read by every thread
    std::int64_t y_values = 0;  ///< f32, written once
  };
  void set_dependence(Dependence dependence);

  /// One launch: all threads read `lines` cache lines from `first_line`, each a contiguous part, and wait for
  /// one another. Microseconds.
  [[nodiscard]] double launch_us(std::int64_t first_line, std::int64_t lines);
  /// The same; every thread also reads x first, and writes its part of y last. It waits for its predecessor
  /// as every launch on a CPU does.
  [[nodiscard]] double dependent_launch_us(std::int64_t first_line, std::int64_t lines);

  static constexpr std::int64_t line_bytes = 64;

 private:
  void check_sum(std::uint64_t sum, std::int64_t first_line, std::int64_t lines) const;

  struct Free {
    void operator()(std::uint64_t* words) const;
  };
  std::unique_ptr<std::uint64_t[], Free> words_;
  std::int64_t lines_ = 0;
  std::size_t strategy_ = 0;
  std::vector<float> x_, y_;
};

}  // namespace census
