// SPDX-License-Identifier: MIT
#include <census/probe_cpu.hpp>

#include <omp.h>
#include <sys/mman.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <new>
#include <numeric>
#include <stdexcept>

namespace census {
namespace {

constexpr std::int64_t words_per_line = CpuProbe::line_bytes / 8;
/// Part of the buffer that a strategy is tried on: about 10 ms of reading, more than the cache of the threads
/// in most cases.
constexpr std::int64_t trial_lines = (256LL << 20) / CpuProbe::line_bytes;
constexpr std::size_t huge_page_bytes = 2U << 20;

/// Sum of the words of `lines` cache lines.
using ReadFunction = std::uint64_t (*)(const std::uint64_t* words, std::int64_t lines);

#if defined(__x86_64__)

__attribute__((target("avx2"))) inline __m256i add_line(const std::uint64_t* words, __m256i sum) {
  const auto* halves = reinterpret_cast<const __m256i*>(words);
  return _mm256_add_epi64(sum, _mm256_add_epi64(_mm256_loadu_si256(halves), _mm256_loadu_si256(halves + 1)));
}

/// Reads `streams` parts side by side, each with a software prefetch `ahead` lines before the load (0: none).
/// Several streams keep more requests under way than the prefetcher of one; which number is best differs from
/// core to core.
template <int streams, int ahead>
__attribute__((target("avx2"))) std::uint64_t read_streams(const std::uint64_t* words, std::int64_t lines) {
  const std::int64_t part = lines / streams;
  __m256i sums[streams];
  for (__m256i& sum : sums) sum = _mm256_setzero_si256();
  for (std::int64_t line = 0; line < part; ++line) {
    for (int s = 0; s < streams; ++s) {
      const std::uint64_t* here = words + (s * part + line) * words_per_line;
      if constexpr (ahead > 0)
        _mm_prefetch(reinterpret_cast<const char*>(here + ahead * words_per_line), _MM_HINT_T0);
      sums[s] = add_line(here, sums[s]);
    }
  }
  for (std::int64_t line = streams * part; line < lines; ++line)
    sums[0] = add_line(words + line * words_per_line, sums[0]);
  std::array<std::uint64_t, 4> lanes{};
  std::uint64_t total = 0;
  for (const __m256i& sum : sums) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes.data()), sum);
    total += std::accumulate(lanes.begin(), lanes.end(), std::uint64_t{0});
  }
  return total;
}

constexpr std::array<ReadFunction, 5> strategies{read_streams<1, 0>, read_streams<1, 64>, read_streams<4, 0>,
                                                 read_streams<4, 16>, read_streams<16, 0>};

#else  // other processors: rows are checked, not timed; this only keeps the library whole

std::uint64_t read_plain(const std::uint64_t* words, std::int64_t lines) {
  return std::accumulate(words, words + lines * words_per_line, std::uint64_t{0});
}
constexpr std::array<ReadFunction, 1> strategies{read_plain};

#endif

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// A thread's part of `count` things: contiguous, as the kernels divide their rows.
struct Part {
  std::int64_t begin = 0, end = 0;
};
Part part_of(std::int64_t count) {
  const std::int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
  return {count * thread / threads, count * (thread + 1) / threads};
}

}  // namespace

void CpuProbe::Free::operator()(std::uint64_t* words) const {
  std::free(words);
}

CpuProbe::CpuProbe(std::int64_t lines) : lines_(std::max<std::int64_t>(lines, 1)) {
  const std::size_t bytes = static_cast<std::size_t>(lines_ * line_bytes);
  const std::size_t rounded = (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
  words_.reset(static_cast<std::uint64_t*>(std::aligned_alloc(huge_page_bytes, rounded)));
  if (!words_) throw std::bad_alloc();
  madvise(words_.get(), rounded, MADV_HUGEPAGE);  // only advice: the kernels' weights get what this gets
  std::uint64_t* words = words_.get();
#pragma omp parallel
  {
    // Each word its own index: no two pages are equal, so that a hypervisor cannot merge them into one.
    const Part part = part_of(lines_ * words_per_line);
    for (std::int64_t i = part.begin; i < part.end; ++i) words[i] = static_cast<std::uint64_t>(i);
  }
}

void CpuProbe::check_sum(std::uint64_t sum, std::int64_t first_line, std::int64_t lines) const {
  // Sum of n consecutive numbers from a: n * a + n * (n - 1) / 2, modulo 2^64. n is a multiple of 8, hence n
  // / 2 is whole.
  const auto a = static_cast<std::uint64_t>(first_line * words_per_line);
  const auto n = static_cast<std::uint64_t>(lines * words_per_line);
  if (sum != n * a + n / 2 * (n - 1)) {
    throw std::runtime_error("the read probe did not read what it timed: the sum of " +
                             std::to_string(lines) + " cache lines from " + std::to_string(first_line) +
                             " is wrong");
  }
}

double CpuProbe::launch_us(std::int64_t first_line, std::int64_t lines) {
  const ReadFunction function = strategies[strategy_];
  const std::uint64_t* words = words_.get() + first_line * words_per_line;
  std::uint64_t sum = 0;
  const auto start = Clock::now();
#pragma omp parallel reduction(+ : sum)
  {
    const Part part = part_of(lines);
    sum += function(words + part.begin * words_per_line, part.end - part.begin);
  }
  const double us = us_since(start);
  check_sum(sum, first_line, lines);
  return us;
}

double CpuProbe::dependent_launch_us(std::int64_t first_line, std::int64_t lines) {
  const ReadFunction function = strategies[strategy_];
  const std::uint64_t* words = words_.get() + first_line * words_per_line;
  std::uint64_t sum = 0;
  const auto start = Clock::now();
#pragma omp parallel reduction(+ : sum)
  {
    const float x = std::accumulate(x_.begin(), x_.end(), 0.0f);
    const Part part = part_of(lines);
    sum += function(words + part.begin * words_per_line, part.end - part.begin);
    const Part outputs = part_of(static_cast<std::int64_t>(y_.size()));
    std::fill(y_.begin() + outputs.begin, y_.begin() + outputs.end, x + static_cast<float>(sum));
  }
  const double us = us_since(start);
  check_sum(sum, first_line, lines);
  return us;
}

void CpuProbe::choose_strategy() {
  const std::int64_t lines = std::min(lines_, trial_lines);
  std::array<double, strategies.size()> best_us{};
  std::size_t fastest = 0;
  // Twice, the second time over another part where there is one: a strategy must not profit from its
  // predecessor's lines.
  for (int round = 0; round < 2; ++round) {
    for (strategy_ = 0; strategy_ < strategies.size(); ++strategy_) {
      const std::int64_t first = static_cast<std::int64_t>(strategy_ + round) % 4 * ((lines_ - lines) / 4);
      const double us = launch_us(first, lines);
      double& best = best_us[strategy_];
      if (round == 0 || us < best) best = us;
      if (best < best_us[fastest]) fastest = strategy_;
    }
  }
  strategy_ = fastest;
}

void CpuProbe::set_dependence(Dependence dependence) {
  x_.assign(static_cast<std::size_t>(dependence.x_values), 1.0f);
  y_.assign(static_cast<std::size_t>(dependence.y_values), 0.0f);
}

}  // namespace census
