// SPDX-License-Identifier: MIT
// What people read of a replay.
#include <census/names.hpp>
#include <census/replay.hpp>
#include <census/text.hpp>

#include <algorithm>
#include <map>

namespace census {
namespace {

std::string turn(const ReplayRow& row) {
  return std::string(to_string(row.now.kind)) + " -> " + to_string(row.then.kind);
}

/// "2 of 27 verdicts flip: 2 pass -> regressed".
std::string sum_text(const ReplayPage& page) {
  std::map<std::string, int> turns;
  int flipped = 0;
  for (const ReplayRow& row : page.rows) {
    if (!flips(row)) continue;
    ++turns[turn(row)];
    ++flipped;
  }
  std::vector<std::string> parts;
  for (const auto& [text, count] : turns) parts.push_back(std::to_string(count) + " " + text);
  return std::to_string(flipped) + " of " + std::to_string(page.rows.size()) + " verdicts flip" +
         (parts.empty() ? "" : ": " + join(parts));
}

std::string heading(const ReplayPage& page) {
  return "replay against " + page.baselines + ": the policy in force -> " + join(page.policy);
}

/// Why, and what the records cannot say.
std::string reason_text(const ReplayRow& row) {
  const bool alone = row.then.needs_confirmation;
  return row.then.reason + (alone ? "; unconfirmed: the records hold no second look" : "");
}

std::string recorded_text(const ReplayRow& row) {
  return row.recorded ? to_string(*row.recorded) : "-";
}

}  // namespace

std::string text_report(const ReplayPage& page) {
  std::size_t width = 0;
  for (const ReplayRow& row : page.rows) width = std::max(width, row.row.size());
  std::string text = wrap(heading(page));
  for (const ReplayRow& row : page.rows) {
    text += left(row.row, width) + "  " + left(to_string(row.backend), 6) +
            left(fixed_or_na(row.now.ratio, 3), 7) + (flips(row) ? "FLIP " : "     ") + turn(row);
    if (row.recorded && *row.recorded != row.now.kind) text += ", recorded as " + recorded_text(row);
    text += "\n";
  }
  for (const ReplayRow& row : page.rows) {
    if (flips(row)) text += wrap(turn(row) + ": " + row.row + " of " + row.date + ": " + reason_text(row));
  }
  return plain(text + wrap(sum_text(page)));
}

std::string markdown_report(const ReplayPage& page) {
  std::string text = heading(page) +
                     "\n\n| row | backend | date | ratio | recorded | in force | replayed |\n" +
                     "|---|---|---|--:|---|---|---|\n";
  for (const ReplayRow& row : page.rows) {
    const std::string mark = flips(row) ? "**" : "";
    text += "| " + row.row + " | " + to_string(row.backend) + " | " + row.date + " | " +
            fixed_or_na(row.now.ratio, 3) + " | " + recorded_text(row) + " | " + to_string(row.now.kind) +
            " | " + mark + to_string(row.then.kind) + mark + " |\n";
  }
  text += "\n" + sum_text(page) + "\n";
  for (const ReplayRow& row : page.rows) {
    if (flips(row))
      text += "- " + turn(row) + ": " + row.row + " of " + row.date + ": " + reason_text(row) + "\n";
  }
  return text;
}

}  // namespace census
