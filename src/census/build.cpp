// SPDX-License-Identifier: MIT
#include <census/build.hpp>

namespace census {

// Alone in its object file and weak, so that the definition that census_add_gate compiles into a gate takes
// its place.
[[gnu::weak]] Build this_build() {
  return {CENSUS_VERSION, "", false, "", "", ""};
}

}  // namespace census
