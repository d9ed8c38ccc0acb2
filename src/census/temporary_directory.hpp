// SPDX-License-Identifier: MIT
// A directory of our own for the records of child processes.
#pragma once

#include <filesystem>
#include <string>

namespace census {

/// Made under the system's temporary directory, removed with everything in it on destruction. The constructor
/// throws FileError.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();
  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace census
