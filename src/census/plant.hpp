// SPDX-License-Identifier: MIT
// Planted slowdowns as a user asks for them: "[BACKEND:]GLOB=PERCENT[,...]".
#pragma once

#include <census/kernel_case.hpp>

#include <optional>
#include <string>
#include <vector>

namespace census {

/// Lengthen the launches of the rows that match by `percent` of their measured time.
struct PlantRequest {
  std::optional<Backend> backend;  ///< nullopt: every backend
  std::string glob;
  double percent = 0;
};

/// Throws UsageError naming the part that is wrong: no '=', an unknown backend, a percentage that is not in
/// (0, 1000].
[[nodiscard]] std::vector<PlantRequest> parse_plants(const std::string& text);

/// Percent planted on the row: that of the last request that matches, 0 for none.
[[nodiscard]] double planted_percent(const std::vector<PlantRequest>& plants, const KernelCase& row);

}  // namespace census
