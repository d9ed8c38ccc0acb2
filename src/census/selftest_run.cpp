// SPDX-License-Identifier: MIT
#include <census/ab_run.hpp>
#include <census/selftest_run.hpp>
#include <census/stats.hpp>

#include <algorithm>

namespace census {
namespace {

std::vector<const KernelCase*> large_rows(const SelftestBench& bench) {
  std::vector<const KernelCase*> rows;
  std::copy_if(bench.rows.begin(), bench.rows.end(), std::back_inserter(rows), [](const KernelCase* row) {
    return !row->resident && row->cold_bytes.value >= planted_from_bytes;
  });
  return rows;
}

std::optional<double> achieved(const std::vector<RowRun>& runs) {
  std::vector<double> percents;
  for (const auto& run : runs) {
    if (run.plant) percents.push_back(run.plant->achieved_percent);
  }
  if (percents.empty()) return std::nullopt;
  return median(percents);
}

/// Text of --plant for these rows.
std::string plant_text(const std::vector<const KernelCase*>& rows, double percent) {
  std::string text;
  for (const auto* row : rows) text += (text.empty() ? "" : ",") + plant_text(row->backend, row->id, percent);
  return text;
}

SelftestTry ab_try(const AbReport& report, const AbRow& row, const std::string& part, int unit) {
  SelftestTry one{.part = part, .unit = unit, .row = row.row, .backend = row.backend};
  one.verdict = to_string(row.kind);
  one.reason = row.reason;
  one.shift_percent = row.shift_percent;
  one.achieved_percent = row.planted_percent;
  one.seconds = report.wall_seconds / static_cast<double>(report.rows.size());
  return one;
}

/// One run of this executable against itself.
AbReport run_against_itself(const SelftestBench& bench, const std::vector<const KernelCase*>& rows,
                            double percent) {
  Options options = bench.options;
  options.base = options.head = "/proc/self/exe";
  // Else hardly a row would be tried: the error rate sought is that of a row whose code did change.
  options.ignore_code = true;
  options.rows.clear();
  for (const auto* row : rows) options.rows.push_back(row->id);
  if (percent > 0) options.plant_text = plant_text(rows, percent);
  return run_ab({bench.call.platform, bench.call.census, options, bench.call.out});
}

}  // namespace

SelftestTry gate_try(SelftestBench& bench, const Options& options, const KernelCase& row) {
  const GatedRow gated = gate_row({bench.call.platform, bench.call.census, options, bench.call.out}, row);
  const Verdict& verdict = gated.row.verdict;
  SelftestTry one{
      .row = row.id, .backend = row.backend, .verdict = to_string(verdict.kind), .reason = verdict.reason};
  one.achieved_percent = achieved(gated.runs);
  for (const auto& run : gated.runs) {
    if (!run.plant) continue;
    bench.plant_bytes[plant_text(row.backend, row.id, run.plant->requested_percent)] =
        run.plant->bytes_per_launch;
  }
  if (verdict.ratio) one.shift_percent = 100 * (*verdict.ratio - 1);
  for (const auto& run : gated.runs) {
    if (run.status == RunStatus::measured) one.run_us.push_back(run.row_series.median_us);
    if (run.status == RunStatus::measured && run.ceiling_tbs) one.ceiling_tbs.push_back(*run.ceiling_tbs);
    for (const auto& finding : run.environment) {
      if (std::find(one.findings.begin(), one.findings.end(), finding) == one.findings.end())
        one.findings.push_back(finding);
    }
  }
  one.first_runs = std::min(options.runs, static_cast<int>(one.run_us.size()));
  one.baseline_us = verdict.baseline_us;
  one.tolerance_percent = verdict.tolerance_percent;
  one.mde_percent = verdict.mde_percent;
  one.bound_percent = verdict.bound_percent;
  if (bench.baseline.control.ceiling_tbs > 0) one.baseline_ceiling_tbs = bench.baseline.control.ceiling_tbs;
  one.cold_bytes = row.cold_bytes.value;
  one.resident = row.resident;
  one.seconds = gated.row.wall_seconds;
  return one;
}

TimeBudget::TimeBudget(double minutes) : limit_s_(minutes * 60) {}

bool TimeBudget::allows() const {
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start_;
  return limit_s_ == 0 || gone.count() + longest_s_ <= limit_s_;
}

void TimeBudget::spend(const std::function<void()>& work) {
  const auto before = std::chrono::steady_clock::now();
  work();
  longest_s_ =
      std::max(longest_s_, std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
}

TimeBudget TimeBudget::afresh() const {
  TimeBudget other = *this;
  other.longest_s_ = 0;
  return other;
}

void try_equal(SelftestBench& bench, int calls, TimeBudget& budget) {
  for (int call = 0; call < calls && budget.allows(); ++call) {
    budget.spend([&] {
      std::vector<SelftestTry> tries;
      for (const auto* row : bench.rows) {
        tries.push_back(gate_try(bench, bench.options, *row));
        tries.back().part = "aa";
        tries.back().unit = call;
      }
      bench.keep(std::move(tries));
    });
  }
}

void try_planted(SelftestBench& bench, double percent, int tries, TimeBudget& budget) {
  const auto rows = large_rows(bench);
  if (rows.empty()) return;
  for (int i = 0; i < tries && budget.allows(); ++i) {
    const auto& row = *rows[static_cast<std::size_t>(i) % rows.size()];
    budget.spend([&] {
      Options options = bench.options;
      const std::int64_t bytes = bench.plant_bytes[plant_text(row.backend, row.id, percent)];
      options.plants = parse_plants(plant_text(row.backend, row.id, percent, bytes));
      SelftestTry one = gate_try(bench, options, row);
      one.part = "plant";
      one.unit = i / static_cast<int>(rows.size());
      one.requested_percent = percent;
      bench.keep({std::move(one)});
    });
  }
}

void try_ab_equal(SelftestBench& bench, int runs, TimeBudget& budget) {
  for (int unit = 0; unit < runs && budget.allows(); ++unit) {
    budget.spend([&] {
      const AbReport report = run_against_itself(bench, bench.rows, 0);
      std::vector<SelftestTry> tries;
      for (const auto& row : report.rows) tries.push_back(ab_try(report, row, "ab", unit));
      bench.keep(std::move(tries));
    });
  }
}

void try_ab_planted(SelftestBench& bench, double percent, int tries, TimeBudget& budget) {
  auto rows = large_rows(bench);
  for (int unit = 0, left = tries; left > 0 && !rows.empty() && budget.allows(); ++unit) {
    budget.spend([&] {
      rows.resize(std::min(rows.size(), static_cast<std::size_t>(left)));
      left -= static_cast<int>(rows.size());
      const AbReport report = run_against_itself(bench, rows, percent);
      std::vector<SelftestTry> done;
      for (const auto& row : report.rows) {
        done.push_back(ab_try(report, row, "ab_plant", unit));
        done.back().requested_percent = percent;
      }
      bench.keep(std::move(done));
    });
  }
}

}  // namespace census
