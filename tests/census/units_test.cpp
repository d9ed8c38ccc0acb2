// SPDX-License-Identifier: MIT
#include <census/units.hpp>

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>

namespace census {
namespace {

TEST(Units, BandwidthOfAMillionBytesInAMicrosecondIsOneTerabytePerSecond) {
  EXPECT_DOUBLE_EQ(bandwidth({1'000'000}, {1.0}).value, 1.0);
  EXPECT_DOUBLE_EQ(bandwidth({42'205'184}, {10.0}).value, 4.2205184);
}

TEST(Units, BandwidthOfNoTimeIsNotANumber) {
  EXPECT_TRUE(std::isnan(bandwidth({1}, {0.0}).value));
  EXPECT_TRUE(std::isnan(bandwidth({1}, {-1.0}).value));
  EXPECT_TRUE(std::isnan(bandwidth({1}, {std::numeric_limits<double>::quiet_NaN()}).value));
}

TEST(Units, TrafficIsInPowersOfTen) {
  EXPECT_EQ(format_traffic({42'205'184}), "42.2 MB");
  EXPECT_EQ(format_traffic({4'408'999'936}), "4.41 GB");
  EXPECT_EQ(format_traffic({1'500}), "1.5 kB");
  EXPECT_EQ(format_traffic({999}), "999 B");
  EXPECT_EQ(format_traffic({0}), "0 B");
}

TEST(Units, MemoryIsInPowersOfTwo) {
  EXPECT_EQ(format_memory({1 << 30}), "1.00 GiB");
  EXPECT_EQ(format_memory({60 * 1024 * 1024}), "60.0 MiB");
  EXPECT_EQ(format_memory({1023}), "1023 B");
}

TEST(Units, FixedNotationRoundsAndKeepsTrailingZeros) {
  EXPECT_EQ(format_fixed(1.0, 3), "1.000");
  EXPECT_EQ(format_fixed(2.675, 1), "2.7");
  EXPECT_EQ(format_fixed(1e20, 0), "100000000000000000000");
}

TEST(Units, ASignedNumberHasASignAndNoNegativeZero) {
  EXPECT_EQ(format_signed(1.26, 1), "+1.3");
  EXPECT_EQ(format_signed(-12.5, 2), "-12.50");
  EXPECT_EQ(format_signed(0.0, 1), "+0.0");
  EXPECT_EQ(format_signed(-0.004, 2), "+0.00");
  EXPECT_EQ(format_signed(-0.006, 2), "-0.01");
}

TEST(Units, WhatIsNotFiniteIsNotPrintedAsANumber) {
  EXPECT_EQ(format_fixed(std::numeric_limits<double>::infinity(), 2), "n/a");
  EXPECT_EQ(format_fixed(std::numeric_limits<double>::quiet_NaN(), 2), "n/a");
  EXPECT_EQ(format_signed(-std::numeric_limits<double>::infinity(), 2), "n/a");
}

}  // namespace
}  // namespace census
