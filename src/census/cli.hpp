// SPDX-License-Identifier: MIT
// The command line as data. Boost.Program_options stays behind parse_command_line().
#pragma once

#include <census/kernel_case.hpp>
#include <census/plant.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace census {

enum class Format { text, json, markdown, junit, kernels };  // the last two: of report alone

/// Everything a command line can say. Fields of options that a command does not have keep their defaults.
struct Options {
  std::string command = "table";       ///< "table" where no subcommand was given
  std::vector<std::string> arguments;  ///< positional: result files, a verdict's name

  // Which rows, on what.
  std::vector<std::string> rows;   ///< globs; empty = all
  std::vector<std::string> plans;  ///< empty = all
  std::optional<Backend> backend;
  std::string device;  ///< "", a number, or a UUID
  std::string arm;

  // How to measure.
  int repetitions = 0;  ///< samples; 0 = the design's number
  bool hot = false;
  bool stream_launch = false;
  bool peers = false;  ///< other implementations beside the rows
  std::optional<Bytes> footprint;
  std::vector<PlantRequest> plants;
  std::string plant_text;  ///< as given, for the record
  bool reference = true;
  std::string fault;  ///< planted on purpose, see fault.hpp; "" = none
  int lock_fd = -1;   ///< a lock that the parent holds
  double lock_wait_s = 120;

  // How to judge.
  std::string baselines = "baselines";
  bool strict = false;
  bool fail_on_improved = false;
  std::vector<Backend> require;
  std::string results, begin, end;  ///< directories; "" = not given
  int runs = 3;                     ///< K of the judging rule
  double pause_s = 2;               ///< before the confirmation
  double child_timeout_s = 120;
  double time_limit_s = 600;  ///< of a whole row, as ctest's TIMEOUT: the gate ends before

  // ab
  std::string base, head;  ///< executables; head "" = this one
  int pairs = 0;           ///< of the first look; 0 = the rule's number
  bool common = false;     ///< compare the rows that both have
  bool accept_numeric_change = false;
  bool ignore_code = false;  ///< time rows of equal code like all others

  // refresh
  std::string reason;
  bool replace = false;  ///< drop the old occasions of the rows
  bool loosen = false;   ///< let a tolerance exceed the policy number
  bool dry_run = false;
  std::vector<std::string> accepted_losses;                  ///< globs: rows that may lose where others gain
  std::vector<std::pair<std::string, std::string>> renames;  ///< of rows, old and new id
  std::vector<std::string> drops;                            ///< rows to be taken out of the baseline

  // drift
  std::string since;  ///< tag or commit; "" = the last tag

  // judge --replay: the other policy, as far as it differs
  bool replay = false;
  std::optional<double> tolerance_percent, control_tolerance_percent, floor_us;

  // selftest
  int aa_calls = 0;                    ///< gate calls over all rows, nothing planted
  std::vector<double> plant_percents;  ///< gate 1
  int plant_tries = 0;                 ///< rows for each of these
  int ab_runs = 0;                     ///< of this executable against itself
  std::vector<double> ab_percents;     ///< gate 2
  int ab_tries = 0;
  bool faults = false;
  bool merge = false;
  bool leave_one_out = false;
  double minutes = 0;  ///< start nothing that would end later; 0 = no limit

  // How to answer.
  Format format = Format::text;
  std::string output;  ///< "" = standard output
  bool help = false;
  bool version = false;
  std::vector<std::string>
      settings;  ///< options and variables in force that change a measurement or a verdict, as given
};

/// Throws UsageError in one line naming what is wrong and the nearest valid names.
[[nodiscard]] Options parse_command_line(int argc, const char* const* argv);

/// The page of --help: for the command, or for all of them when it is "table". Ends with the exit codes.
[[nodiscard]] std::string help_text(const std::string& command, const std::string& program);

/// Every subcommand in the order of the help page.
[[nodiscard]] std::vector<std::string> command_names();

}  // namespace census
