// SPDX-License-Identifier: MIT
// The version of the ceiling and floor probes: a baseline made with other probes does not match.
#pragma once

namespace census {

/// Raised by one whenever what a probe reads, or how, changes. 1: plain 16-byte loads and, on sm_90 to
/// sm_103, bulk copies.
inline constexpr int probe_version = 1;

}  // namespace census
