// SPDX-License-Identifier: MIT
// From verdicts to exit codes.
#include <census/judge.hpp>

#include <algorithm>

namespace census {
namespace {

// 77 is what ctest's SKIP_RETURN_CODE is set to.
constexpr int passed = 0, failed = 1, broken = 2, unknown = 3, skipped = 77;

}  // namespace

int exit_code(const Verdict& verdict, bool advisory, const Policy& policy, bool required) {
  switch (verdict.kind) {
    case Kind::pass:
      return passed;
    case Kind::improved:
      return policy.fail_on_improved ? failed : passed;
    case Kind::regressed:
      return advisory ? passed : failed;
    case Kind::incorrect:
      return failed;
    case Kind::invalid:
    case Kind::inconclusive:
      return unknown;
    // A shared CPU is busy more often than not: a neighbour skips the row, and only a caller who insists gets
    // a red.
    case Kind::environment:
      return policy.one_sided_fraction && !policy.strict && !required ? skipped : unknown;
    case Kind::no_baseline:
      return policy.strict ? unknown : skipped;
    case Kind::removed:
      return policy.strict ? unknown : passed;
    case Kind::no_device:
      return required ? unknown : skipped;
    case Kind::error:
      return broken;
  }
  return broken;
}

int combine_exit_codes(const std::vector<int>& codes) {
  if (codes.empty()) return broken;
  const auto present = [&](int code) { return std::find(codes.begin(), codes.end(), code) != codes.end(); };
  for (const int code : {broken, failed, unknown}) {
    if (present(code)) return code;
  }
  const bool only_skipped = std::all_of(codes.begin(), codes.end(), [](int code) { return code == skipped; });
  return only_skipped ? skipped : passed;
}

}  // namespace census
