// SPDX-License-Identifier: MIT
#include <census/device_hold.hpp>
#include <census/error.hpp>
#include <census/find_baseline.hpp>
#include <census/gate.hpp>
#include <census/gate_runs.hpp>
#include <census/json_io.hpp>
#include <census/quiet.hpp>
#include <census/report.hpp>
#include <census/select.hpp>
#include <census/text.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace census {
namespace {

using Clock = std::chrono::steady_clock;

// The gate ends before ctest would kill it, with room for writing the record; and no wait for a lock may eat
// the time that measuring needs: a fifth of 600 s is the design's 120 s.
constexpr double share_of_limit = 0.9;
constexpr double lock_share_of_limit = 0.2;

std::optional<std::string> variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

bool is_red(Kind kind) {
  return kind == Kind::regressed || kind == Kind::incorrect;
}

std::vector<RunFacts> facts_of(const std::vector<RowRun>& runs) {
  std::vector<RunFacts> all;
  for (const auto& run : runs) all.push_back(facts(run));
  return all;
}

Policy policy_of(const Options& options, const Device& device) {
  Policy policy = policy_for(slug(device));
  policy.strict = options.strict;
  policy.fail_on_improved = options.fail_on_improved;
  return policy;
}

/// The baseline's say about one row of a device.
struct Judge {
  BaselineMatch match;
  const BaselineRow* row = nullptr;
  Policy policy;

  [[nodiscard]] Verdict operator()(const Runs& runs) const {
    Verdict verdict = judge(runs, row, match.baseline ? &match.baseline->control : nullptr, policy);
    if (verdict.kind == Kind::no_baseline && !match.why_not.empty()) verdict.reason = match.why_not;
    verdict.notices.insert(verdict.notices.end(), match.notices.begin(), match.notices.end());
    return verdict;
  }
};

/// Looks whether the device falls idle now that our processes have ended. Every process waits for that before
/// it begins, so only the last one of a row lacks a look behind it, and only a red needs it.
void look_afterwards(Platform& platform, const Device& device, RowRun& last) {
  if (device.backend != Backend::cuda) return;
  const auto telemetry = platform.telemetry(device);
  last.utilisation_afterwards_percent = wait_until_quiet(*telemetry, telemetry->read().utilisation_percent);
  if (auto finding = still_busy_finding(device, last.utilisation_afterwards_percent))
    last.environment.push_back(std::move(*finding));
}

Verdict measure_and_judge(const Call& call, const Device& device, RowRunner& runner,
                          const Judge& judge_runs) {
  const Options& options = call.options;
  Runs runs;
  runs.first = facts_of(runner.add(options.runs));
  Verdict verdict = judge_runs(runs);
  if (!verdict.needs_confirmation) return verdict;
  // A pause lets a neighbour's burst or a clock dip pass, so that the second look is another moment.
  std::this_thread::sleep_for(std::chrono::duration<double>(options.pause_s));
  runs.confirmation = facts_of(runner.add(options.runs));
  verdict = judge_runs(runs);
  if (verdict.kind != Kind::regressed && verdict.kind != Kind::inconclusive) return verdict;
  look_afterwards(call.platform, device, runner.last());
  runs.confirmation.back() = facts(runner.last());
  return judge_runs(runs);
}

/// The device of the row: the one that was asked for, or the one that ctest gave.
std::variant<Device, NoDevice> device_of(const Call& call, const KernelCase& row) {
  std::string selector = call.options.device;
  if (selector.empty() && row.backend == Backend::cuda) {
    const auto all = call.platform.devices(row.backend, "");
    if (const auto* devices = std::get_if<std::vector<Device>>(&all))
      selector = device_from_ctest(variable, *devices);
  }
  return choose_device(call.platform, row.backend, selector);
}

void measure_row(const Call& call, const KernelCase& row, Clock::time_point start, GatedRow& gated) {
  const auto found = device_of(call, row);
  Judge judge_runs;
  if (const auto* none = std::get_if<NoDevice>(&found)) {
    gated.device.backend = row.backend;
    gated.runs = {unmeasured_run(row, gated.device, RunStatus::no_device, none->reason)};
    gated.row.verdict = judge_runs({facts_of(gated.runs), {}});
    return;
  }
  gated.device = std::get<Device>(found);
  judge_runs.policy = policy_of(call.options, gated.device);
  judge_runs.match = find_baseline(call.options.baselines, gated.device);
  if (judge_runs.match.baseline) judge_runs.row = find_row(*judge_runs.match.baseline, row.id);
  gated.row.baseline_file = judge_runs.match.file;
  gated.row.advisory = judge_runs.row != nullptr && judge_runs.row->advisory;
  Options options = call.options;
  options.lock_wait_s = std::min(options.lock_wait_s, options.time_limit_s * lock_share_of_limit);
  auto hold = hold_device(gated.device, options);
  if (const auto* holder = std::get_if<std::string>(&hold)) {
    gated.runs = {unmeasured_run(row, gated.device, RunStatus::environment, *holder)};
    gated.row.verdict = judge_runs({facts_of(gated.runs), {}});
    return;
  }
  auto& lock = std::get<DeviceLock>(hold);
  lock.make_inheritable();
  const std::chrono::duration<double> limit(options.time_limit_s * share_of_limit);
  RowRunner runner(call.options, row, gated.device, lock.descriptor(),
                   start + std::chrono::duration_cast<Clock::duration>(limit));
  gated.row.verdict = measure_and_judge(call, gated.device, runner, judge_runs);
  gated.runs = runner.runs();
}

/// The attempts of this run id before this one, and a record that says "began" until the real one replaces
/// it: a gate that is killed must not look like a row that was not selected.
std::string open_record(const Call& call, const KernelCase& row, RowVerdict& verdict) {
  const std::filesystem::path directory = call.options.results;
  std::filesystem::create_directories(directory);
  const auto roster = read_roster(directory);
  const std::string run_id = roster ? roster->run_id : "";
  if (!run_id.empty()) {
    if (const auto before = read_record(directory, {row.backend, row.id}, run_id)) {
      for (const auto& earlier : before->verdicts) {
        verdict.attempts.insert(verdict.attempts.end(), earlier.attempts.begin(), earlier.attempts.end());
        verdict.attempts.push_back(earlier.verdict);
      }
    }
  }
  RowVerdict begun = verdict;
  begun.verdict.kind = Kind::error;
  begun.verdict.reason = "the gate began this row and did not end: it was killed, or ran out of ctest's time";
  begun.verdict = after_attempts(begun.verdict, begun.attempts);
  write_atomically(record_path(directory, row.backend, row.id),
                   format_result({run_id, call.options.settings, {}, {begun}}));
  return run_id;
}

void print_row(const Call& call, const GatedRow& gated, bool with_measurements) {
  if (call.options.format != Format::text) return;
  call.out << plain(gate_heading(gated, call.options.settings)) << std::flush;
  if (with_measurements) {
    for (const auto& line : measurement_lines(gated)) write_whole(1, line);
  }
  call.out << plain(gate_sentence(gated, call)) << std::flush;
}

int gate_rows(const Call& call) {
  const auto rows = select_rows(call.census, call.options, call.options.backend);
  if (rows.empty()) throw UsageError("gate: no rows selected");
  std::vector<int> codes;
  VerdictPage page{
      "gate: " + call.census.name + " " + build_text(this_build()), call.options.settings, {}, {}, {}};
  for (const auto* row : rows) {
    const auto gated = gate_row(call, *row);
    codes.push_back(gated.code);
    page.rows.push_back(gated.row);
    print_row(call, gated, rows.size() == 1);
  }
  if (call.options.format != Format::text || !call.options.output.empty())
    answer(call, report(page, call.options.format));
  return combine_exit_codes(codes);
}

}  // namespace

