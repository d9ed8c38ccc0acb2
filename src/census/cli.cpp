// SPDX-License-Identifier: MIT
#include <census/cli.hpp>
#include <census/cli_options.hpp>
#include <census/error.hpp>
#include <census/names.hpp>
#include <census/select.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace census {
namespace {

namespace po = boost::program_options;

po::options_description options_of(const Command& command) {
  po::options_description options;
  for (const char* group = command.groups; *group != '\0'; ++group) options.add(option_group(*group));
  options.add_options()("help,h", "this page")("version", "version, commit, compiler and CUDA of the build");
  return options;
}

const Command& find_command(const std::string& name) {
  for (const auto& command : all_commands()) {
    if (name == command.name) return command;
  }
  throw UsageError("no subcommand \"" + name + "\"" + nearest_hint(name, command_names()) + "; see --help");
}

double number(const po::variables_map& given, const char* option, double least, double most) {
  const auto& text = given[option].as<std::string>();
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || !(value >= least && value <= most)) {
    std::ostringstream range;
    range << least << " to " << most;
    throw UsageError(std::string("--") + option + " \"" + text + "\": expected a number from " + range.str());
  }
  return value;
}

template <class T>
void take(const po::variables_map& given, const char* option, T& into) {
  if (given.count(option) != 0) into = given[option].as<T>();
}

/// One of two words: whether the second was given.
bool second_of(const po::variables_map& given, const char* option, const std::string& first,
               const std::string& second) {
  const auto& text = given[option].as<std::string>();
  if (text != first && text != second) {
    throw UsageError(std::string("--") + option + " \"" + text + "\": expected " + first + " or " + second);
  }
  return text == second;
}

Format format_from(const std::string& text, bool of_report) {
  if (text == "junit" && of_report) return Format::junit;
  if (text == "kernels" && of_report) return Format::kernels;
  if (text == "text") return Format::text;
  if (text == "json") return Format::json;
  if (text == "markdown") return Format::markdown;
  throw UsageError("--format \"" + text + "\": expected " +
                   (of_report ? "text, json, markdown, junit or kernels" : "text, json or markdown"));
}

void fill_measuring(const po::variables_map& given, Options& options) {
  take(given, "arm", options.arm);
  // Three samples are the fewest that have quartiles; 100 000 take minutes on any device.
  if (given.count("reps") != 0) options.repetitions = static_cast<int>(number(given, "reps", 3, 1e5));
  if (given.count("launch") != 0) options.stream_launch = second_of(given, "launch", "graph", "stream");
  if (given.count("cache") != 0) options.hot = second_of(given, "cache", "cold", "hot");
  if (given.count("footprint") != 0) {
    options.footprint = Bytes{static_cast<std::int64_t>(number(given, "footprint", 1, 1e12))};
  }
  if (given.count("plant") != 0) {
    options.plant_text = given["plant"].as<std::string>();
    options.plants = parse_plants(options.plant_text);
  }
  if (given.count("lock-wait") != 0) options.lock_wait_s = number(given, "lock-wait", 0, 3600);
  options.peers = given.count("peers") != 0;
  options.reference = given.count("no-reference") == 0;
  take(given, "fault", options.fault);
  if (given.count("lock-fd") != 0) options.lock_fd = static_cast<int>(number(given, "lock-fd", 0, 1e6));
}

std::vector<double> percents(const po::variables_map& given, const char* option) {
  std::vector<double> values;
  if (given.count(option) == 0) return values;
  std::istringstream words(given[option].as<std::string>());
  for (std::string word; std::getline(words, word, ',');) {
    double value = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    // As far as a plant goes, see plant.hpp.
    if (problem != std::errc{} || end != word.data() + word.size() || !(value > 0 && value <= 1000))
      throw UsageError(std::string("--") + option + " \"" + word + "\": expected percent[,...]");
    values.push_back(value);
  }
  return values;
}

