// SPDX-License-Identifier: MIT
#include <census/census.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace census {
namespace {

[[noreturn]] void refuse(const std::string& id, const std::string& what) {
  throw std::invalid_argument("census row '" + id + "': " + what);
}

// An id names ctest cases, globs and files, so it holds nothing that any of them would quote.
void check_id(const std::string& id) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  };
  if (id.empty()) refuse(id, "an id must not be empty");
  if (!std::all_of(id.begin(), id.end(), allowed))
    refuse(id, "an id has lower case letters, digits, '_' and '.' only");
}

void check_uses(const Census& census, const std::string& id, const std::vector<Use>& uses) {
  for (const Use& use : uses) {
    if (std::find(census.plans.begin(), census.plans.end(), use.plan) == census.plans.end()) {
      refuse(id, "uses the plan '" + use.plan + "', which the census does not list");
    }
    if (use.calls_per_token <= 0) refuse(id, "calls per token of plan '" + use.plan + "' must be positive");
  }
}

void check_row(const KernelCase& row) {
  if (row.arms.empty()) refuse(row.id, "has no arms");
  if (!row.resident && row.cold_bytes.value <= 0) refuse(row.id, "has no cold bytes and is not resident");
}

}  // namespace

const char* to_string(Backend backend) {
  return backend == Backend::cuda ? "cuda" : "cpu";
}

void validate(const Census& census) {
  std::set<std::pair<std::string, Backend>> seen;
  std::set<std::string> kernels;
  for (const KernelCase& row : census.rows) {
    check_id(row.id);
    if (!seen.emplace(row.id, row.backend).second)
      refuse(row.id, std::string("is there twice on ") + to_string(row.backend));
    kernels.insert(row.id);
    check_row(row);
    check_uses(census, row.id, row.uses);
  }
  for (const PlannedRow& planned : census.planned) {
    check_id(planned.id);
    if (!kernels.insert(planned.id).second) refuse(planned.id, "is planned, but is there already");
    check_uses(census, planned.id, planned.uses);
  }
}

}  // namespace census
