// SPDX-License-Identifier: MIT
// ab: two executables side by side; as a whole, or in the three forms that ctest calls.
#include <census/ab.hpp>
#include <census/ab_run.hpp>
#include <census/commands.hpp>
#include <census/error.hpp>
#include <census/json_io.hpp>
#include <census/names.hpp>
#include <census/report.hpp>
#include <census/text.hpp>

#include <algorithm>
#include <filesystem>

namespace census {
namespace {

std::filesystem::path record_of(const std::string& directory) {
  return std::filesystem::path(directory) / "ab.json";
}

AbReport read_record(const std::string& directory) {
  const auto file = record_of(directory);
  if (!std::filesystem::exists(file))
    throw UsageError("ab: nothing was compared into " + directory + "; call ab --begin " + directory +
                     " before");
  return parse_ab_report(read_text(file), file.string());
}

/// Compares all rows and leaves the verdicts to the cases of the rows.
int begin(const Call& call) {
  std::filesystem::create_directories(call.options.begin);
  std::filesystem::remove(record_of(call.options.begin));  // an old comparison must not stand in for this one
  const AbReport report = run_ab(call);
  write_atomically(record_of(call.options.begin), json_report(report));
  call.out << plain(text_report(report)) << std::flush;
  return report.rows.empty() ? 3 : 0;
}

/// The verdict of one row of a comparison that was begun.
int row_verdict(const Call& call) {
  const AbReport report = read_record(call.options.results);
  if (call.options.rows.size() != 1) throw UsageError("ab --results: name one row with --row ID");
  const std::string& id = call.options.rows[0];
  const Backend backend = call.options.backend.value_or(report.backend);
  if (backend != report.backend) {
    call.out << plain(wrap(std::string("the comparison was of ") + to_string(report.backend) +
                           " rows, this is one of " + to_string(backend)));
    return 77;
  }
  const auto found =
      std::find_if(report.rows.begin(), report.rows.end(), [&](const AbRow& row) { return row.row == id; });
  if (found == report.rows.end()) {
    std::vector<std::string> ids;
    for (const auto& row : report.rows) ids.push_back(row.row);
    throw UsageError("ab --results: the comparison lacks the row " + id + nearest_hint(id, ids));
  }
  call.out << plain(row_text(report, *found)) << std::flush;
  return exit_code(found->kind);
}

/// The report; its own exit code is about what no case of a row of this executable can say.
int end(const Call& call) {
  const AbReport report = read_record(call.options.end);
  answer(call, report_for_ctest(report, call.options.format));
  std::vector<int> codes = {0};
  for (const auto& row : report.rows) {
    const bool has_case =
        std::any_of(call.census.rows.begin(), call.census.rows.end(),
                    [&](const KernelCase& own) { return own.id == row.row && own.backend == row.backend; });
    if (!has_case) codes.push_back(exit_code(row.kind));
  }
  const bool counted = std::any_of(report.rows.begin(), report.rows.end(),
                                   [](const AbRow& row) { return exit_code(row.kind) < 2; });
  if (!counted) codes.push_back(3);  // nothing was compared, and that must not be green
  return combine_exit_codes(codes);
}

int compare(const Call& call) {
  const AbReport report = run_ab(call);
  answer(call, report_for_ctest(report, call.options.format));
  return exit_code(report);
}

}  // namespace

int ab_command(const Call& call) {
  const auto& options = call.options;
  const int forms =
      (options.begin.empty() ? 0 : 1) + (options.end.empty() ? 0 : 1) + (options.results.empty() ? 0 : 1);
  if (forms > 1) throw UsageError("ab: --begin, --results and --end exclude each other");
  try {
    if (!options.begin.empty()) return begin(call);
    if (!options.results.empty()) return row_verdict(call);
    if (!options.end.empty()) return end(call);
    return compare(call);
  } catch (const NotMeasured& why) {
    call.out << plain(wrap(std::string("inconclusive: nothing was compared: ") + why.what())) << std::flush;
    return 3;
  }
}

}  // namespace census
