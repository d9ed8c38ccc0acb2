// SPDX-License-Identifier: MIT
// The record of one run (one fresh process measuring one row) and of a gate's verdict on a row. Plain data.
#pragma once

#include <census/build.hpp>
#include <census/device.hpp>
#include <census/judge.hpp>
#include <census/telemetry.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace census {

/// Raised by one whenever a field of the result file changes its meaning; a reader refuses other numbers.
inline constexpr int result_schema_version = 1;

enum class RunStatus { measured, checked_only, incorrect, invalid, environment, no_device, error };
[[nodiscard]] const char* to_string(RunStatus status);
[[nodiscard]] std::optional<RunStatus> run_status_from(const std::string& text);

/// One kernel that a launch really ran, read back from the captured graph.
struct LaunchedKernel {
  std::string name;
  int grid[3] = {1, 1, 1};
  int block[3] = {1, 1, 1};
  int cluster[3] = {1, 1, 1};
  int registers = 0;
  int static_shared_bytes = 0;
  int dynamic_shared_bytes = 0;
  int spill_bytes = 0;                     ///< local memory per thread
  int blocks_per_sm = 0;                   ///< occupancy
  double per_launch = 1;                   ///< how often one launch of the row runs it
  std::string attributes;                  ///< of its launches, those that are not the default: "edge 1.0.1"
  std::optional<std::string> code_sha256;  ///< of its machine code, see kernel_code.hpp
  std::string code_reason;                 ///< why that is null
};

/// Times of one interleaved series (row, ceiling or floor): per-launch microseconds, one value a sample.
struct Series {
  std::vector<double> samples_us;
  double median_us = 0, q1_us = 0, q3_us = 0;
};

/// Another implementation of the row, measured beside it in the same run.
struct PeerRun {
  std::string name;              ///< "cuBLAS", "arm plain"
  std::string call;              ///< "cublasGemmEx of cuBLAS 13.0.2, bf16 -> f32"
  std::optional<Series> series;  ///< cold, in a graph, as the row's own; null: see reason
  std::string reason;
  std::vector<LaunchedKernel> kernels;  ///< of an arm
};

struct Plant {
  double requested_percent = 0;
  double achieved_percent = 0;
  std::int64_t bytes_per_launch = 0;
};

/// One fresh process's measurement of one row. `status` says which of the fields below are set.
struct RowRun {
  std::string row;
  Backend backend = Backend::cuda;
  RunStatus status = RunStatus::error;
  std::string reason;  ///< why not measured; "" when measured
  Device device;
  Build build;

  std::string occasion;  ///< "<boot id>/<device uuid>": runs that share it share its bias
  std::string host;
  std::string date;         ///< UTC, "2026-12-01T10:00:00Z", of the start
  double wall_seconds = 0;  ///< of this row in this process, set-up included
  /// Where wall_seconds went, in order: {"make", s}, {"check", s}, {"warm", s}, {"time", s}.
  std::vector<std::pair<std::string, double>> phases;

  std::string launch_mode = "graph";  ///< "graph" or "stream"
  std::string cache_mode = "cold";    ///< "cold" or "hot"
  std::optional<Bytes> footprint_override;
  int copies = 0;
  Bytes cold_bytes, other_bytes;
  double flops = 0;
  bool resident = false;
  std::vector<std::string> notices;

  Series row_series;  ///< the row itself
  std::optional<Series> floor, dependent_floor;
  std::optional<double> ceiling_tbs;  ///< median over the interleaved probe samples
  int probe_version = 0;
  int launches_per_replay = 0, replays_per_sample = 0;

  std::string arm;
  std::optional<std::string> code_digest;  ///< see code_digest.hpp
  std::string code_digest_reason;          ///< why it is null
  std::vector<LaunchedKernel> kernels;
  std::string output_digest;                      ///< 16 hex digits, "" before it is known
  bool reference_checked = false;                 ///< false: only the digest was computed
  std::optional<std::uint64_t> first_difference;  ///< index of the first wrong element

  Snapshot before, during, after;
  Reading<double> utilisation_afterwards_percent;  ///< once our own work no longer showed; unsupported where
                                                   ///< nobody looked
  std::optional<double> slow_samples_percent;      ///< samples of the row above 1.25 x its fastest
  std::optional<double>
      slow_probe_samples_percent;  ///< the same of the ceiling and the floors, each against its own fastest
  std::vector<std::string> environment;  ///< findings, see environment_findings
  std::optional<Plant> plant;
  std::vector<PeerRun> peers;  ///< with --peers
  std::string fault;           ///< planted on purpose, see fault.hpp; "" = none
};

/// Bandwidth of the run's median over the row's cold bytes; nullopt for resident and unmeasured rows.
[[nodiscard]] std::optional<double> achieved_tbs(const RowRun& run);

/// One entry of waivers.json: who lets which row's regression pass, why, and for how long.
struct Waiver {
  std::string row;     ///< glob over row ids
  std::string device;  ///< slug of a baseline; "" = every device
  std::string owner, reason;
  std::string date, until;  ///< days, "2027-01-15"; the last day is `until`
};

/// What a gate decided about a row, with everything a reader needs to believe it.
struct RowVerdict {
  std::string row;
  Backend backend = Backend::cuda;
  Verdict verdict;
  std::vector<Verdict> attempts;  ///< earlier verdicts of the same run id, oldest first (ctest --repeat)
  bool advisory = false;
  double wall_seconds = 0;
  std::string baseline_file;
  std::optional<Waiver> waiver;  ///< lets this verdict, `regressed`, pass
};

/// Exit code of a row's verdict, its waiver and advisory flag included; see exit_code() of judge.hpp.
[[nodiscard]] int exit_code(const RowVerdict& row, const Policy& policy, bool required);

/// What a file of kind "result" holds: the runs, and the verdicts where a gate wrote it.
struct ResultFile {
  std::string run_id;                 ///< "" outside of a ctest run
  std::vector<std::string> settings;  ///< "CENSUS_PLANT=..." and options in force, as given
  std::vector<RowRun> runs;
  std::vector<RowVerdict> verdicts;
};

/// The facts of a run that judge() needs.
[[nodiscard]] RunFacts facts(const RowRun& run);

/// The key and the soft fields that a baseline of this device has. Every CPU gives the generic one.
[[nodiscard]] BaselineDevice baseline_device(const Device& device);

}  // namespace census