void fill_selftest(const po::variables_map& given, Options& options) {
  const auto count = [&](const char* option, int otherwise) {
    return given.count(option) == 0 ? otherwise : static_cast<int>(number(given, option, 1, 1e5));
  };
  constexpr int aimed_tries = 60;  // of which 57 are to be found
  options.aa_calls = count("aa", 0);
  options.plant_percents = percents(given, "plant");
  options.plant_tries = count("tries", aimed_tries);
  options.ab_runs = count("ab", 0);
  options.ab_percents = percents(given, "ab-plant");
  options.ab_tries = count("ab-tries", aimed_tries);
  options.faults = given.count("faults") != 0;
  options.merge = given.count("merge") != 0;
  options.leave_one_out = given.count("leave-one-out") != 0;
  if (given.count("minutes") != 0) options.minutes = number(given, "minutes", 0.1, 1e5);
}

void fill_judging(const po::variables_map& given, Options& options) {
  take(given, "baselines", options.baselines);
  options.strict = given.count("strict") != 0;
  options.fail_on_improved = given.count("fail-on-improved") != 0;
  if (given.count("require") != 0) {
    for (const auto& name : given["require"].as<std::vector<std::string>>()) {
      options.require.push_back(parse_backend(name));
    }
  }
  take(given, "results", options.results);
  take(given, "begin", options.begin);
  take(given, "end", options.end);
  if (given.count("runs") != 0) options.runs = static_cast<int>(number(given, "runs", 1, 99));
  if (given.count("pause") != 0) options.pause_s = number(given, "pause", 0, 600);
  if (given.count("child-timeout") != 0) options.child_timeout_s = number(given, "child-timeout", 0.1, 3600);
  if (given.count("time-limit") != 0) options.time_limit_s = number(given, "time-limit", 1, 86400);
  take(given, "base", options.base);
  take(given, "head", options.head);
  // 25 pairs are 50 for rows in doubt, which is as far as the test counts.
  if (given.count("pairs") != 0) options.pairs = static_cast<int>(number(given, "pairs", 1, 25));
  options.common = given.count("common") != 0;
  options.accept_numeric_change = given.count("accept-numeric-change") != 0;
  options.ignore_code = given.count("ignore-code") != 0;
  take(given, "reason", options.reason);
  options.replace = given.count("replace") != 0;
  options.loosen = given.count("loosen") != 0;
  options.dry_run = given.count("dry-run") != 0;
  take(given, "accept-loss", options.accepted_losses);
  take(given, "drop", options.drops);
  if (given.count("rename") != 0) {
    for (const auto& pair : given["rename"].as<std::vector<std::string>>()) {
      const auto equals = pair.find('=');
      if (equals == 0 || equals >= pair.size() - 1)
        throw UsageError("--rename \"" + pair + "\": expected OLD=NEW, two row ids");
      options.renames.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
    }
  }
}

void fill_replay(const po::variables_map& given, Options& options) {
  options.replay = given.count("replay") != 0;
  const auto may = [&](const char* option, double most, std::optional<double>& into) {
    if (given.count(option) == 0) return;
    if (!options.replay)
      throw UsageError(std::string("--") + option +
                       ": only with --replay; a verdict is by the policy in force");
    into = number(given, option, 0, most);
  };
  may("tolerance", 100, options.tolerance_percent);
  may("control-tolerance", 100, options.control_tolerance_percent);
  may("floor", 1e6, options.floor_us);
}

