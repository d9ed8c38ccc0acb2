// SPDX-License-Identifier: MIT
// selftest: how often the gates err on this device, and what faults get. Its file adds up with those of other
// occasions.
#include <census/ab_run.hpp>
#include <census/device_hold.hpp>
#include <census/error.hpp>
#include <census/json_io.hpp>
#include <census/measure_common.hpp>
#include <census/report.hpp>
#include <census/select.hpp>
#include <census/selftest_run.hpp>
#include <census/text.hpp>

#include <unistd.h>

#include <iostream>

namespace census {
namespace {

int merge_files(const Call& call) {
  if (call.options.arguments.empty()) throw UsageError("selftest --merge: name the files to add up");
  std::vector<Selftest> parts;
  for (const auto& file : call.options.arguments) parts.push_back(parse_selftest(read_text(file), file));
  const Selftest all = merge(parts);
  answer(call, report_for_ctest(all, call.options.format));
  return exit_code(all);
}

void sign(SelftestSession& session, const Call& call) {
  const Build build = this_build();
  session.census = call.census.name;
  session.commit = build.commit;
  session.dirty = build.dirty;
}

int leave_one_out_of_file(const Call& call) {
  const Options& options = call.options;
  if (options.arguments.size() != 1) throw UsageError("selftest --leave-one-out: name one baseline file");
  const std::string& file = options.arguments[0];
  Baseline baseline = read_baseline(file);
  std::erase_if(baseline.rows, [&](const BaselineRow& row) {
    return !is_selected(call.census, options, backend_of(baseline), row.id);
  });
  Selftest selftest{{leave_one_out(baseline, options.plant_percents)}};
  if (selftest.sessions[0].tries.empty()) {
    throw UsageError("selftest --leave-one-out: " + file +
                     " has no selected row with three machine starts that is judged by time; measure on more "
                     "starts, then refresh");
  }
  sign(selftest.sessions[0], call);
  if (!options.output.empty()) write_atomically(options.output, json_report(selftest));
  call.out << report_for_ctest(selftest, options.format) << std::flush;
  return exit_code(selftest);
}

SelftestSession begin_session(const Call& call, const Device& device) {
  SelftestSession session{.occasion = occasion_of(device), .host = host_name(), .date = utc_date()};
  session.id = session.occasion + "/" + session.date + "/" + std::to_string(getpid());
  session.device = device;
  sign(session, call);
  return session;
}

/// The selected rows that have a baseline; each of the others would be no_baseline in every try.
std::vector<const KernelCase*> rows_with_baseline(const Call& call, Backend backend,
                                                  const Baseline& baseline) {
  auto rows = select_rows(call.census, call.options, backend);
  std::erase_if(rows, [&](const KernelCase* row) { return find_row(baseline, row->id) == nullptr; });
  if (rows.empty()) throw UsageError("selftest: none of the selected rows has a baseline; see --baselines");
  return rows;
}

void run_parts(const Options& options, SelftestBench& bench) {
  TimeBudget whole(options.minutes);
  if (options.faults) whole.spend([&] { try_faults(bench); });
  // Each part learns for itself how long its pieces take; all end by the same time.
  const auto part = [&](const auto& tried) {
    TimeBudget budget = whole.afresh();
    tried(budget);
  };
  for (const double percent : options.plant_percents)
    part([&](TimeBudget& budget) { try_planted(bench, percent, options.plant_tries, budget); });
  for (const double percent : options.ab_percents)
    part([&](TimeBudget& budget) { try_ab_planted(bench, percent, options.ab_tries, budget); });
  part([&](TimeBudget& budget) { try_ab_equal(bench, options.ab_runs, budget); });
  part([&](TimeBudget& budget) { try_equal(bench, options.aa_calls, budget); });
}

int run_session(const Call& call) {
  const Backend backend = choose_backend(call);
  const auto found = choose_device(call.platform, backend, call.options.device);
  if (const auto* none = std::get_if<NoDevice>(&found)) throw NotMeasured(none->reason);
  const auto& device = std::get<Device>(found);
  const BaselineMatch match = find_baseline(call.options.baselines, device);
  if (!match.baseline) throw UsageError("selftest: no baseline to judge by: " + match.why_not);
  auto hold = hold_device(device, call.options);
  if (const auto* holder = std::get_if<std::string>(&hold)) throw NotMeasured(*holder);
  auto& lock = std::get<DeviceLock>(hold);
  lock.make_inheritable();
  Selftest selftest{{begin_session(call, device)}};
  Options options = call.options;
  options.lock_fd = lock.descriptor();
  options.device = device.uuid;
  options.backend = backend;
  options.output.clear();  // is the record of this session, not of what it calls
  options.format = Format::text;
  const auto keep = [&](std::vector<SelftestTry> tries) {
    auto& kept = selftest.sessions[0].tries;
    for (auto& one : tries) {
      std::cerr << one.part << " " << (one.fault.empty() ? one.row : one.fault) << ": " << one.verdict
                << "\n";
      kept.push_back(std::move(one));
    }
    // A session may be cut at any moment: what is done is on disk.
    if (!call.options.output.empty()) write_atomically(call.options.output, json_report(selftest));
  };
  SelftestBench bench{
      call, options, device, *match.baseline, rows_with_baseline(call, backend, *match.baseline), {}, keep};
  run_parts(call.options, bench);
  call.out << report_for_ctest(selftest, call.options.format) << std::flush;
  return exit_code(selftest);
}

}  // namespace

int selftest_command(const Call& call) {
  const auto& options = call.options;
  if (options.merge && options.leave_one_out)
    throw UsageError("selftest: either --merge or --leave-one-out; files that -o wrote can be merged");
  if (options.merge) return merge_files(call);
  const bool on_a_device =
      options.aa_calls > 0 || options.ab_runs > 0 || !options.ab_percents.empty() || options.faults;
  if (options.leave_one_out) {
    if (on_a_device)
      throw UsageError(
          "selftest --leave-one-out: takes --plant; --aa, --ab, --ab-plant and --faults are for a "
          "session on a device");
    return leave_one_out_of_file(call);
  }
  if (!options.arguments.empty()) throw UsageError("selftest: files are for --merge and --leave-one-out");
  if (!on_a_device && options.plant_percents.empty())
    throw UsageError("selftest: say what to try: --aa, --plant, --ab, --ab-plant, --faults");
  try {
    return run_session(call);
  } catch (const NotMeasured& why) {
    call.out << plain(wrap(std::string("nothing was tried: ") + why.what())) << std::flush;
    return 3;
  }
}

}  // namespace census
