// SPDX-License-Identifier: MIT
// The whole command line program over a census: what a gate executable's main() calls.
#pragma once

#include <census/census.hpp>

namespace census {

/// Parses the command line, does what it says, and returns the exit code that --help documents. Never throws:
/// errors are one line on stderr.
[[nodiscard]] int run(int argc, const char* const* argv, const Census& census);

}  // namespace census
