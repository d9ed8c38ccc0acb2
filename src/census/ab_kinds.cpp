// SPDX-License-Identifier: MIT
// Names and exit codes of what the paired gate says.
#include <census/ab.hpp>

#include <array>

namespace census {
namespace {

struct KindEntry {
  AbKind kind;
  const char* name;
  int exit_code;
};
constexpr std::array<KindEntry, 9> kinds{{{AbKind::pass, "pass", 0},
                                          {AbKind::faster, "faster", 0},
                                          {AbKind::slower, "slower", 1},
                                          {AbKind::incorrect, "incorrect", 1},
                                          {AbKind::numeric_change, "numeric_change", 1},
                                          {AbKind::same_code, "same_code", 0},
                                          {AbKind::unmatched, "unmatched", 3},
                                          {AbKind::inconclusive, "inconclusive", 3},
                                          {AbKind::failed, "failed", 2}}};

}  // namespace

const char* to_string(Side side) {
  return side == Side::base ? "base" : side == Side::head ? "head" : "control";
}

const char* to_string(AbKind kind) {
  for (const auto& entry : kinds) {
    if (entry.kind == kind) return entry.name;
  }
  return "failed";
}

std::optional<AbKind> ab_kind_from(const std::string& text) {
  for (const auto& entry : kinds) {
    if (text == entry.name) return entry.kind;
  }
  return std::nullopt;
}

int exit_code(AbKind kind) {
  for (const auto& entry : kinds) {
    if (entry.kind == kind) return entry.exit_code;
  }
  return 2;
}

int exit_code(const AbReport& report) {
  std::vector<int> codes;
  for (const auto& row : report.rows) codes.push_back(exit_code(row.kind));
  return combine_exit_codes(codes);
}

}  // namespace census
