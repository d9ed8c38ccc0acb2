// SPDX-License-Identifier: MIT
// report: what gates recorded, as a page. Measures and judges nothing.
#include <census/commands.hpp>
#include <census/error.hpp>
#include <census/gate.hpp>
#include <census/json_io.hpp>
#include <census/kernel_table.hpp>
#include <census/names.hpp>
#include <census/report.hpp>
#include <census/result_files.hpp>
#include <census/select.hpp>

#include <algorithm>

namespace census {
namespace {

bool has(const std::vector<std::string>& settings, const std::string& setting) {
  return std::find(settings.begin(), settings.end(), setting) != settings.end();
}

/// The options that decided the record's exit code, taken back from the settings it was made under.
Options options_of(const std::vector<std::string>& settings) {
  const Environment recorded = [&](const std::string& name) -> std::optional<std::string> {
    if (name != "CENSUS_STRICT" && name != "CENSUS_REQUIRE") return std::nullopt;
    for (const auto& setting : settings) {
      if (setting.starts_with(name + "=")) return setting.substr(name.size() + 1);
    }
    return std::nullopt;
  };
  Options options;
  options.strict = has(settings, "--strict");
  options.fail_on_improved = has(settings, "--fail-on-improved");
  for (const Backend backend : {Backend::cuda, Backend::cpu}) {
    if (has(settings, std::string("--require ") + to_string(backend))) options.require.push_back(backend);
  }
  return with_environment(options, recorded);
}

/// The exit code that the gate gave the row, or would give it again.
int code_of(const ResultFile& record, const RowVerdict& row) {
  const Options options = options_of(record.settings);
  Policy policy;
  // A CPU row's environment is a skip, whatever kept it from being measured.
  policy.one_sided_fraction = row.backend == Backend::cpu;
  policy.strict = options.strict;
  policy.fail_on_improved = options.fail_on_improved;
  const auto& require = options.require;
  const bool required = std::find(require.begin(), require.end(), row.backend) != require.end();
  return exit_code(row, policy, required);
}

bool selected(const Options& options, const RowVerdict& row) {
  if (options.backend && row.backend != *options.backend) return false;
  return options.rows.empty() || matches_any(options.rows, row.row);
}

void add_new(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const auto& one : more) {
    if (!has(all, one)) all.push_back(one);
  }
}

/// The page of kernels, of recorded runs or of one baseline.
int report_kernels(const Call& call) {
  const auto files = result_files("report", call.options.arguments);
  const auto timing = [](const auto& file) { return file_kind(file) == "timing"; };
  KernelTable table;
  if (std::any_of(files.begin(), files.end(), timing)) {
    if (files.size() != 1)
      throw UsageError("report --format kernels: name one baseline, or result files only");
    table = kernel_table(read_baseline(files[0]));
  } else {
    std::vector<RowRun> runs;
    for (const auto& file : files) {
      for (RowRun& run : read_result(file).runs) runs.push_back(std::move(run));
    }
    table = kernel_table(runs);
  }
  std::erase_if(table.lines, [&](const KernelLine& line) {
    return !call.options.rows.empty() && !matches_any(call.options.rows, line.row);
  });
  if (table.lines.empty()) throw UsageError("report: no measured GPU row in these records");
  answer(call, markdown(table));
  return 0;
}

}  // namespace

int report_command(const Call& call) {
  if (call.options.format == Format::kernels) return report_kernels(call);
  VerdictPage page;
  std::vector<int> codes;
  std::vector<std::string> ids;
  for (const auto& file : result_files("report", call.options.arguments)) {
    const ResultFile record = read_result(file);
    if (record.verdicts.empty())
      page.notes.push_back(file.string() + " has runs that no gate judged; see judge");
    for (const auto& row : record.verdicts) {
      if (!selected(call.options, row)) continue;
      page.rows.push_back(row);
      codes.push_back(code_of(record, row));
      add_new(page.settings, record.settings);
      if (!record.run_id.empty()) add_new(ids, {"run " + record.run_id});
    }
  }
  if (page.rows.empty()) throw UsageError("report: no verdict in these records; for bare runs see judge");
  page.title = "report: " + call.census.name + (ids.empty() ? "" : ", " + join(ids));
  answer(call, call.options.format == Format::junit ? junit_report(page, codes)
                                                    : report(page, call.options.format));
  return 0;
}

}  // namespace census
