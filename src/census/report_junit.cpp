// SPDX-License-Identifier: MIT
// Verdicts as JUnit, for CI systems that show test results: with the numbers and the reason of every row,
// which ctest's own JUnit lacks. A row that could not be judged is an error there, so that "failure" accuses
// code only.
#include <census/names.hpp>
#include <census/report.hpp>
#include <census/text.hpp>
#include <census/waiver.hpp>

#include <algorithm>

namespace census {
namespace {

// Of exit_code().
constexpr int failed = 1, skipped = 77;

/// `text` as XML character data or attribute. Pieces go through plain(), so that only what XML allows is
/// left.
std::string escaped(const std::string& text) {
  std::string xml;
  std::size_t start = 0;
  while (start <= text.size()) {
    const auto stop = std::min(text.find_first_of("<>&\"", start), text.size());
    xml += plain(text.substr(start, stop - start));
    if (stop < text.size()) {
      xml += text[stop] == '<' ? "&lt;" : text[stop] == '>' ? "&gt;" : text[stop] == '&' ? "&amp;" : "&quot;";
    }
    start = stop + 1;
  }
  // Valid UTF-8, but no character of XML.
  for (const char* const forbidden : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (auto at = xml.find(forbidden); at != std::string::npos; at = xml.find(forbidden))
      xml.replace(at, 3, "?");
  }
  return xml;
}

std::string attribute(const std::string& name, const std::string& value) {
  std::string line = escaped(value);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return " " + name + "=\"" + line + "\"";
}

std::string property(const std::string& name, const std::string& value) {
  return "        <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

std::string properties(const RowVerdict& row) {
  const Verdict& v = row.verdict;
  std::string text = property("verdict", to_string(v.kind));
  const auto add = [&](const char* name, const std::optional<double>& value, int digits) {
    if (value) text += property(name, format_fixed(*value, digits));
  };
  add("us", v.us, 4);
  add("TB/s", v.tbs, 6);
  add("baseline us", v.baseline_us, 4);
  add("baseline TB/s", v.baseline_tbs, 6);
  add("ratio", v.ratio, 4);
  add("limit us", v.limit_us, 4);
  add("tolerance %", v.tolerance_percent, 2);
  add("MDE %", v.mde_percent, 2);
  add("ceiling %", v.ceiling_percent, 2);
  if (row.waiver) text += property("waiver", waiver_text(*row.waiver));
  if (!row.baseline_file.empty()) text += property("baseline file", row.baseline_file);
  return "      <properties>\n" + text + "      </properties>\n";
}

/// The element that a CI system counts; "" for a green row.
std::string outcome(const RowVerdict& row, int code) {
  if (code == 0) return "";
  const std::string reason = row.verdict.reason;
  if (code == skipped)
    return "      <skipped" + attribute("message", std::string(to_string(row.verdict.kind)) + ": " + reason) +
           "/>\n";
  const std::string element = code == failed ? "failure" : "error";
  return "      <" + element + attribute("type", to_string(row.verdict.kind)) + attribute("message", reason) +
         ">" + escaped(reason) + "</" + element + ">\n";
}

std::string output(const RowVerdict& row) {
  std::string text =
      verdict_label(row) + (row.advisory ? " (advisory row)" : "") + ": " + row.verdict.reason + "\n";
  if (row.waiver) text += "waiver: " + waiver_text(*row.waiver) + "\n";
  for (const auto& notice : row.verdict.notices) text += "notice: " + notice + "\n";
  for (const auto& attempt : row.attempts)
    text += std::string("earlier attempt: ") + to_string(attempt.kind) + ": " + attempt.reason + "\n";
  return "      <system-out>" + escaped(text) + "</system-out>\n";
}

}  // namespace

std::string junit_report(const VerdictPage& page, const std::vector<int>& codes) {
  std::string cases;
  double seconds = 0;
  for (std::size_t i = 0; i < page.rows.size(); ++i) {
    const RowVerdict& row = page.rows[i];
    seconds += row.wall_seconds;
    cases += "    <testcase" + attribute("classname", std::string("perf.") + to_string(row.backend)) +
             attribute("name", row.row) + attribute("time", format_fixed(row.wall_seconds, 3)) + ">\n" +
             properties(row) + outcome(row, codes[i]) + output(row) + "    </testcase>\n";
  }
  const auto count = [&](auto holds) {
    return std::to_string(std::count_if(codes.begin(), codes.end(), holds));
  };
  std::string settings;
  for (const auto& setting : page.settings) settings += "setting: " + setting + "\n";
  for (const auto& note : page.notes) settings += note + "\n";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite" +
         attribute("name", page.title) + attribute("tests", std::to_string(codes.size())) +
         attribute("failures", count([](int code) { return code == failed; })) +
         attribute("errors", count([](int code) { return code != 0 && code != failed && code != skipped; })) +
         attribute("skipped", count([](int code) { return code == skipped; })) +
         attribute("time", format_fixed(seconds, 3)) + ">\n" + cases +
         (settings.empty() ? "" : "    <system-out>" + escaped(settings) + "</system-out>\n") +
         "  </testsuite>\n</testsuites>\n";
}

}  // namespace census
