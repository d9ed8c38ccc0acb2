// SPDX-License-Identifier: MIT
// What was built: the identity that every record carries.
#pragma once

#include <string>

namespace census {

/// Known from the build, not from the working directory.
struct Build {
  std::string version;   ///< of kernel-census, "0.1.0"
  std::string commit;    ///< of the gate's own repository, full hash; "" where unknown
  bool dirty = false;    ///< tracked files, baselines apart, differed from the commit
  std::string compiler;  ///< "GNU 12.2.0"
  std::string cuda;      ///< "13.0.88", "" without CUDA
  std::string type;      ///< "Release"
};

/// Of this executable. census_add_gate compiles the full answer into a gate; elsewhere only the version is
/// known.
[[nodiscard]] Build this_build();

}  // namespace census
