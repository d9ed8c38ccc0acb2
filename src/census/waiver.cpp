// SPDX-License-Identifier: MIT
#include <census/json_io.hpp>
#include <census/names.hpp>
#include <census/waiver.hpp>

#include <algorithm>
#include <cstdio>

namespace census {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

// It is tomorrow already for somebody east of the gate's UTC.
constexpr days ahead_of_utc{1};

[[noreturn]] void fail(const Waivers& waivers, std::size_t entry, const std::string& field,
                       const std::string& what) {
  throw FileError(waivers.file + ": row " + waivers.entries[entry].row + ", field waivers[" +
                  std::to_string(entry) + "]." + field + " " + what + "; correct the entry or remove it");
}

bool matches_any(const std::string& glob, const std::vector<std::string>& rows) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return glob_matches(glob, row); });
}

bool matches_all(const std::string& glob, const std::vector<std::string>& rows) {
  return std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return glob_matches(glob, row); });
}

/// The entry for this row and device that ends last; null where there is none.
const Waiver* last_to_end(const Waivers& waivers, const RowVerdict& row, const std::string& slug) {
  const Waiver* last = nullptr;
  for (const Waiver& entry : waivers.entries) {
    if (!glob_matches(entry.row, row.row) || (!entry.device.empty() && entry.device != slug)) continue;
    if (last == nullptr || entry.until > last->until) last = &entry;
  }
  return last;
}

bool was_incorrect(const RowVerdict& row) {
  return std::any_of(row.attempts.begin(), row.attempts.end(),
                     [](const Verdict& attempt) { return attempt.kind == Kind::incorrect; });
}

void add_expired(RowVerdict& row, const Waiver& waiver, const std::string& file) {
  const std::string which =
      "the waiver by " + waiver.owner + " (" + waiver.reason + ") expired after " + waiver.until;
  row.verdict.notices.push_back(row.verdict.kind == Kind::regressed
                                    ? which + ": the row is red again; fix it, or renew it in " + file
                                    : which + ": remove it from " + file);
}

}  // namespace

std::optional<sys_days> day_from(const std::string& text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  char rest = 0;
  const bool digits = text.size() == 10 && text.find_first_not_of("0123456789-") == std::string::npos;
  if (!digits || std::sscanf(text.c_str(), "%4d-%2u-%2u%c", &year, &month, &day, &rest) != 3)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{month},
                                         std::chrono::day{day}};
  if (!date.ok()) return std::nullopt;
  return sys_days{date};
}

void check_waivers(const Waivers& waivers, const WaiverNames& names, sys_days today) {
  std::vector<std::string> rows = names.census_rows;
  rows.insert(rows.end(), names.baseline_rows.begin(), names.baseline_rows.end());
  for (std::size_t i = 0; i < waivers.entries.size(); ++i) {
    const Waiver& entry = waivers.entries[i];
    if (!matches_any(entry.row, rows))
      fail(waivers, i, "row", "is no row of the census or a baseline" + nearest_hint(entry.row, rows));
    if (names.census_rows.size() > 1 && matches_all(entry.row, names.census_rows))
      fail(waivers, i, "row", "is every row: that would switch the gate off");
    const bool known = std::find(names.slugs.begin(), names.slugs.end(), entry.device) != names.slugs.end();
    if (!entry.device.empty() && !known) {
      fail(waivers, i, "device",
           "\"" + entry.device + "\" is no baseline beside the waivers" +
               nearest_hint(entry.device, names.slugs));
    }
    const auto date = day_from(entry.date);
    if (date && *date > today + ahead_of_utc) fail(waivers, i, "date", entry.date + " is yet to come");
  }
}

void apply_waivers(RowVerdict& row, const Waivers& waivers, const std::string& device_slug, sys_days today) {
  row.waiver.reset();
  const Waiver* waiver = last_to_end(waivers, row, device_slug);
  if (waiver == nullptr) return;
  const auto until = day_from(waiver->until);
  if (!until || today > *until) return add_expired(row, *waiver, waivers.file);
  const Kind kind = row.verdict.kind;
  auto& notices = row.verdict.notices;
  if (kind == Kind::regressed && !was_incorrect(row)) {
    row.waiver = *waiver;
  } else if (kind == Kind::pass || kind == Kind::improved) {
    notices.push_back("unused waiver " + waiver_text(*waiver) + "; remove it from " + waivers.file +
                      " when the row stays so");
  } else if (kind == Kind::regressed || kind == Kind::incorrect || kind == Kind::invalid ||
             kind == Kind::error) {
    const std::string is = kind == Kind::regressed ? "incorrect in an earlier attempt" : to_string(kind);
    notices.push_back("the waiver " + waiver_text(*waiver) + " is for a regression; the row is " + is);
  }
}

std::string waiver_text(const Waiver& waiver) {
  return "until " + waiver.until + " by " + waiver.owner + ": " + waiver.reason;
}

}  // namespace census