Options fill(const po::variables_map& given, const std::string& command) {
  Options options;
  options.command = command;
  take(given, "arguments", options.arguments);
  take(given, "row", options.rows);
  take(given, "plan", options.plans);
  if (given.count("backend") != 0) options.backend = parse_backend(given["backend"].as<std::string>());
  take(given, "device", options.device);
  // Both have an option --plant, which takes rows in the one and percentages in the other.
  if (command == "selftest") {
    fill_selftest(given, options);
  } else {
    fill_measuring(given, options);
  }
  fill_judging(given, options);
  fill_replay(given, options);
  take(given, "since", options.since);
  if (given.count("format") != 0)
    options.format = format_from(given["format"].as<std::string>(), command == "report");
  take(given, "output", options.output);
  options.help = given.count("help") != 0;
  options.version = given.count("version") != 0;
  for (const char* name : {"reps", "launch", "cache", "footprint", "plant", "arm", "pairs", "fault"}) {
    if (given.count(name) != 0)
      options.settings.push_back(std::string("--") + name + " " + given[name].as<std::string>());
  }
  for (const char* name : {"peers", "strict", "fail-on-improved", "no-reference", "common",
                           "accept-numeric-change", "ignore-code"}) {
    if (given.count(name) != 0) options.settings.push_back(std::string("--") + name);
  }
  for (const auto& backend : options.require)
    options.settings.push_back(std::string("--require ") + to_string(backend));
  return options;
}

/// One line for what Boost found wrong with the options of a command.
[[noreturn]] void rethrow_as_usage(const po::error& problem, const std::string& command,
                                   const po::options_description& known) {
  if (const auto* unknown = dynamic_cast<const po::unknown_option*>(&problem)) {
    std::vector<std::string> names;
    for (const auto& option : known.options()) names.push_back("--" + option->long_name());
    const std::string option = unknown->get_option_name();
    throw UsageError(command + ": unknown option " + option + nearest_hint(option, names));
  }
  throw UsageError(command + ": " + problem.what());
}

}  // namespace

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const auto& command : all_commands()) names.emplace_back(command.name);
  return names;
}

Options parse_command_line(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  std::string name = "table";
  if (!words.empty() && !words[0].empty() && words[0][0] != '-') {
    name = words[0];
    words.erase(words.begin());
  }
  const Command& command = find_command(name);
  const auto visible = options_of(command);
  po::options_description all;
  all.add(visible);
  all.add_options()("arguments", po::value<std::vector<std::string>>());
  po::positional_options_description positions;
  positions.add("arguments", -1);
  po::variables_map given;
  try {
    // No guessing: an abbreviation that works today becomes ambiguous with the next option.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(words).options(all).positional(positions).style(style).run(), given);
  } catch (const po::error& problem) {
    rethrow_as_usage(problem, name, visible);
  }
  auto options = fill(given, name);
  if (*command.arguments == '\0' && !options.arguments.empty()) {
    throw UsageError(name + ": unexpected argument \"" + options.arguments[0] +
                     "\"; rows are chosen with --row GLOB");
  }
  return options;
}

std::string help_text(const std::string& command_name, const std::string& program) {
  std::ostringstream page;
  const Command& command = find_command(command_name);
  if (command_name == "table") {
    page << "usage: " << program
         << " [SUBCOMMAND] [OPTION...]\n\nSubcommands (SUBCOMMAND --help has its options):\n";
    for (const auto& each : all_commands()) {
      page << "  " << each.name << std::string(15 - std::string(each.name).size(), ' ') << each.purpose
           << "\n";
    }
  } else {
    page << "usage: " << program << " " << command_name << " [OPTION...] " << command.arguments << "\n\n"
         << command_name << ": " << command.purpose << ".\n";
  }
  page << "\nOptions:\n" << options_of(command);
  if (std::string(command.groups).find('g') != std::string::npos) {
    page << "\ngate also reads the environment: CENSUS_REQUIRE, CENSUS_STRICT, CENSUS_PLANT and\n"
            "CENSUS_ARM mean the options of these names.\n";
  }
  page << "\nExit codes:\n"
          "   0  pass, improved, removed; a report was made\n"
          "   1  regressed, incorrect\n"
          "   2  error: bad usage, an unreadable file, a row that threw, no row selected\n"
          "   3  no verdict: invalid, environment, inconclusive; with --strict or --require\n"
          "      also what would be 77\n"
          "  77  nothing to judge: no_baseline, no_device (ctest shows Skipped)\n"
          "Of many rows: the first present of 2, 1, 3; 77 only if every row is 77; else 0.\n";
  return page.str();
}

}  // namespace census
