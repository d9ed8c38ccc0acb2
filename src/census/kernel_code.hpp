// SPDX-License-Identifier: MIT
// The machine code of one GPU kernel, found in the fatbinaries that nvcc puts into an executable, and its
// digest.
#pragma once

#include <census/elf_sections.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace census {

/// A digest, or why there is none.
struct KernelCode {
  std::optional<std::string> sha256;  ///< 64 hex digits
  std::string reason;                 ///< of null
};

/// The digest of the code that the driver loads for kernel `name` (as the compiler mangled it) on a device
/// whose code is of `architecture` (90 = sm_90): its instructions, those of the functions they refer to, and
/// the constants and initialised variables of its module; nothing that depends on file names or on the
/// kernel's own. `fatbinaries` is the contents of a `.nv_fatbin` section. Malformed bytes give a reason;
/// never throws.
[[nodiscard]] KernelCode kernel_code(CodeBytes fatbinaries, std::string_view name, int architecture);

}  // namespace census
