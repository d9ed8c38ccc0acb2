// SPDX-License-Identifier: MIT
#include <census/plant_calibration.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace census {
namespace {

TEST(PlantCalibration, TakesTheFirstGuessWhenItIsGoodEnough) {
  int measured = 0;
  const auto result = calibrate_plant(5.0, 1'000'000, 1'000'000'000, [&](std::int64_t) {
    ++measured;
    return 5.2;
  });
  EXPECT_TRUE(result.reached);
  EXPECT_EQ(result.bytes_per_launch, 1'000'000);
  EXPECT_EQ(measured, 1);
}

TEST(PlantCalibration, FindsThePointOfALinearRise) {
  // 1 % per million bytes: 10 % needs 10 million.
  const auto result = calibrate_plant(10.0, 4'000'000, 1'000'000'000,
                                      [](std::int64_t bytes) { return static_cast<double>(bytes) / 1e6; });
  EXPECT_TRUE(result.reached);
  EXPECT_NEAR(static_cast<double>(result.bytes_per_launch), 10e6, 0.3e6);
  EXPECT_NEAR(result.achieved_percent, 10.0, plant_tolerance_points);
}

TEST(PlantCalibration, ClimbsAPlateauWhereExtraReadsAreHidden) {
  // Nothing up to 3 million bytes, then 2 % per million.
  const auto result = calibrate_plant(3.0, 100'000, 1'000'000'000, [](std::int64_t bytes) {
    return std::max(0.0, (static_cast<double>(bytes) - 3e6) / 0.5e6);
  });
  EXPECT_TRUE(result.reached);
  EXPECT_NEAR(static_cast<double>(result.bytes_per_launch), 4.5e6, 0.15e6);
}

TEST(PlantCalibration, ReturnsTheClosestWhenAStepMakesTheRequestUnreachable) {
  const auto result =
      calibrate_plant(2.0, 64, 1'000'000, [](std::int64_t bytes) { return bytes >= 1600 ? 7.0 : 0.5; });
  EXPECT_FALSE(result.reached);
  EXPECT_DOUBLE_EQ(result.achieved_percent, 0.5);
}

TEST(PlantCalibration, NeverAsksForMoreThanThereIsNorForPartsOfALoad) {
  std::vector<std::int64_t> asked;
  const auto result = calibrate_plant(50.0, 3'000, 10'007, [&](std::int64_t bytes) {
    asked.push_back(bytes);
    return 1.0;
  });
  EXPECT_FALSE(result.reached);
  EXPECT_THAT(asked,
              testing::Each(testing::AllOf(testing::Gt(0), testing::Le(10'007),
                                           testing::ResultOf([](std::int64_t b) { return b % 16; }, 0))));
  EXPECT_EQ(asked.back(), 10'000);
}

TEST(PlantCalibration, SettlesUnderNoiseOfTwoTenthsOfAPercent) {
  int call = 0;
  const auto result = calibrate_plant(5.0, 1'000'000, 1'000'000'000, [&](std::int64_t bytes) {
    const double noise = 0.2 * std::sin(7.0 * ++call);
    return static_cast<double>(bytes) / 0.8e6 + noise;
  });
  EXPECT_TRUE(result.reached);
  EXPECT_NEAR(static_cast<double>(result.bytes_per_launch), 4e6, 0.45e6);
}

TEST(PlantCalibration, PlantsNothingWithoutMemory) {
  const auto result = calibrate_plant(5.0, 1'000, 15, [](std::int64_t) { return 5.0; });
  EXPECT_FALSE(result.reached);
  EXPECT_EQ(result.bytes_per_launch, 0);
}

}  // namespace
}  // namespace census
