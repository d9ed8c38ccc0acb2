// SPDX-License-Identifier: MIT
// The error types that end in an exit code. One catch, in run.cpp, turns them into one line on stderr.
#pragma once

#include <stdexcept>

namespace census {

/// The user asked for something that cannot be: exit 2. The text names it and the nearest valid names.
struct UsageError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A CUDA call failed; the text names the call and what to do.
struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace census
