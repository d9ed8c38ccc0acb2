// SPDX-License-Identifier: MIT
#include <census/json_io.hpp>
#include <census/temporary_directory.hpp>

#include <stdlib.h>

namespace census {

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "kernel-census-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw FileError(pattern + ": cannot make a temporary directory; set TMPDIR");
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace census
