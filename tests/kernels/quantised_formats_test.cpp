// SPDX-License-Identifier: MIT
// q8_0, q8_1 and NVFP4 against blocks worked out by hand, against formulas written apart, and against the
// CUDA headers.
#include "formats/nvfp4.hpp"
#include "formats/q8_0.hpp"
#include "formats/q8_1.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#if defined(CENSUS_HAVE_CUDA) && __has_include(<cuda_fp4.h>)
#define CENSUS_HAVE_CUDA_FORMATS
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#endif

namespace kernels {
namespace {

// --- q8_0

TEST(Q8_0, WidensAnyFiniteF16Exactly) {
  EXPECT_EQ(widen_f16(0x3C00), 1.0F);
  EXPECT_EQ(widen_f16(0xC000), -2.0F);
  EXPECT_EQ(widen_f16(0x0001), 0x1p-24F);      // the smallest subnormal
  EXPECT_EQ(widen_f16(0x7BFF), 65504.0F);      // the largest number
  for (int bits = 0; bits < 0x7C00; ++bits) {  // every finite positive one
    const int exponent = bits >> 10, mantissa = bits & 0x3FF;
    const double value =
        exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    ASSERT_EQ(static_cast<double>(widen_f16(static_cast<std::uint16_t>(bits))), value) << bits;
  }
}

TEST(Q8_0, RowIsOfWholeBlocks) {
  EXPECT_EQ(q8_0_row_bytes(4096), 4352U);
  EXPECT_EQ(q8_0_row_bytes(1280), 1360U);
  EXPECT_EQ(q8_0_row_bytes(6144), 6528U);
}

TEST(Q8_0, RandomScalesAreNormalAndBelowOne) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const float scale = widen_f16(Q8_0Weight{}(element_bits(7, i)).scale);
    ASSERT_GE(scale, 0x1p-7F);
    ASSERT_LT(scale, 1.0F);
  }
}

// The words in which a lane finds block `odd` of two neighbours.
Q8_0Words words_of(const std::array<Q8_0Block, 2>& blocks, bool odd) {
  std::array<std::byte, 72> bytes{};
  std::memcpy(bytes.data(), blocks.data(), sizeof(blocks));
  Q8_0Words words;
  std::memcpy(words.words, bytes.data() + (odd ? 32 : 0), sizeof(words.words));
  return words;
}

TEST(Q8_0, LaneFindsScaleAndCodesInBothHalvesOfAWord) {
  std::array<Q8_0Block, 2> blocks{};
  blocks[0].scale = 0x3C00;  // 1
  blocks[0].codes[0] = 2;
  blocks[0].codes[31] = -128;
  blocks[1].scale = 0x4200;  // 3
  blocks[1].codes[0] = 5;
  blocks[1].codes[31] = 7;
  const std::uint32_t x[8] = {10, 0, 0, 0, 0, 0, 0, 100U << 24};  // columns 0 and 31
  EXPECT_EQ(words_of(blocks, false).scale(false), 1.0F);
  EXPECT_EQ(words_of(blocks, true).scale(true), 3.0F);
  EXPECT_EQ(words_of(blocks, false).dot(false, x), 2 * 10 - 128 * 100);
  EXPECT_EQ(words_of(blocks, true).dot(true, x), 5 * 10 + 7 * 100);
}

TEST(Q8_0, LaneDotIsTheDotOfAnyBlock) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::array<Q8_0Block, 2> blocks{Q8_0Weight{}(element_bits(1, i)), Q8_0Weight{}(element_bits(2, i))};
    const Q8_1Activation x = random_q8_1(i, 32);
    std::uint32_t words[8];
    std::memcpy(words, x.codes.data(), sizeof(words));
    for (const bool odd : {false, true}) {
      int dot = 0;
      for (std::size_t j = 0; j < 32; ++j) dot += blocks[odd].codes[j] * x.codes[j];
      ASSERT_EQ(words_of(blocks, odd).dot(odd, words), dot);
      ASSERT_EQ(words_of(blocks, odd).scale(odd), widen_f16(blocks[odd].scale));
    }
  }
}

// --- q8_1

TEST(Q8_1, ScalesByTheLargestMagnitude) {
  std::vector<float> x(32, 0.0F);
  x[0] = -254.0F;  // scale 2
  x[1] = 5.0F;     // 2.5 rounds to even
  x[2] = 7.0F;     // 3.5 rounds to even
  x[3] = -5.0F;
  x[31] = 254.0F;
  const Q8_1Activation q = quantize_q8_1(x);
  EXPECT_EQ(q.scales, std::vector<float>{2.0F});
  EXPECT_EQ((std::vector<int>{q.codes[0], q.codes[1], q.codes[2], q.codes[3], q.codes[31]}),
            (std::vector<int>{-127, 2, 4, -2, 127}));
}

TEST(Q8_1, ZeroesHaveScaleAndCodesZero) {
  const Q8_1Activation q = quantize_q8_1(std::vector<float>(32, -0.0F));
  EXPECT_EQ(q.scales[0], 0.0F);
  EXPECT_EQ(q.codes, std::vector<std::int8_t>(32, 0));
}

