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

TEST(Plant, TellsWhatTheSearchBeginsWith) {
  EXPECT_EQ(find_plant(parse_plants("a=5"), row("a", Backend::cuda))->bytes, 0);
  const auto plant = find_plant(parse_plants("*=2,cuda:a=2.5@4096"), row("a", Backend::cuda));
  ASSERT_TRUE(plant);
  EXPECT_EQ(plant->percent, 2.5);
  EXPECT_EQ(plant->bytes, 4096);
  EXPECT_FALSE(find_plant({*plant}, row("b", Backend::cuda)));
}

TEST(Plant, IsWrittenAsItIsRead) {
  EXPECT_EQ(plant_text(Backend::cuda, "bf16.head", 2.5), "cuda:bf16.head=2.5");
  EXPECT_EQ(plant_text(Backend::cpu, "a", 3, 1600), "cpu:a=3@1600");
}

TEST(Plant, RefusesBytesThatAreNone) {
  for (const char* text : {"a=5@", "a=5@0", "a=5@-16", "a=5@x", "a=5@1.5", "a=5@1@2", "a=@16", "a@16=5@"}) {
    EXPECT_THROW((void)parse_plants(text), UsageError) << text;
  }
}

TEST(Plant, RefusesWhatIsNoPercentage) {
  for (const char* text :
       {"", "a", "a=", "a=x", "a=0", "a=-1", "a=nan", "a=1e9", "a=5%", "=5", "hip:a=5", "a=5,"}) {
    EXPECT_THROW((void)parse_plants(text), UsageError) << text;
  }
}

}  // namespace
}  // namespace census