Verdict after_attempts(const Verdict& verdict, const std::vector<Verdict>& earlier) {
  const auto red =
      std::find_if(earlier.begin(), earlier.end(), [](const Verdict& v) { return is_red(v.kind); });
  if (red == earlier.end() || is_red(verdict.kind)) return verdict;
  Verdict counted = verdict;
  counted.kind = red->kind;
  counted.reason = "attempt " + std::to_string(red - earlier.begin() + 1) + " of this run was " +
                   to_string(red->kind) + " (" + red->reason +
                   "), and a repetition does not undo it; this attempt: " + to_string(verdict.kind) + " (" +
                   verdict.reason + ")";
  return counted;
}

GatedRow gate_row(const Call& call, const KernelCase& row) {
  const auto start = Clock::now();
  const Waivers waivers = checked_waivers(call);
  GatedRow gated;
  gated.row.row = row.id;
  gated.row.backend = row.backend;
  std::string run_id;
  if (!call.options.results.empty()) run_id = open_record(call, row, gated.row);
  measure_row(call, row, start, gated);
  gated.row.verdict = after_attempts(gated.row.verdict, gated.row.attempts);
  gated.row.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const auto& require = call.options.require;
  const bool required = std::find(require.begin(), require.end(), row.backend) != require.end();
  apply_waivers(gated.row, waivers, slug(gated.device), call.platform.today());
  gated.code = exit_code(gated.row, policy_of(call.options, gated.device), required);
  if (!call.options.results.empty()) {
    write_atomically(record_path(call.options.results, row.backend, row.id),
                     format_result({run_id, call.options.settings, gated.runs, {gated.row}}));
  }
  return gated;
}

int gate_command(const Call& call) {
  const Options options = with_environment(call.options, variable);
  const Call here{call.platform, call.census, options, call.out};
  if (!options.begin.empty() && !options.end.empty())
    throw UsageError("gate: --begin and --end exclude each other");
  if (!options.begin.empty()) return gate_begin(here);
  if (!options.end.empty()) return gate_end(here);
  return gate_rows(here);
}

}  // namespace census
