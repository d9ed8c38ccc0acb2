// SPDX-License-Identifier: MIT
// The waivers that a command judges by.
#include <census/commands.hpp>
#include <census/find_baseline.hpp>
#include <census/json_io_waivers.hpp>

namespace census {

Waivers checked_waivers(const Call& call) {
  Waivers waivers = read_waivers(call.options.baselines);
  if (waivers.entries.empty()) return waivers;
  WaiverNames names;
  for (const auto& row : call.census.rows) names.census_rows.push_back(row.id);
  for (const auto& [file, baseline] : readable_baselines(call.options.baselines)) {
    names.slugs.push_back(std::filesystem::path(file).stem().string());
    for (const auto& row : baseline.rows) {
      names.baseline_rows.push_back(row.id);
      names.baseline_rows.insert(names.baseline_rows.end(), row.aliases.begin(), row.aliases.end());
    }
  }
  check_waivers(waivers, names, call.platform.today());
  return waivers;
}

}  // namespace census
