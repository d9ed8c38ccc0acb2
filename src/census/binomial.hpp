// SPDX-License-Identifier: MIT
// How often something really happens, from how often it was seen: exact bounds of a binomial proportion.
// Pure.
#pragma once

namespace census {

/// Confidence of every bound that the proof states.
inline constexpr double stated_confidence = 0.95;

/// Largest probability at which `seen` or fewer of `tries` still happens with probability 1 - confidence.
/// One-sided; for 0 seen it is 1 - (1 - confidence)^(1 / tries), near 3 / tries at 95 %; 1 when all were
/// seen. Throws std::invalid_argument unless 0 <= seen <= tries, tries >= 1 and 0 < confidence < 1.
/// Source: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934).
[[nodiscard]] double proportion_at_most(int seen, int tries, double confidence = stated_confidence);

/// Smallest probability at which `seen` or more of `tries` still happens with probability 1 - confidence.
/// One-sided; 0 when none were seen. Throws as above.
[[nodiscard]] double proportion_at_least(int seen, int tries, double confidence = stated_confidence);

}  // namespace census
