// SPDX-License-Identifier: MIT
// The CPU's read ceiling and floors: how fast the memory that a row's weights could lie in can be read.
#pragma once

#include <census/units.hpp>

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
  /// Allocates and fills; throws std::bad_alloc.
  explicit CpuProbe(Bytes size);

  [[nodiscard]] Bytes size() const { return {lines_ * line_bytes}; }
  [[nodiscard]] const void* data() const { return words_.get(); }

  /// Tries every reading strategy on part of the buffer and keeps the fastest for what follows.
  void choose_strategy();

  /// One pass over the whole buffer.
  [[nodiscard]] TerabytesPerSecond ceiling();

  /// What a launch of a row reads and writes beside its weights.
  struct Dependence {
    std::int64_t x_values = 0;  ///< f32, read by every thread
    std::int64_t y_values = 0;  ///< f32, written once
  };
  /// One rotation of `copies` launches, each reading `cold` bytes of its own: microseconds per launch. The
  /// bytes of a launch are rounded up to cache lines, and copies * cold rounded up must fit the buffer.
  [[nodiscard]] double floor_us(Bytes cold, int copies);
  /// The same; each launch also reads x and writes y. It waits for its predecessor as every launch on a CPU
  /// does.
  [[nodiscard]] double dependent_floor_us(Bytes cold, int copies, Dependence dependence);

  static constexpr std::int64_t line_bytes = 64;

 private:
  void read(std::int64_t first_line, std::int64_t lines);
  void read_dependent(std::int64_t first_line, std::int64_t lines);
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
