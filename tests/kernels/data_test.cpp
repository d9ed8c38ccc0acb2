// SPDX-License-Identifier: MIT
// The data contract against published values, and the ranges that each format promises.
#include "formats/data.hpp"

#include "formats/bf16.hpp"
#include "formats/f32.hpp"
#include "formats/halve.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstdint>

namespace kernels {
namespace {

using testing::ElementsAre;

TEST(Data, ElementBitsAreThePublishedOutputsOfSplitmix64) {
  // The sequence for seed 1234567 that implementations in many languages print.
  EXPECT_EQ(element_bits(1234567, 0), 6457827717110365317ULL);
  EXPECT_EQ(element_bits(1234567, 1), 3203168211198807973ULL);
  EXPECT_EQ(element_bits(1234567, 2), 9817491932198370423ULL);
  EXPECT_EQ(element_bits(1234567, 3), 4593380528125082431ULL);
  EXPECT_EQ(element_bits(1234567, 4), 16408922859458223821ULL);
}

TEST(Data, Fnv1aGivesThePublishedTestVectors) {
  EXPECT_EQ(fnv1a(""), 0xCBF29CE484222325ULL);
  EXPECT_EQ(fnv1a("a"), 0xAF63DC4C8601EC8CULL);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171F73967E8ULL);
}

TEST(Data, BufferSeedHashesRowBufferCopyAndUserSeed) {
  EXPECT_EQ(buffer_seed("launch.empty", "x", 3, 42), fnv1a("launch.empty/x/3/42"));
}

TEST(Data, BelowScalesTheLow32Bits) {
  EXPECT_EQ(below(7, 0), 0U);
  EXPECT_EQ(below(7, 0xFFFFFFFFULL), 6U);
  EXPECT_EQ(below(7, 0x80000000ULL), 3U);          // floor(7 / 2)
  EXPECT_EQ(below(7, 0xFFFFFFFF00000000ULL), 0U);  // high bits do not count
}

TEST(Data, Bf16WeightIsSignExponentMantissa) {
  EXPECT_EQ(Bf16Weight{}(0), 120U << 7);
  EXPECT_EQ(Bf16Weight{}(0x8100000000000000ULL), 0x8000U | 120U << 7 | 1U);
  EXPECT_EQ(Bf16Weight{}(~0ULL), 0x8000U | 126U << 7 | 0x7FU);
}

TEST(Data, WideningABf16IsExact) {
  EXPECT_EQ(widen(Bf16{0x3F80}), 1.0F);
  EXPECT_EQ(widen(Bf16{0xC040}), -3.0F);
  EXPECT_EQ(widen(Bf16{0x0001}), std::ldexp(1.0F, -133));  // the smallest subnormal bf16 is not flushed
}

TEST(Data, ActivationsReachFromOneEighthToBelowOne) {
  EXPECT_EQ(F32Activation{}(0), 0.125F);
  EXPECT_EQ(F32Activation{}(~0ULL), -std::nextafter(1.0F, 0.0F));
}

TEST(Data, F32WeightsReachFromTwoToTheMinusSevenToBelowOne) {
  EXPECT_EQ(F32Weight{}(0), std::ldexp(1.0F, -7));
  EXPECT_EQ(F32Weight{}(~0ULL), -std::nextafter(1.0F, 0.0F));
}

TEST(Data, EveryExponentAndBothSignsOccur) {
  std::array<int, 7> count{};
  int negative = 0;
  for (std::uint64_t i = 0; i < 7000; ++i) {
    const Bf16 w = Bf16Weight{}(element_bits(1, i));
    ++count.at((w >> 7 & 0xFFU) - 120U);
    negative += w >> 15;
  }
  EXPECT_THAT(count,
              testing::Each(testing::AllOf(testing::Gt(850), testing::Lt(1150))));  // 1000 expected, sigma 29
  EXPECT_THAT(negative, testing::AllOf(testing::Gt(3250), testing::Lt(3750)));      // 3500 expected, sigma 42
}

TEST(Halve, AddsTheUpperHalfToTheLowerAtEachStep) {
  std::array<float, 8> p{1, 2, 3, 4, 10, 20, 30, 40};
  EXPECT_EQ(halve(p), 110.0F);
  // After the steps 11 22 33 44 | 44 66 | 110.
  EXPECT_THAT(p, ElementsAre(110, 66, 33, 44, 10, 20, 30, 40));
}

TEST(Halve, RoundsInTheOrderOfTheContract) {
  // 2^24 + 1 rounds to 2^24. Pairs (0,2) and (1,3) first: (2^24 - 2^24) + (1 + 1) = 2; left to right would
  // give 1.
  std::array<float, 4> p{16777216.0F, 1.0F, -16777216.0F, 1.0F};
  EXPECT_EQ(halve(p), 2.0F);
}

}  // namespace
}  // namespace kernels
