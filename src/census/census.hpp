// SPDX-License-Identifier: MIT
// The table of all rows that one gate executable serves.
#pragma once

#include <string>
#include <vector>

#include <census/kernel_case.hpp>

namespace census {

struct Census {
  std::string name;               ///< "decode-kernel-census"
  std::vector<KernelCase> rows;   ///< in the order of the table; (id, backend) is unique
  std::vector<std::string> plans; ///< plan names in the order they are shown
};

/// Throws std::invalid_argument naming the row: an id that breaks the naming rule or is there twice, a row without arms, a
/// use of a plan that is not listed, cold bytes that are not positive on a row that is not resident.
void validate(const Census& census);

}  // namespace census
