// SPDX-License-Identifier: MIT
#include "check_file.hpp"

#include <census/ab.hpp>
#include <census/json_io.hpp>
#include <census/json_io_waivers.hpp>
#include <census/judge.hpp>
#include <census/listed_row.hpp>
#include <census/selftest.hpp>

#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

namespace census_fuzz {
namespace {

using namespace census;

constexpr const char* name = "some file.json";

void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

/// One line that names the file and, after the last semicolon, the way out.
void require_clear(const std::string& error) {
  require(error.find(name) != std::string::npos, "an error that does not name the file: " + error);
  require(error.find('\n') == std::string::npos, "an error of several lines: " + error);
  require(error.find("; ") != std::string::npos, "an error without a way out: " + error);
}

/// What `read` makes of the text, or nullopt where it refuses it clearly.
template <class Read>
auto accepted(const Read& read, const std::string& text) -> std::optional<decltype(read(text, name))> {
  try {
    return read(text, name);
  } catch (const FileError& error) {
    require_clear(error.what());
    return std::nullopt;
  }
}

void check_baseline(const std::string& text) {
  const auto baseline = accepted(parse_baseline, text);
  if (!baseline) return;
  const std::string written = format_baseline(*baseline);
  require(format_baseline(parse_baseline(written, name)) == written,
          "a baseline that changes when it is written");
  for (const auto& row : baseline->rows) {
    require(find_row(*baseline, row.id) != nullptr, "a row that its own id does not find");
    (void)minimum_detectable_effect(row);
  }
}

/// Whatever a record says, it can be judged.
void judge_run(const RowRun& run) {
  BaselineRow row;
  row.id = run.row;
  row.us = 10;
  row.code_digest = "digest";
  Control control;
  control.ceiling_tbs = 4;
  for (const bool by_fraction : {false, true}) {
    Policy policy;
    policy.one_sided_fraction = by_fraction;
    (void)judge({{facts(run)}, {facts(run)}}, &row, &control, policy);
  }
}

void check_result(const std::string& text) {
  const auto result = accepted(parse_result, text);
  if (!result) return;
  const std::string written = format_result(*result);
  require(format_result(parse_result(written, name)) == written, "a result that changes when it is written");
  for (const auto& run : result->runs) judge_run(run);
}

void check_selftest(const std::string& text) {
  const auto selftest = accepted(parse_selftest, text);
  if (!selftest) return;
  const std::string written = json_report(*selftest);
  require(json_report(parse_selftest(written, name)) == written,
          "a selftest that changes when it is written");
}

}  // namespace

void check_file(const std::string& text) {
  // A reader refuses what is not of its kind before it looks further, so one such refusal is enough of them.
  const auto mentions = [&](const char* kind) { return text.find(kind) != std::string::npos; };
  check_baseline(text);
  if (mentions("result")) check_result(text);
  if (mentions("selftest")) check_selftest(text);
  if (mentions("waivers")) (void)accepted(parse_waivers, text);
  if (mentions("ab")) (void)accepted(parse_ab_report, text);
  if (mentions("list")) (void)accepted(parse_list, text);
}

}  // namespace census_fuzz
