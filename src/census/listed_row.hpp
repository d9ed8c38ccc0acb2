// SPDX-License-Identifier: MIT
// The rows of another executable, as its `list --format json` prints them.
#pragma once

#include <census/kernel_case.hpp>

#include <string>
#include <vector>

namespace census {

struct ListedRow {
  std::string id;
  Backend backend = Backend::cuda;
  bool resident = false;
  Bytes cold_bytes;
  std::vector<std::string> arms;
  std::vector<std::string> plans;
};

/// Throws FileError for text that is no such list, or of another schema.
[[nodiscard]] std::vector<ListedRow> parse_list(const std::string& text, const std::string& file_name);

}  // namespace census
