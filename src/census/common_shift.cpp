// SPDX-License-Identifier: MIT
#include <census/common_shift.hpp>
#include <census/judge_rules.hpp>
#include <census/stats.hpp>

#include <algorithm>

namespace census {
namespace {

std::string shift_text(const CommonShift& shift) {
  return std::to_string(shift.slower) + " of " + std::to_string(shift.rows) +
         " rows are slower, by a median of " + rules::format_percent(shift.ratio - 1);
}

bool explained(const Verdict& verdict, const CommonShift& shift) {
  if (verdict.kind != Kind::regressed || !verdict.us || !verdict.limit_us) return false;
  if (verdict.same_code && !*verdict.same_code) return false;
  return *verdict.us / shift.ratio <= *verdict.limit_us;
}

}  // namespace

std::optional<CommonShift> common_shift(const std::vector<double>& ratios) {
  if (ratios.size() < fewest_shifted_rows) return std::nullopt;
  CommonShift shift{.rows = ratios.size(), .ratio = median(ratios)};
  shift.slower = static_cast<std::size_t>(std::count_if(
      ratios.begin(), ratios.end(), [](double ratio) { return ratio > 1 + least_common_shift; }));
  if (4 * shift.slower < 3 * shift.rows) return std::nullopt;
  return shift;
}

std::optional<std::string> excuse_common_shift(const std::vector<RowVerdict*>& rows) {
  std::vector<double> ratios;
  for (const RowVerdict* row : rows) {
    if (row->verdict.ratio) ratios.push_back(*row->verdict.ratio);
  }
  const auto shift = common_shift(ratios);
  if (!shift) return std::nullopt;
  int excused = 0;
  for (RowVerdict* row : rows) {
    if (!explained(row->verdict, *shift)) continue;
    row->verdict.kind = Kind::environment;
    row->verdict.reason += ", but " + shift_text(*shift) + ", and without that it takes " +
                           rules::format_us(*row->verdict.us / shift->ratio) + ", within the limit";
    ++excused;
  }
  return "common shift: " + shift_text(*shift) + ": " + std::to_string(excused) +
         " that were regressed are environment; look at the device with doctor, and at what all rows share, "
         "like a "
         "compiler or its flags, with the paired gate (ab)";
}

std::vector<std::string> excuse_common_shifts(std::vector<RowVerdict>& rows,
                                              const std::map<std::string, std::vector<std::size_t>>& places) {
  std::vector<std::string> sentences;
  for (const auto& [_, of_one] : places) {
    std::vector<RowVerdict*> group;
    for (const std::size_t place : of_one) group.push_back(&rows[place]);
    if (auto sentence = excuse_common_shift(group)) sentences.push_back(std::move(*sentence));
  }
  return sentences;
}

}  // namespace census
