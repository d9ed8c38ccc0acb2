// SPDX-License-Identifier: MIT
#include <census/census.hpp>

#include <gmock/gmock.h>

#include <stdexcept>

namespace census {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

KernelCase row(const std::string& id, Backend backend = Backend::cuda) {
  KernelCase result;
  result.id = id;
  result.backend = backend;
  result.cold_bytes = {16};
  result.uses = {{"plan", 1}};
  result.arms = {Arm{}};
  return result;
}

Census of(std::vector<KernelCase> rows) {
  Census census;
  census.rows = std::move(rows);
  census.plans = {"plan"};
  return census;
}

auto refuses(const std::string& id, const std::string& reason) {
  return ThrowsMessage<std::invalid_argument>(AllOf(HasSubstr("'" + id + "'"), HasSubstr(reason)));
}

TEST(Validate, AcceptsOneIdOnBothBackends) {
  EXPECT_NO_THROW(validate(of({row("bf16.head.4096x64448"), row("bf16.head.4096x64448", Backend::cpu)})));
}

TEST(Validate, RefusesAnIdTwiceOnOneBackend) {
  const Census census = of({row("a"), row("a")});
  EXPECT_THAT([&] { validate(census); }, refuses("a", "twice on cuda"));
}

TEST(Validate, RefusesAnEmptyId) {
  const Census census = of({row("")});
  EXPECT_THAT([&] { validate(census); }, refuses("", "empty"));
}

TEST(Validate, RefusesAnIdThatAGlobOrAFileNameWouldMisread) {
  for (const char* id : {"A", "a b", "a/b", "a*", "a-b", "\xC3\xA4"}) {
    const Census census = of({row(id)});
    EXPECT_THAT([&] { validate(census); }, refuses(id, "lower case letters"));
  }
}

TEST(Validate, RefusesARowWithoutArms) {
  Census census = of({row("a")});
  census.rows[0].arms.clear();
  EXPECT_THAT([&] { validate(census); }, refuses("a", "no arms"));
}

TEST(Validate, RefusesAUseOfAPlanThatIsNotListed) {
  Census census = of({row("a")});
  census.rows[0].uses = {{"other", 1}};
  EXPECT_THAT([&] { validate(census); }, refuses("a", "plan 'other'"));
}

TEST(Validate, RefusesAUseWithoutCalls) {
  Census census = of({row("a")});
  census.rows[0].uses = {{"plan", 0}};
  EXPECT_THAT([&] { validate(census); }, refuses("a", "must be positive"));
}

TEST(Validate, RefusesNoColdBytesUnlessResident) {
  Census census = of({row("a")});
  census.rows[0].cold_bytes = {0};
  EXPECT_THAT([&] { validate(census); }, refuses("a", "no cold bytes"));
  census.rows[0].resident = true;
  EXPECT_NO_THROW(validate(census));
}

TEST(Validate, RefusesAPlannedRowThatIsThereAlready) {
  Census census = of({row("a")});
  census.planned = {{.id = "a", .uses = {{"plan", 1}}}};
  EXPECT_THAT([&] { validate(census); }, refuses("a", "is there already"));
}

TEST(Validate, RefusesAPlannedRowOfAPlanThatIsNotListed) {
  Census census = of({row("a")});
  census.planned = {{.id = "b", .uses = {{"other", 1}}}};
  EXPECT_THAT([&] { validate(census); }, refuses("b", "plan 'other'"));
}

TEST(Backend, HasTheNameThatOptionsUse) {
  EXPECT_STREQ(to_string(Backend::cuda), "cuda");
  EXPECT_STREQ(to_string(Backend::cpu), "cpu");
}

}  // namespace
}  // namespace census
