// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/names.hpp>
#include <census/plant.hpp>
#include <census/select.hpp>

#include <charconv>

namespace census {
namespace {

// Ten times slower: more than any test of the gate needs, and a guard against "1e9".
constexpr double most_percent = 1000;

PlantRequest parse_plant(const std::string& part) {
  const auto equals = part.rfind('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError("plant \"" + part +
                     "\": expected [BACKEND:]GLOB=PERCENT, for example cuda:bf16.qkvg_full*=10");
  }
  PlantRequest request{std::nullopt, part.substr(0, equals), 0};
  const auto colon = request.glob.find(':');
  if (colon != std::string::npos) {
    request.backend = parse_backend(request.glob.substr(0, colon));
    request.glob = request.glob.substr(colon + 1);
  }
  const char* first = part.data() + equals + 1;
  const char* last = part.data() + part.size();
  const auto [end, problem] = std::from_chars(first, last, request.percent);
  if (problem != std::errc{} || end != last || !(request.percent > 0 && request.percent <= most_percent)) {
    throw UsageError("plant \"" + part + "\": the percentage must be a number above 0 and at most 1000");
  }
  return request;
}

}  // namespace

std::vector<PlantRequest> parse_plants(const std::string& text) {
  std::vector<PlantRequest> plants;
  std::size_t start = 0;
  while (start <= text.size()) {
    const auto comma = std::min(text.find(',', start), text.size());
    plants.push_back(parse_plant(text.substr(start, comma - start)));
    start = comma + 1;
  }
  return plants;
}

double planted_percent(const std::vector<PlantRequest>& plants, const KernelCase& row) {
  double percent = 0;
  for (const auto& plant : plants) {
    const bool backend_fits = !plant.backend || *plant.backend == row.backend;
    if (backend_fits && glob_matches(plant.glob, row.id)) percent = plant.percent;
  }
  return percent;
}

}  // namespace census
