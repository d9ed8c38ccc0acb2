// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/result_files.hpp>

#include <algorithm>

namespace census {

std::vector<std::filesystem::path> result_files(const std::string& command,
                                                const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw UsageError(command + ": name the result files or directories to read");
  std::vector<std::filesystem::path> files;
  for (const auto& argument : arguments) {
    if (!std::filesystem::is_directory(argument)) {
      files.emplace_back(argument);
      continue;
    }
    std::vector<std::filesystem::path> inside;
    for (const auto& entry : std::filesystem::directory_iterator(argument)) {
      if (entry.path().extension() == ".json") inside.push_back(entry.path());
    }
    if (inside.empty()) throw UsageError(command + ": no *.json in " + argument);
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

}  // namespace census
