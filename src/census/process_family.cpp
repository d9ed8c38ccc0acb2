// SPDX-License-Identifier: MIT
#include <census/process_family.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace census {
namespace {

std::string proc_path(std::int64_t pid, const char* file) {
  return "/proc/" + std::to_string(pid) + "/" + file;
}

std::optional<std::int64_t> proc_parent(std::int64_t pid) {
  std::ifstream file(proc_path(pid, "stat"));
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  // The name in parentheses may hold anything, parentheses too: state and parent follow the last one.
  const std::size_t end = line.rfind(')');
  if (end == std::string::npos) return std::nullopt;
  std::istringstream rest(line.substr(end + 1));
  std::string state;
  std::int64_t parent = 0;
  if (!(rest >> state >> parent)) return std::nullopt;
  return parent;
}

std::string proc_name(std::int64_t pid) {
  std::ifstream file(proc_path(pid, "comm"));
  std::string name;
  std::getline(file, name);
  return name;
}

std::string proc_executable(std::int64_t pid) {
  std::error_code unreadable;
  return std::filesystem::read_symlink(proc_path(pid, "exe"), unreadable).string();
}

}  // namespace

ProcessTable proc_table() {
  return {getpid(), proc_parent, proc_name, proc_executable};
}

ForeignProcessFilter::ForeignProcessFilter(ProcessTable table) : table_(std::move(table)) {
  std::optional<std::int64_t> pid = table_.self;
  while (pid && *pid > 0 && family_.insert(*pid).second) pid = table_.parent(*pid);
}

bool ForeignProcessFilter::is_ours(std::int64_t pid) const {
  if (family_.contains(pid) || pid == alias_) return true;
  const auto parent = table_.parent(pid), our_parent = table_.parent(table_.self);
  if (!parent || parent != our_parent) return false;
  const std::string executable = table_.executable(table_.self);
  return !executable.empty() && table_.executable(*our_parent) == executable;
}

void ForeignProcessFilter::find_alias(const std::vector<ForeignProcess>& listed) {
  if (alias_) return;
  const auto is_self = [&](const ForeignProcess& process) { return process.pid == table_.self; };
  if (std::any_of(listed.begin(), listed.end(), is_self)) return;
  for (const ForeignProcess& process : listed) {
    if (!first_seen_->contains(process.pid) && table_.name(process.pid).empty()) {
      alias_ = process.pid;
      return;
    }
  }
}

std::vector<ForeignProcess> ForeignProcessFilter::foreign(const std::vector<ForeignProcess>& listed) {
  if (!first_seen_) {
    first_seen_.emplace();
    for (const ForeignProcess& process : listed) first_seen_->insert(process.pid);
  }
  find_alias(listed);
  std::vector<ForeignProcess> result;
  std::set<std::int64_t> taken;
  for (const ForeignProcess& process : listed) {
    if (is_ours(process.pid) || !taken.insert(process.pid).second) continue;
    result.push_back(process);
    result.back().name = table_.name(process.pid);
  }
  return result;
}

}  // namespace census
