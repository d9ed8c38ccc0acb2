// SPDX-License-Identifier: MIT
// How far a baseline has come since an earlier one: the slow creep that no single refresh shows.
#pragma once

#include <census/baseline.hpp>

#include <optional>
#include <string>
#include <vector>

namespace census {

/// One row of both baselines or of one. Times in microseconds; bounds, of a CPU's rows, as shares of the
/// ceiling.
struct RowDrift {
  std::string row;
  std::string was;  ///< its former id, where it has been renamed since; else ""
  std::optional<double> then_us, now_us;
  std::optional<double> then_bound, now_bound;
};

/// Percent by which the row has become slower, by which its bound has become lower; negative: the better.
/// nullopt where only one of the baselines has it.
[[nodiscard]] std::optional<double> loss_percent(const RowDrift& row);

struct BaselineDrift {
  std::string file;
  std::vector<RowDrift> rows;  ///< sorted by id; rows that are gone have no "now"
  std::optional<double> then_ceiling_tbs;
  double now_ceiling_tbs = 0;
};

/// `then` null: there was no such baseline.
[[nodiscard]] BaselineDrift drift_between(const Baseline& now, const Baseline* then, const std::string& file);

/// Over the rows that both have: the geometric mean of the losses, and the row that lost most.
struct DriftTotal {
  int rows = 0;
  double mean_percent = 0;
  std::string worst;
  double worst_percent = 0;
};
[[nodiscard]] std::optional<DriftTotal> total_of(const std::vector<RowDrift>& rows);

/// All baselines of a directory.
struct DriftPage {
  std::string since;  ///< the tag or commit, as given
  std::string commit;
  std::vector<BaselineDrift> baselines;
  std::vector<std::string> notes;
};

/// "+1.2 %".
[[nodiscard]] std::string signed_percent(double percent);
/// "10.00 us -> 8.500 us (-15.0 %)", "new, 10.00 us", "gone, was 10.00 us", with bounds likewise.
[[nodiscard]] std::string drift_text(const RowDrift& row);
/// One sentence.
[[nodiscard]] std::string total_text(const DriftTotal& total);

[[nodiscard]] std::string text_report(const DriftPage& page);
[[nodiscard]] std::string json_report(const DriftPage& page);
[[nodiscard]] std::string markdown_report(const DriftPage& page);

}  // namespace census
