// SPDX-License-Identifier: MIT
// The table of all rows that one gate executable serves.
#pragma once

#include <census/kernel_case.hpp>

#include <string>
#include <vector>

namespace census {

/// A row that plans spend but that has no kernel yet. Sums name it as missing and never count it as zero.
struct PlannedRow {
  std::string id;
  std::vector<Use> uses;
};

struct Census {
  std::string name;                 ///< "decode-kernel-census"
  std::vector<KernelCase> rows;     ///< in the order of the table; (id, backend) is unique
  std::vector<std::string> plans;   ///< plan names in the order they are shown
  std::vector<PlannedRow> planned;  ///< rows to come; empty when the census is complete
};

/// Throws std::invalid_argument naming the row: an id that breaks the naming rule or is there twice, a row
/// without arms, a use of a plan that is not listed or with no calls, cold bytes that are not positive on a
/// row that is not resident, a planned row that is there already.
void validate(const Census& census);

}  // namespace census
