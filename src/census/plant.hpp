// SPDX-License-Identifier: MIT
// Planted slowdowns as a user asks for them: "[BACKEND:]GLOB=PERCENT[@BYTES][,...]".
#pragma once

#include <census/kernel_case.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace census {

/// Lengthen the launches of the rows that match by `percent` of their measured time.
struct PlantRequest {
  std::optional<Backend> backend;  ///< nullopt: every backend
  std::string glob;
  double percent = 0;
  std::int64_t bytes = 0;  ///< per launch, what the search for the slowdown begins with; 0: by the percentage
};

/// Throws UsageError naming the part that is wrong: no '=', an unknown backend, a percentage that is not in
/// (0, 1000], bytes that are not a positive whole number.
[[nodiscard]] std::vector<PlantRequest> parse_plants(const std::string& text);

/// What is planted on the row: the last request that matches, nullopt for none.
[[nodiscard]] std::optional<PlantRequest> find_plant(const std::vector<PlantRequest>& plants,
                                                     const KernelCase& row);

/// The percentage of find_plant(), 0 for none.
[[nodiscard]] double planted_percent(const std::vector<PlantRequest>& plants, const KernelCase& row);

/// A request for one row as parse_plants() takes it. Without `bytes` where they are 0.
[[nodiscard]] std::string plant_text(Backend backend, const std::string& row, double percent,
                                     std::int64_t bytes = 0);

}  // namespace census
