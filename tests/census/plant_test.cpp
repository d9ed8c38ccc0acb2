// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/plant.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

KernelCase row(const std::string& id, Backend backend) {
  KernelCase made;
  made.id = id;
  made.backend = backend;
  return made;
}

TEST(Plant, HitsRowsOfItsBackendOnly) {
  const auto plants = parse_plants("cuda:bf16.*=10");
  EXPECT_EQ(planted_percent(plants, row("bf16.head", Backend::cuda)), 10);
  EXPECT_EQ(planted_percent(plants, row("bf16.head", Backend::cpu)), 0);
}

TEST(Plant, WithoutABackendHitsAll) {
  EXPECT_EQ(planted_percent(parse_plants("bf16.*=2.5"), row("bf16.head", Backend::cpu)), 2.5);
}

TEST(Plant, OfTheLastMatchWins) {
  EXPECT_EQ(planted_percent(parse_plants("*=5,bf16.head=3"), row("bf16.head", Backend::cuda)), 3);
}

TEST(Plant, RefusesWhatIsNoPercentage) {
  for (const char* text :
       {"", "a", "a=", "a=x", "a=0", "a=-1", "a=nan", "a=1e9", "a=5%", "=5", "hip:a=5", "a=5,"}) {
    EXPECT_THROW((void)parse_plants(text), UsageError) << text;
  }
}

}  // namespace
}  // namespace census
