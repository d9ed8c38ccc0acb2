// SPDX-License-Identifier: MIT
// The subcommands and the options that each has, as Boost.Program_options describes them. For cli.cpp alone.
#pragma once

#include <boost/program_options.hpp>

#include <span>

namespace census {

struct Command {
  const char* name;
  const char* arguments;  ///< "" where it takes none
  const char* purpose;
  const char* groups;  ///< letters of option_group()
};

/// Every subcommand in the order of the help page.
[[nodiscard]] std::span<const Command> all_commands();

/// The options of one group; values are read back by name in cli.cpp.
[[nodiscard]] boost::program_options::options_description option_group(char group);

}  // namespace census
