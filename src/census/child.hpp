// SPDX-License-Identifier: MIT
// Fresh processes of this executable: started without a shell, bounded in time, their output captured.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace census {

/// How a child ended.
struct ChildEnd {
  int exit_code = -1;      ///< -1 when a signal ended it
  int signal = 0;          ///< 0 when it exited
  bool timed_out = false;  ///< killed here, because its time was over
  std::string output;      ///< the last 16 KiB of what it printed on stdout and stderr
  double wall_seconds = 0;
};

/// Runs /proc/self/exe with `arguments` and waits for it, at most `limit`; then kills it. Descriptors without
/// close-on-exec are inherited: a device lock made inheritable stays held. The child dies with this process.
/// Throws std::runtime_error when no process can be made.
[[nodiscard]] ChildEnd run_self(const std::vector<std::string>& arguments, std::chrono::milliseconds limit);

/// The same with another executable. One that cannot be started ends with exit code 127.
[[nodiscard]] ChildEnd run_program(const std::string& program, const std::vector<std::string>& arguments,
                                   std::chrono::milliseconds limit);

/// What went wrong with it, in words: "killed by signal 11 (Segmentation fault)", "no answer after 120 s",
/// "exit code 2: <last line it printed>". "" when it exited with 0.
[[nodiscard]] std::string failure_text(const ChildEnd& end);

}  // namespace census
