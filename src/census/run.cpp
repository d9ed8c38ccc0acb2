// SPDX-License-Identifier: MIT
#include <census/build.hpp>
#include <census/commands.hpp>
#include <census/error.hpp>
#include <census/run.hpp>
#include <census/text.hpp>

#include <filesystem>
#include <iostream>

namespace census {
namespace {

struct Entry {
  const char* name;
  int (*command)(const Call&);
};

constexpr Entry entries[] = {
    {"table", table_command},     {"run", table_command},         {"list", list_command},
    {"gate", gate_command},       {"measure", measure_command},   {"judge", judge_command},
    {"refresh", refresh_command}, {"drift", drift_command},       {"report", report_command},
    {"doctor", doctor_command},   {"explain", explain_command},   {"resource-spec", resource_spec_command},
    {"ab", ab_command},           {"selftest", selftest_command},
};

std::string version_text(const Census& census, const Build& build) {
  return census.name + " (kernel-census " + build.version + ")\ncommit " +
         (build.commit.empty() ? "unknown" : build.commit) + (build.dirty ? " (dirty)" : "") + "\ncompiler " +
         (build.compiler.empty() ? "unknown" : build.compiler) + ", " +
         (build.type.empty() ? "unknown build type" : build.type) + "\nCUDA " +
         (build.cuda.empty() ? "not built in" : build.cuda) + "\n";
}

int dispatch(const Call& call) {
  for (const auto& entry : entries) {
    if (call.options.command == entry.name) return entry.command(call);
  }
  throw UsageError("no subcommand \"" + call.options.command + "\"");
}

int parse_and_dispatch(Platform& platform, int argc, const char* const* argv, const Census& census) {
  const Options options = parse_command_line(argc, argv);
  if (options.help) {
    std::cout << help_text(options.command, census.name);
    return 0;
  }
  if (options.version) {
    std::cout << version_text(census, this_build());
    return 0;
  }
  validate(census);
  return dispatch({platform, census, options, std::cout});
}

/// One line, so that a log that is cut or searched keeps the whole error.
int fail(const Census& census, const std::string& what) {
  std::string line = plain(what);
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  std::cout << std::flush;
  write_whole(2, census.name + ": " + line + "\n");
  return 2;
}

}  // namespace

int run_on(Platform& platform, int argc, const char* const* argv, const Census& census) {
  try {
    const int code = parse_and_dispatch(platform, argc, argv, census);
    std::cout << std::flush;
    // A full disk or a closed pipe: numbers that did not arrive are not a success.
    if (!std::cout) return fail(census, "standard output could not be written");
    return code;
  } catch (const std::exception& problem) {
    return fail(census, problem.what());
  } catch (...) {
    return fail(census, "an unknown exception");
  }
}

int run(int argc, const char* const* argv, const Census& census) {
  const auto platform = real_platform();
  return run_on(*platform, argc, argv, census);
}

}  // namespace census
