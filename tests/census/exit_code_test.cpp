// SPDX-License-Identifier: MIT
#include <census/judge.hpp>

#include <gtest/gtest.h>

namespace census {
namespace {

int code(Kind kind, const Policy& policy = {}, bool advisory = false, bool required = false) {
  return exit_code(Verdict{.kind = kind}, advisory, policy, required);
}

TEST(ExitCode, IsTheDocumentedOneForEveryKind) {
  EXPECT_EQ(code(Kind::pass), 0);
  EXPECT_EQ(code(Kind::improved), 0);
  EXPECT_EQ(code(Kind::regressed), 1);
  EXPECT_EQ(code(Kind::incorrect), 1);
  EXPECT_EQ(code(Kind::invalid), 3);
  EXPECT_EQ(code(Kind::environment), 3);
  EXPECT_EQ(code(Kind::inconclusive), 3);
  EXPECT_EQ(code(Kind::no_baseline), 77);
  EXPECT_EQ(code(Kind::removed), 0);
  EXPECT_EQ(code(Kind::no_device), 77);
  EXPECT_EQ(code(Kind::error), 2);
}

TEST(ExitCode, StrictFailsWhatHasNoBaselineOrNoRow) {
  EXPECT_EQ(code(Kind::no_baseline, {.strict = true}), 3);
  EXPECT_EQ(code(Kind::removed, {.strict = true}), 3);
  EXPECT_EQ(code(Kind::no_device, {.strict = true}), 77);
}

TEST(ExitCode, ARequiredBackendMustBeThere) {
  EXPECT_EQ(code(Kind::no_device, {}, false, true), 3);
}

TEST(ExitCode, ImprovedFailsOnlyOnRequest) {
  EXPECT_EQ(code(Kind::improved, {.fail_on_improved = true}), 1);
}

TEST(ExitCode, AnAdvisoryRowNeverBlocksByItsTimeButDoesByItsOutput) {
  EXPECT_EQ(code(Kind::regressed, {}, true), 0);
  EXPECT_EQ(code(Kind::incorrect, {}, true), 1);
}

TEST(ExitCode, ABusyCpuSkipsUnlessStrictOrRequired) {
  EXPECT_EQ(code(Kind::environment, {.one_sided_fraction = true}), 77);
  EXPECT_EQ(code(Kind::environment, {.strict = true, .one_sided_fraction = true}), 3);
  EXPECT_EQ(code(Kind::environment, {.one_sided_fraction = true}, false, true), 3);
}

TEST(CombineExitCodes, IsTheFirstPresentOfTwoOneThree) {
  EXPECT_EQ(combine_exit_codes({0, 3, 1, 2, 77}), 2);
  EXPECT_EQ(combine_exit_codes({0, 3, 1, 77}), 1);
  EXPECT_EQ(combine_exit_codes({0, 3, 77}), 3);
}

TEST(CombineExitCodes, SkippedRowsBesideAPassAreAPass) {
  EXPECT_EQ(combine_exit_codes({77, 0, 77}), 0);
}

TEST(CombineExitCodes, OnlySkippedRowsAreSkipped) {
  EXPECT_EQ(combine_exit_codes({77, 77}), 77);
}

TEST(CombineExitCodes, NoRowsAreBadUsage) {
  EXPECT_EQ(combine_exit_codes({}), 2);
}

}  // namespace
}  // namespace census
