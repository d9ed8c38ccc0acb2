// SPDX-License-Identifier: MIT
// What a refresh tells its caller: old -> new for each row, and the total since a tagged baseline.
#pragma once

#include <census/refresh.hpp>

#include <iosfwd>
#include <optional>
#include <string>

namespace census {

/// A baseline as it was at a tag.
struct TaggedBaseline {
  std::string tag;
  Baseline baseline;
};

/// `file` is what the plan will be written to.
void print_refresh(const RefreshPlan& plan, const std::optional<TaggedBaseline>& tagged,
                   const std::string& file, std::ostream& out);

}  // namespace census
