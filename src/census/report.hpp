// SPDX-License-Identifier: MIT
// What the commands print, as data, and one function per page and format that turns it into text. Pure.
#pragma once

#include <census/census.hpp>
#include <census/cli.hpp>
#include <census/plan.hpp>
#include <census/result.hpp>
#include <census/text.hpp>

#include <string>
#include <utility>
#include <vector>

namespace census {

/// The census table: rows as measured in this process, and the plans they add up to.
struct TablePage {
  std::string census;
  Device device;
  Build build;
  Snapshot now;  ///< before the first row
  std::vector<std::string> settings;
  std::vector<RowRun> runs;
  std::vector<PlanSum> plans;
};

/// Shares of one run, each nullopt where it has no meaning. Percent.
struct Shares {
  std::optional<double> peak, ceiling, floor, dependent_floor;
};
[[nodiscard]] Shares shares(const RowRun& run);

/// Verdicts of a run id or of recorded files, with everything that was not judged named beside them.
struct VerdictPage {
  std::string title;
  std::vector<std::string> settings;
  std::vector<RowVerdict> rows;
  std::vector<std::string> notes;  ///< removed rows, rows not selected, what failed the report
  std::vector<std::pair<std::string, double>> seconds;  ///< where the time went
};

/// The rows of `list`.
struct ListPage {
  std::string census;
  std::vector<const KernelCase*> rows;
};

[[nodiscard]] std::string text_report(const TablePage& page);
[[nodiscard]] std::string text_report(const VerdictPage& page);
[[nodiscard]] std::string text_report(const ListPage& page);
[[nodiscard]] std::string json_report(const TablePage& page);
[[nodiscard]] std::string json_report(const VerdictPage& page);
[[nodiscard]] std::string json_report(const ListPage& page);
[[nodiscard]] std::string markdown_report(const TablePage& page);
[[nodiscard]] std::string markdown_report(const VerdictPage& page);
[[nodiscard]] std::string markdown_report(const ListPage& page);

/// `codes`: the exit code of each row of the page.
[[nodiscard]] std::string junit_report(const VerdictPage& page, const std::vector<int>& codes);

template <class Page>
[[nodiscard]] std::string report(const Page& page, Format format) {
  switch (format) {
    case Format::json:
      return json_report(page);
    case Format::markdown:
      return markdown_report(page);
    default:
      return text_report(page);
  }
}

/// report() for output that ctest reads: its text made plain().
template <class Page>
[[nodiscard]] std::string report_for_ctest(const Page& page, Format format) {
  const bool machine_read = format == Format::json || format == Format::markdown;
  return machine_read ? report(page, format) : plain(text_report(page));
}

/// The verdict's name, "regressed, waived" where a waiver lets it pass.
[[nodiscard]] std::string verdict_label(const RowVerdict& row);

/// Device, clocks, power cap, throttle reasons and commit: the first lines of every page that measured.
[[nodiscard]] std::string device_text(const Device& device, const Snapshot& now, const Build& build);
/// "0.1.0, commit 0123456789ab (dirty)".
[[nodiscard]] std::string build_text(const Build& build);

}  // namespace census
