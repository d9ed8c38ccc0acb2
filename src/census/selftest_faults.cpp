// SPDX-License-Identifier: MIT
// Faults that each must get their own verdict.
#include <census/child.hpp>
#include <census/fault.hpp>
#include <census/json_io.hpp>
#include <census/selftest_run.hpp>
#include <census/temporary_directory.hpp>

#include <signal.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

namespace census {
namespace {

namespace fs = std::filesystem;

/// Keeps the try of a fault, whose expected verdict is known.
void keep(SelftestBench& bench, SelftestTry one, const std::string& fault, const std::string& expected) {
  one.part = "fault";
  one.fault = fault;
  one.expected = expected;
  bench.keep({std::move(one)});
}

/// The cold row of the fewest bytes: faults that do not depend on size are found fastest there.
const KernelCase* smallest_row(const SelftestBench& bench) {
  const KernelCase* smallest = nullptr;
  for (const auto* row : bench.rows) {
    if (!row->resident && (smallest == nullptr || row->cold_bytes < smallest->cold_bytes)) smallest = row;
  }
  return smallest;
}

/// The largest row that the cache holds with room to spare: read from there it must exceed the memory's peak.
const KernelCase* largest_cached_row(const SelftestBench& bench) {
  const KernelCase* largest = nullptr;
  for (const auto* row : bench.rows) {
    const bool fits = row->cold_bytes.value < bench.device.last_level_cache.value / 4 * 3;
    if (!row->resident && fits && (largest == nullptr || largest->cold_bytes < row->cold_bytes))
      largest = row;
  }
  return largest;
}

void try_broken_row(SelftestBench& bench, const KernelCase& row, const std::string& fault, Kind expected) {
  Options options = bench.options;
  options.fault = fault;
  keep(bench, gate_try(bench, options, row), fault, to_string(expected));
}

/// The gate with a baseline that was changed first.
void try_baseline(SelftestBench& bench, const KernelCase& row, const std::string& fault,
                  const std::function<void(Baseline&)>& change) {
  const TemporaryDirectory directory;
  Baseline baseline = bench.baseline;
  change(baseline);
  write_atomically(directory.file(baseline.slug + ".json"), format_baseline(baseline));
  Options options = bench.options;
  options.baselines = directory.file("").string();
  keep(bench, gate_try(bench, options, row), fault, to_string(Kind::no_baseline));
}

/// The report of a run whose baseline has a row that the census lacks.
void try_removed(SelftestBench& bench, const KernelCase& row) {
  const TemporaryDirectory directory;
  Baseline baseline = bench.baseline;
  baseline.rows.push_back(*find_row(baseline, row.id));
  baseline.rows.back().id = "zzz.removed";
  baseline.rows.back().aliases.clear();
  fs::create_directory(directory.file("baselines"));
  write_atomically(directory.file("baselines") / (baseline.slug + ".json"), format_baseline(baseline));
  Options options = bench.options;
  options.baselines = directory.file("baselines").string();
  options.results = options.begin = options.end = directory.file("results").string();
  options.strict = true;
  std::ostringstream page;
  const Call call{bench.call.platform, bench.call.census, options, page};
  gate_begin(call);
  SelftestTry one = gate_try(bench, options, row);
  page.str("");
  const int code = gate_end(call);
  const bool named = page.str().find("zzz.removed") != std::string::npos;
  one.verdict = code == 3 && named ? to_string(Kind::removed) : "exit " + std::to_string(code);
  one.reason = "report of a baseline with the row zzz.removed, --strict";
  keep(bench, std::move(one), "removed row", to_string(Kind::removed));
}

/// Numbers that a person and CDash read must not depend on the locale, here or in the measuring processes.
void try_comma_locale(SelftestBench& bench, const KernelCase& row) {
  Options options = bench.options;
  options.fault = comma_locale_fault;
  SelftestTry one;
  std::string inside;
  {
    const CommaLocale comma;
    one = gate_try(bench, options, row);
    inside = json_report(Selftest{{{.id = "locale", .tries = {one}}}});
  }
  if (inside != json_report(Selftest{{{.id = "locale", .tries = {one}}}})) {
    one.verdict = "changed numbers";
    one.reason = "the record differs under a locale with a decimal comma";
  }
  keep(bench, std::move(one), comma_locale_fault, to_string(Kind::pass));
}

/// Another process that keeps the device busy. A shell and `timeout` stand between it and us, so that it is
/// no relative of the measuring processes; it ends with this object, and by itself after `most_seconds`.
class CoTenant {
 public:
  CoTenant(const Device& device, const KernelCase& row) {
    const std::string self = fs::canonical("/proc/self/exe").string();
    const std::string script =
        "CENSUS_LOCK_DIR=\"$1/locks\" timeout " + std::to_string(most_seconds) +
        " \"$2\" measure --no-reference --reps 100000 --device \"$3\" --backend \"$4\" --row "
        "\"$5\" -o \"$1/record\" & echo $! > \"$1/pid\"; wait";
    const std::vector<std::string> words = {
        "-c",  script, "co-tenant", directory_.file("").string(), self, device.uuid, to_string(row.backend),
        row.id};
    shell_ = std::thread([words] {
      static_cast<void>(run_program("/bin/sh", words, std::chrono::seconds(2 * most_seconds)));
    });
    // It must be launching before the row's first process looks at the device: context, data and warm-up take
    // about 2 s.
    std::this_thread::sleep_for(std::chrono::seconds(4));
  }
  CoTenant(const CoTenant&) = delete;
  CoTenant& operator=(const CoTenant&) = delete;
  ~CoTenant() {
    pid_t pid = 0;
    std::ifstream(directory_.file("pid")) >> pid;
    if (pid > 0) kill(pid, SIGTERM);
    shell_.join();
  }

 private:
  static constexpr int most_seconds = 90;
  TemporaryDirectory directory_;
  std::thread shell_;
};

void try_co_tenant(SelftestBench& bench, const KernelCase& row) {
  const CoTenant tenant(bench.device, row);
  keep(bench, gate_try(bench, bench.options, row), "co-tenant", to_string(Kind::environment));
}

}  // namespace

void try_faults(SelftestBench& bench) {
  const KernelCase* small = smallest_row(bench);
  if (small == nullptr) return;
  try_broken_row(bench, *small, "flip-output", Kind::incorrect);
  try_broken_row(bench, *small, "nan", Kind::invalid);
  try_broken_row(bench, *small, "kill", Kind::error);
  try_baseline(bench, *small, "wrong device key", [](Baseline& baseline) { ++baseline.device.sm_count; });
  try_baseline(bench, *small, "row missing in the baseline", [&](Baseline& baseline) {
    std::erase_if(baseline.rows,
                  [&](const BaselineRow& row) { return row.id == find_row(bench.baseline, small->id)->id; });
  });
  try_removed(bench, *small);
  try_comma_locale(bench, *small);
  // The CPU's own cliff rule is too generous for these two: a cache at twice the ceiling, a neighbour at half
  // of it.
  if (bench.device.backend == Backend::cpu) return;
  const KernelCase* cached = largest_cached_row(bench);
  if (cached == nullptr) return;
  try_broken_row(bench, *cached, "one-buffer", Kind::invalid);
  try_co_tenant(bench, *cached);
}

}  // namespace census
