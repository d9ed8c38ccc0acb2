// SPDX-License-Identifier: MIT
// Records for tests: plausible runs of an H200 and of a CPU, and baseline rows, each from the few numbers a
// test is about.
#pragma once

#include <census/baseline.hpp>
#include <census/device.hpp>
#include <census/judge.hpp>
#include <census/result.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace census::samples {

/// What every sample run's output hashes to, and every sample baseline row expects.
inline constexpr const char* digest = "0123456789abcdef";
/// 40 MB: at 10 us a row reads 4 TB/s.
inline constexpr std::int64_t cold_bytes = 40'000'000;
inline constexpr double ceiling_tbs = 4.4;

inline BaselineDevice h200_key() {
  return {.name = "NVIDIA H200",
          .pci_device_id = 0x233510de,
          .sm_count = 132,
          .memory_bytes = 150'118'334'464,
          .bus_width_bits = 6016,
          .mig_profile = "",
          .ecc = true,
          .power_cap_percent = 100.0,
          .driver_branch = "580"};
}

/// Peak 2 x 3201 MHz x 6016 bit / 8 = 4.81 TB/s.
inline Device h200() {
  Device device;
  device.uuid = "GPU-00000000-0000-0000-0000-000000000001";
  device.name = "NVIDIA H200";
  device.pci_device_id = 0x233510de;
  device.sm_count = 132;
  device.memory = {150'118'334'464};
  device.bus_width_bits = 6016;
  device.ecc = Reading<bool>::of(true);
  device.power_cap_percent = Reading<double>::of(100.0);
  device.driver = "580.159.03";
  device.runtime = "13.0";
  device.capability = 90;
  device.memory_clock_mhz = 3201;
  device.last_level_cache = {60 << 20};
  device.shared_memory_per_sm_bytes = 233'472;
  device.max_threads_per_sm = 2048;
  return device;
}

inline Device cpu() {
  Device device;
  device.backend = Backend::cpu;
  device.uuid = "host-a";
  device.name = "Some CPU";
  device.sm_count = 2;
  device.memory = {8LL << 30};
  device.capability = 1;
  device.last_level_cache = {32 << 20};
  return device;
}

/// A control as three occasions left it, ceiling 4.4 TB/s.
inline Control control() {
  Control made{.probe_version = 1, .ceiling_tbs = ceiling_tbs, .spread_occasion = 0.005, .tolerance = 0.03};
  for (const char* id : {"boot-1", "boot-2", "boot-3"}) {
    made.occasions.push_back({.id = id, .date = "2026-12-01", .host = "host-a", .ceiling_tbs = ceiling_tbs});
  }
  return made;
}

/// A row of three equal occasions of three equal runs.
inline BaselineRow baseline_row(const std::string& id, double us) {
  BaselineRow row{.id = id, .us = us, .tbs = static_cast<double>(cold_bytes) / us * 1e-6, .runs = 9};
  row.spread_run = 0.002;
  row.spread_occasion = 0.005;
  row.output_digest = digest;
  row.arm = "plain";
  row.registers = 40;
  row.shared_bytes = 1024;
  row.commit = std::string(40, 'a');
  row.date = "2026-12-01";
  row.reason = "first measured";
  for (const char* boot : {"boot-1", "boot-2", "boot-3"}) {
    row.occasions.push_back({.id = boot,
                             .us = us,
                             .date = "2026-12-01",
                             .host = "host-a",
                             .uuid = h200().uuid,
                             .driver = "580.159.03",
                             .run_us = {us, us, us},
                             .ceiling_tbs = ceiling_tbs});
  }
  return row;
}

inline Baseline baseline(std::vector<BaselineRow> rows) {
  return {.slug = "nvidia-h200", .device = h200_key(), .control = control(), .rows = std::move(rows)};
}

/// A sound run on the H200 whose samples are all `us`, in the occasion "boot-1".
inline RowRun run(const std::string& row, double us, const std::string& occasion = "boot-1") {
  RowRun made;
  made.row = row;
  made.status = RunStatus::measured;
  made.device = h200();
  made.build = {.version = "0.1.0",
                .commit = std::string(40, 'a'),
                .compiler = "GNU 12.2.0",
                .cuda = "13.0.88",
                .type = "Release"};
  made.occasion = occasion;
  made.host = "host-a";
  made.date = "2026-12-01T10:00:00Z";
  made.copies = 27;
  made.cold_bytes = {cold_bytes};
  made.other_bytes = {30'000};
  made.flops = 4e7;
  made.row_series = {.samples_us = std::vector<double>(20, us), .median_us = us, .q1_us = us, .q3_us = us};
  made.ceiling_tbs = ceiling_tbs;
  made.probe_version = 1;
  made.launches_per_replay = 27;
  made.replays_per_sample = 40;  // 1 ms of a row of 1 us
  made.arm = "plain";
  made.kernels = {{.name = "bf16_gemv", .registers = 40, .static_shared_bytes = 1024, .blocks_per_sm = 6}};
  made.output_digest = digest;
  made.reference_checked = true;
  return made;
}

/// A sound CPU run at `fraction` of a ceiling of 0.04 TB/s.
inline RowRun cpu_run(const std::string& row, double fraction, const std::string& occasion = "boot-1") {
  RowRun made = run(row, static_cast<double>(cold_bytes) / (fraction * 0.04) * 1e-6, occasion);
  made.backend = Backend::cpu;
  made.device = cpu();
  made.ceiling_tbs = 0.04;
  made.arm = "avx2";
  made.kernels.clear();
  return made;
}

/// A row that its predecessor leaves in the cache: no bandwidth, no cold bytes.
inline RowRun resident(RowRun made) {
  made.resident = true;
  made.cold_bytes = {};
  return made;
}

/// The facts of one run per value, as an H200 would give them for a row of 40 MB.
inline std::vector<RunFacts> run_facts(const std::vector<double>& us) {
  std::vector<RunFacts> made;
  std::transform(us.begin(), us.end(), std::back_inserter(made), [](double value) {
    RunFacts one;
    one.us = value;
    one.tbs = static_cast<double>(cold_bytes) / value * 1e-6;
    one.ceiling_tbs = ceiling_tbs;
    one.probe_version = 1;
    one.peak_tbs = 4.81;
    one.output_digest = digest;
    return one;
  });
  return made;
}

}  // namespace census::samples