TEST(Q8_1, ClampsWhereASubnormalScaleRoundsDown) {
  // 160 units of the last place / 127 rounds to 1 unit, so the quotient is 160.
  std::vector<float> x(32, 0.0F);
  x[0] = 0x1p-149F * 160;
  x[1] = -x[0];
  const Q8_1Activation q = quantize_q8_1(x);
  EXPECT_EQ(q.scales[0], 0x1p-149F);
  EXPECT_EQ(q.codes[0], 127);
  EXPECT_EQ(q.codes[1], -127);
}

TEST(Q8_1, EachBlockHasItsOwnScale) {
  std::vector<float> x(64, 127.0F);
  x[40] = 254.0F;
  const Q8_1Activation q = quantize_q8_1(x);
  EXPECT_EQ(q.scales, (std::vector<float>{1.0F, 2.0F}));
  EXPECT_EQ(q.codes[63], 64);  // 63.5 rounds to even
}

// --- NVFP4

TEST(Nvfp4, RowIsOfWholeBlocks) {
  EXPECT_EQ(nvfp4_row_bytes(4096), 2304U);
  EXPECT_EQ(nvfp4_row_bytes(640), 360U);
}

TEST(Nvfp4, ScalesAreE4M3) {
  EXPECT_EQ(nvfp4_half_scale(0x38), 0.5F);      // 1
  EXPECT_EQ(nvfp4_half_scale(0x01), 0x1p-10F);  // 2^-9, the smallest
  EXPECT_EQ(nvfp4_half_scale(0x7E), 224.0F);    // 448, the largest
  for (int code = 0; code < 0x7F; ++code) {
    const int exponent = code >> 3, mantissa = code & 7;
    const double value = exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
    EXPECT_EQ(static_cast<double>(nvfp4_half_scale(static_cast<std::uint8_t>(code))), value / 2) << code;
  }
}

TEST(Nvfp4, OnlyPositiveNumbersAreScales) {
  for (int code = 0; code < 256; ++code) {
    EXPECT_EQ(is_nvfp4_scale(static_cast<std::uint8_t>(code)), code < 0x7F) << code;
  }
}

TEST(Nvfp4, CodesAreE2M1) {
  const std::array<double, 8> magnitudes{0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (unsigned code = 0; code < 16; ++code) {
    EXPECT_EQ(nvfp4_doubled(code), 2 * (code < 8 ? magnitudes[code] : -magnitudes[code - 8])) << code;
  }
}

#ifdef CENSUS_HAVE_CUDA_FORMATS
TEST(Nvfp4, ScalesAreThoseOfTheCudaHeaders) {
  for (int code = 0; code < 256; ++code) {
    const float value =
        __half2float(__half(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(code), __NV_E4M3)));
    const auto byte = static_cast<std::uint8_t>(code);
    if (is_nvfp4_scale(byte)) {
      EXPECT_EQ(nvfp4_half_scale(byte), value / 2) << code;
    } else {
      EXPECT_TRUE(std::isnan(value) || std::signbit(value)) << code;  // what does not occur
    }
  }
}

TEST(Nvfp4, CodesAreThoseOfTheCudaHeaders) {
  for (unsigned code = 0; code < 16; ++code) {
    const float value =
        __half2float(__half(__nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(code), __NV_E2M1)));
    EXPECT_EQ(static_cast<float>(nvfp4_doubled(code)), 2 * value) << code;
  }
}
#endif

TEST(Nvfp4, RandomScalesOccur) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Nvfp4Block block = Nvfp4Weight{}(element_bits(3, i));
    for (const std::uint8_t scale : block.scales) ASSERT_TRUE(scale != 0 && is_nvfp4_scale(scale));
  }
}

// A group's code words times sixteen activation bytes, as a lane does it.
int lane_dot(const std::array<std::uint8_t, 8>& codes, const std::array<std::int8_t, 16>& q) {
  std::uint32_t code_words[2], q_words[4];
  std::memcpy(code_words, codes.data(), sizeof(code_words));
  std::memcpy(q_words, q.data(), sizeof(q_words));
  return nvfp4_dot(code_words, nvfp4_activation(q_words));
}

TEST(Nvfp4, LowNibblesAreTheFirstEightColumns) {
  const std::array<std::uint8_t, 8> codes{0x72, 0, 0, 0,
                                          0,    0, 0, 0xF1};  // columns 0: 2, 8: 12, 7: 1, 15: -12
  std::array<std::int8_t, 16> q{};
  q[0] = 1, q[8] = 10, q[7] = 100, q[15] = -5;
  EXPECT_EQ(lane_dot(codes, q), 2 * 1 + 12 * 10 + 1 * 100 + (-12) * (-5));
}

TEST(Nvfp4, LaneDotIsTheDotOfEveryPairOfCodes) {
  for (unsigned pair = 0; pair < 256; ++pair) {
    for (std::size_t j = 0; j < 8; ++j) {
      std::array<std::uint8_t, 8> codes{};
      codes[j] = static_cast<std::uint8_t>(pair);
      std::array<std::int8_t, 16> q{};
      q[j] = 127, q[j + 8] = -3;
      ASSERT_EQ(lane_dot(codes, q), 127 * nvfp4_doubled(pair & 15) - 3 * nvfp4_doubled(pair >> 4))
          << pair << " " << j;
    }
  }
}

}  // namespace
}  // namespace kernels
