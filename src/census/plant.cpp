// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/names.hpp>
#include <census/plant.hpp>
#include <census/select.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <charconv>

namespace census {
namespace {

// Ten times slower: more than any test of the gate needs, and a guard against "1e9".
constexpr double most_percent = 1000;

// The number that makes up the whole of `text`.
template <class Number>
std::optional<Number> number(const std::string& text) {
  Number value{};
  const char* last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, value);
  if (problem != std::errc{} || end != last) return std::nullopt;
  return value;
}

PlantRequest parse_plant(const std::string& part) {
  const auto equals = part.rfind('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError("plant \"" + part +
                     "\": expected [BACKEND:]GLOB=PERCENT[@BYTES], for example cuda:bf16.qkvg_full*=10");
  }
  PlantRequest request{.glob = part.substr(0, equals)};
  const auto colon = request.glob.find(':');
  if (colon != std::string::npos) {
    request.backend = parse_backend(request.glob.substr(0, colon));
    request.glob = request.glob.substr(colon + 1);
  }
  const auto at = std::min(part.find('@', equals), part.size());
  request.percent = number<double>(part.substr(equals + 1, at - equals - 1)).value_or(0);
  if (!(request.percent > 0 && request.percent <= most_percent)) {
    throw UsageError("plant \"" + part + "\": the percentage must be a number above 0 and at most 1000");
  }
  if (at == part.size()) return request;
  request.bytes = number<std::int64_t>(part.substr(at + 1)).value_or(0);
  if (request.bytes <= 0)
    throw UsageError("plant \"" + part + "\": the bytes after @ must be a whole number above 0");
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

std::optional<PlantRequest> find_plant(const std::vector<PlantRequest>& plants, const KernelCase& row) {
  std::optional<PlantRequest> found;
  for (const auto& plant : plants) {
    const bool backend_fits = !plant.backend || *plant.backend == row.backend;
    if (backend_fits && glob_matches(plant.glob, row.id)) found = plant;
  }
  return found;
}

double planted_percent(const std::vector<PlantRequest>& plants, const KernelCase& row) {
  const auto plant = find_plant(plants, row);
  return plant ? plant->percent : 0;
}

std::string plant_text(Backend backend, const std::string& row, double percent, std::int64_t bytes) {
  return std::string(to_string(backend)) + ":" + row + "=" + format_shortest(percent) +
         (bytes > 0 ? "@" + std::to_string(bytes) : "");
}

}  // namespace census
