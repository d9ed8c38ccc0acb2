// SPDX-License-Identifier: MIT
#include <census/child.hpp>
#include <census/units.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

namespace census {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kept_output_bytes =
    16 * 1024;               // enough for any error line; a chatty child must not fill memory
constexpr int poll_ms = 20;  // how late an exit can be seen whose output a grandchild keeps open

/// Both ends of a pipe, closed on destruction.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("pipe2: ") + std::strerror(errno));
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
};

/// In the child between fork and exec: only calls that are safe there.
[[noreturn]] void become(char* const* arguments, int output, pid_t parent) {
  // ctest kills the gate with SIGKILL when its time is over; the child must not keep the device then.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(127);
}

/// Reads what is there; false at the end of the output.
bool drain(int descriptor, std::string& output) {
  char buffer[4096];
  const auto count = read(descriptor, buffer, sizeof buffer);
  if (count <= 0) return count < 0 && errno == EINTR;
  output.append(buffer, static_cast<std::size_t>(count));
  if (output.size() > kept_output_bytes) output.erase(0, output.size() - kept_output_bytes);
  return true;
}

void set_end(ChildEnd& end, int status) {
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
}

void wait_for(pid_t pid, Pipe& pipe, Clock::time_point deadline, ChildEnd& end) {
  bool open = true;
  int status = 0;
  for (;;) {
    pollfd watched{pipe.ends[0], POLLIN, 0};
    const int ready = poll(&watched, open ? 1 : 0, poll_ms);
    if (open && ready > 0) open = drain(pipe.ends[0], end.output);
    if (ready > 0 && open) continue;  // all output before the end
    if (waitpid(pid, &status, WNOHANG) == pid) break;
    if (Clock::now() < deadline) continue;
    end.timed_out = true;
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    break;
  }
  set_end(end, status);
}

std::string last_line(const std::string& output) {
  const auto last = output.find_last_not_of(" \n\r\t");
  if (last == std::string::npos) return "";
  const auto start = output.rfind('\n', last);
  return output.substr(start == std::string::npos ? 0 : start + 1,
                       last - (start == std::string::npos ? 0 : start + 1) + 1);
}

}  // namespace

ChildEnd run_self(const std::vector<std::string>& arguments, std::chrono::milliseconds limit) {
  return run_program("/proc/self/exe", arguments, limit);
}

ChildEnd run_program(const std::string& program, const std::vector<std::string>& arguments,
                     std::chrono::milliseconds limit) {
  std::string name = program;
  std::vector<std::string> words = arguments;
  std::vector<char*> pointers = {name.data()};
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const auto start = Clock::now();
  Pipe pipe;
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (pid == 0) become(pointers.data(), pipe.ends[1], parent);
  pipe.close_end(1);
  ChildEnd end;
  wait_for(pid, pipe, start + limit, end);
  end.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return end;
}

std::string failure_text(const ChildEnd& end) {
  const std::string said = last_line(end.output);
  const std::string tail = said.empty() ? "" : ": " + said;
  if (end.timed_out) return "no answer after " + format_fixed(end.wall_seconds, 0) + " s, killed" + tail;
  if (end.signal != 0) {
    return "killed by signal " + std::to_string(end.signal) + " (" + strsignal(end.signal) + ")" + tail;
  }
  if (end.exit_code != 0) return "exit code " + std::to_string(end.exit_code) + tail;
  return "";
}

}  // namespace census
