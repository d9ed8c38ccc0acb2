// SPDX-License-Identifier: MIT
#include <census/measure_common.hpp>
#include <census/stats.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <ctime>
#include <fstream>
#include <span>

namespace census {
namespace {

std::string bits_of(float value) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto bits = std::bit_cast<std::uint32_t>(value);
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += digits[(bits >> shift) & 0xF];
  return text;
}

bool report_not_finite(const std::vector<float>& output, int copy, RowRun& run) {
  const auto bad = first_not_finite(output);
  if (!bad) return false;
  run.status = RunStatus::invalid;
  run.first_difference = bad;
  const bool nan = std::isnan(output[*bad]);
  run.reason = "output " + std::to_string(*bad) + " of copy " + std::to_string(copy) + " is " +
               (nan ? "NaN (never written, or computed so)" : "infinite") + ", bits " + bits_of(output[*bad]);
  return true;
}

bool report_difference(const std::vector<float>& output, const std::vector<float>& reference, RowRun& run) {
  run.reference_checked = true;
  run.first_difference = first_difference(output, reference);
  if (!run.first_difference) return false;
  run.status = RunStatus::incorrect;
  const std::uint64_t at = *run.first_difference;
  if (output.size() != reference.size()) {
    run.reason = "the output has " + std::to_string(output.size()) + " elements, the reference " +
                 std::to_string(reference.size());
  } else {
    run.reason = "output " + std::to_string(at) + " of copy 0 is " + bits_of(output[at]) +
                 ", the reference has " + bits_of(reference[at]);
  }
  return true;
}

}  // namespace

std::string utc_date() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text.data(), length};
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "unknown";
  return name.data();
}

std::string occasion_of(const Device& device) {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  if (boot.empty()) boot = host_name();
  return boot + "/" + device.uuid;
}

RowRun begin_run(const KernelCase& row, const Device& device, const MeasureOptions& options) {
  RowRun run;
  run.row = row.id;
  run.backend = row.backend;
  run.device = device;
  run.build = this_build();
  run.occasion = occasion_of(device);
  run.host = host_name();
  run.date = utc_date();
  run.launch_mode = options.stream_launch ? "stream" : "graph";
  run.cache_mode = options.hot ? "hot" : "cold";
  run.footprint_override = options.footprint_override;
  run.cold_bytes = row.cold_bytes;
  run.other_bytes = row.other_bytes;
  run.flops = row.flops;
  run.resident = row.resident;
  if (row.backend == Backend::cpu) run.code_digest_reason = "taken of GPU code only";
  return run;
}

Series series_of(std::vector<double> samples_us) {
  Series series;
  series.median_us = median(samples_us);
  series.q1_us = quantile(samples_us, 0.25);
  series.q3_us = quantile(samples_us, 0.75);
  series.samples_us = std::move(samples_us);
  return series;
}

PhaseClock::PhaseClock(RowRun& run)
    : run_(run), start_(std::chrono::steady_clock::now()), phase_start_(start_) {}

void PhaseClock::begin(std::string_view phase) {
  const auto now = std::chrono::steady_clock::now();
  if (!phase_.empty()) {
    run_.phases.emplace_back(phase_, std::chrono::duration<double>(now - phase_start_).count());
  }
  phase_ = phase;
  phase_start_ = now;
}

void PhaseClock::finish() {
  if (finished_) return;
  finished_ = true;
  begin("");
  run_.wall_seconds = std::chrono::duration<double>(phase_start_ - start_).count();
}

std::optional<std::uint64_t> first_not_finite(const std::vector<float>& output) {
  const auto bad = std::find_if(output.begin(), output.end(), [](float y) { return !std::isfinite(y); });
  if (bad == output.end()) return std::nullopt;
  return static_cast<std::uint64_t>(bad - output.begin());
}

std::optional<std::uint64_t> first_difference(const std::vector<float>& output,
                                              const std::vector<float>& reference) {
  const std::size_t shared = std::min(output.size(), reference.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if (std::bit_cast<std::uint32_t>(output[i]) != std::bit_cast<std::uint32_t>(reference[i])) return i;
  }
  if (output.size() == reference.size()) return std::nullopt;
  return shared;
}

bool check_outputs(Instance& instance, int copies, bool check_reference, RowRun& run) {
  const std::vector<float> first = instance.output(0);
  run.output_digest = output_digest(first);
  if (report_not_finite(first, 0, run)) return false;
  for (int copy = 1; copy < copies; ++copy) {
    if (report_not_finite(instance.output(copy), copy, run)) return false;
  }
  return !check_reference || !report_difference(first, instance.reference(0), run);
}

}  // namespace census
