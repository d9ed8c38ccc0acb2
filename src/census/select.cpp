// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/names.hpp>
#include <census/select.hpp>

#include <algorithm>

namespace census {
namespace {

void check_plans(const Census& census, const Options& options) {
  for (const auto& plan : options.plans) {
    if (std::find(census.plans.begin(), census.plans.end(), plan) == census.plans.end()) {
      throw UsageError("no plan \"" + plan + "\"" + nearest_hint(plan, census.plans));
    }
  }
}

void check_plants(const Census& census, const Options& options) {
  for (const auto& plant : options.plants) {
    const bool hits = std::any_of(census.rows.begin(), census.rows.end(),
                                  [&](const KernelCase& row) { return planted_percent({plant}, row) > 0; });
    if (hits) continue;
    std::vector<std::string> ids;
    for (const auto& row : census.rows) ids.push_back(row.id);
    throw UsageError("plant: no row matches \"" + plant.glob + "\"" + nearest_hint(plant.glob, ids));
  }
}

bool in_plans(const KernelCase& row, const std::vector<std::string>& plans) {
  return plans.empty() || std::any_of(row.uses.begin(), row.uses.end(), [&](const Use& use) {
           return std::find(plans.begin(), plans.end(), use.plan) != plans.end();
         });
}

}  // namespace

Backend parse_backend(const std::string& text) {
  if (text == "cuda") return Backend::cuda;
  if (text == "cpu") return Backend::cpu;
  throw UsageError("no backend \"" + text + "\"; there are: cuda, cpu");
}

std::vector<const KernelCase*> select_rows(const Census& census, const Options& options,
                                           std::optional<Backend> backend) {
  check_plans(census, options);
  check_plants(census, options);
  std::vector<std::string> ids;
  for (const auto& row : census.rows) {
    if (!backend || row.backend == *backend) ids.push_back(row.id);
  }
  for (const auto& glob : options.rows) {
    if (std::none_of(ids.begin(), ids.end(), [&](const auto& id) { return glob_matches(glob, id); })) {
      const std::string where = backend ? std::string(" on ") + to_string(*backend) : "";
      throw UsageError("no row matches \"" + glob + "\"" + where + nearest_hint(glob, ids));
    }
  }
  std::vector<const KernelCase*> selected;
  for (const auto& row : census.rows) {
    const bool by_id = options.rows.empty() || matches_any(options.rows, row.id);
    if ((!backend || row.backend == *backend) && by_id && in_plans(row, options.plans))
      selected.push_back(&row);
  }
  return selected;
}

bool is_selected(const Census& census, const Options& options, Backend backend, const std::string& row) {
  check_plans(census, options);
  if (options.backend && backend != *options.backend) return false;
  if (!options.rows.empty() && !matches_any(options.rows, row)) return false;
  return options.plans.empty() ||
         std::any_of(census.rows.begin(), census.rows.end(), [&](const KernelCase& each) {
           return each.backend == backend && each.id == row && in_plans(each, options.plans);
         });
}

}  // namespace census
