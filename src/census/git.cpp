// SPDX-License-Identifier: MIT
// Asks the git executable; nothing else knows the repository format for sure.
#include <census/git.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

extern char** environ;

namespace census {
namespace {

struct Answer {
  int status = -1;  ///< exit status; 127 where there is no git
  std::string text;
};

std::string read_all(int descriptor) {
  std::string text;
  char part[4096];
  for (ssize_t got = 0; (got = read(descriptor, part, sizeof part)) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    text.append(part, static_cast<std::size_t>(got));
  }
  return text;
}

/// Runs `git -C directory arguments...`. The errors are part of the text only where they are asked for.
Answer git(const std::filesystem::path& directory, const std::vector<std::string>& arguments,
           bool with_errors) {
  // `env` gives the child a language we can read, keeps `status` from touching the index, and forgets the
  // work tree that a git hook around us would name.
  std::vector<std::string> words{"env",
                                 "-u",
                                 "GIT_DIR",
                                 "-u",
                                 "GIT_WORK_TREE",
                                 "-u",
                                 "GIT_INDEX_FILE",
                                 "LC_ALL=C",
                                 "GIT_OPTIONAL_LOCKS=0",
                                 "git",
                                 "-C",
                                 directory.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  if (with_errors) {
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = 0;
  const int spawned = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  Answer answer;
  if (spawned == 0) {
    answer.text = read_all(pipe_ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  close(pipe_ends[0]);
  return answer;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

WorkTree work_tree(const std::filesystem::path& directory) {
  const Answer inside = git(directory, {"rev-parse", "--is-inside-work-tree"}, true);
  if (inside.status != 0) {
    return {.why = inside.status == 127 ? "there is no git" : first_line(inside.text)};
  }
  const Answer status =
      git(directory, {"status", "--porcelain", "--untracked-files=no", "--", ":/", ":(exclude)."}, true);
  if (status.status != 0) return {.why = first_line(status.text)};
  return {.known = true, .dirty = !status.text.empty(), .why = first_line(status.text)};
}

std::optional<std::string> last_tag(const std::filesystem::path& directory) {
  const Answer answer = git(directory, {"describe", "--tags", "--abbrev=0"}, false);
  if (answer.status != 0 || answer.text.empty()) return std::nullopt;
  return first_line(answer.text);
}

std::optional<std::string> commit_of(const std::filesystem::path& directory, const std::string& name) {
  const Answer answer =
      git(directory, {"rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"}, false);
  if (answer.status != 0 || answer.text.empty()) return std::nullopt;
  return first_line(answer.text);
}

std::optional<std::string> file_at_tag(const std::filesystem::path& directory, const std::string& tag,
                                       const std::string& name) {
  Answer answer = git(directory, {"show", tag + ":./" + name}, false);
  if (answer.status != 0) return std::nullopt;
  return std::move(answer.text);
}

}  // namespace census
