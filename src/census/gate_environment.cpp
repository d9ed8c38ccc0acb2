// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/gate.hpp>
#include <census/names.hpp>
#include <census/resource_spec.hpp>
#include <census/select.hpp>

namespace census {
namespace {

/// The value and its entry in the settings; nullopt where the variable is unset or empty.
std::optional<std::string> in_force(Options& options, const Environment& environment,
                                    const std::string& name) {
  const auto value = environment(name);
  if (!value || value->empty()) return std::nullopt;
  options.settings.push_back(name + "=" + *value);
  return value;
}

std::vector<Backend> parse_backends(const std::string& text) {
  std::vector<Backend> backends;
  std::size_t start = 0;
  while (start <= text.size()) {
    const auto comma = std::min(text.find(',', start), text.size());
    backends.push_back(parse_backend(text.substr(start, comma - start)));
    start = comma + 1;
  }
  return backends;
}

bool parse_switch(const std::string& text) {
  if (text == "1") return true;
  if (text == "0") return false;
  throw UsageError("\"" + text + "\": expected 0 or 1");
}

/// Runs `read`, naming the variable in what it throws.
template <class Read>
void naming(const std::string& variable, Read read) {
  try {
    read();
  } catch (const UsageError& problem) {
    throw UsageError(variable + ": " + problem.what());
  }
}

}  // namespace

Options with_environment(Options options, const Environment& environment) {
  if (options.require.empty()) {
    if (const auto value = in_force(options, environment, "CENSUS_REQUIRE")) {
      naming("CENSUS_REQUIRE", [&] { options.require = parse_backends(*value); });
    }
  }
  if (!options.strict) {
    if (const auto value = in_force(options, environment, "CENSUS_STRICT")) {
      naming("CENSUS_STRICT", [&] { options.strict = parse_switch(*value); });
    }
  }
  if (options.plants.empty()) {
    if (const auto value = in_force(options, environment, "CENSUS_PLANT")) {
      naming("CENSUS_PLANT", [&] { options.plants = parse_plants(*value); });
    }
  }
  if (options.arm.empty()) {
    if (const auto value = in_force(options, environment, "CENSUS_ARM")) options.arm = *value;
  }
  return options;
}

std::string device_from_ctest(const Environment& environment, const std::vector<Device>& devices) {
  const auto group = environment("CTEST_RESOURCE_GROUP_0_GPUS");
  const auto id = group ? id_in_group(*group) : std::nullopt;
  if (!id) return "";
  std::vector<std::string> ids;
  for (const auto& device : devices) {
    if (ctest_id(device) == *id) return device.uuid;
    ids.push_back(ctest_id(device));
  }
  throw UsageError("ctest gave this test GPU \"" + *id + "\", which is not here" + nearest_hint(*id, ids) +
                   "; check its resource specification against: resource-spec");
}

}  // namespace census
