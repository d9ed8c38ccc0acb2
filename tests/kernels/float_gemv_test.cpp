// SPDX-License-Identifier: MIT
// The float GEMV at shapes that the census does not have: short rows, tails, few rows, column blocks; and a
// sum by hand.
#include "float_gemv/float_gemv.hpp"

#include "contract.hpp"
#include "float_gemv/float_gemv_stream.hpp"
#include "formats/bf16.hpp"
#include "formats/f32.hpp"

#include <gmock/gmock.h>

#include <array>
#include <stdexcept>

namespace kernels {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(FloatGemv, RefusesShapesOutsideTheContract) {
  const auto refuses = [](const FloatGemvShape& shape, const std::string& value) {
    EXPECT_THAT([&] { check_shape("row", shape); }, ThrowsMessage<std::invalid_argument>(HasSubstr(value)));
  };
  refuses({.rows = 0, .columns = 8}, "row: rows must be positive, not 0");
  refuses({.rows = 1, .columns = 12}, "multiple of 8, not 12");
  refuses({.rows = 1, .columns = 128, .column_blocks = 2}, "multiple of 256, not 128");
  refuses({.rows = 1, .columns = 256, .column_blocks = 5}, "column blocks must be 1 to 4, not 5");
}

std::vector<std::string> cuda_arms(const FloatGemvShape& shape) {
  std::vector<std::string> names;
  for (const census::Arm& arm : float_gemv<Bf16Weight>(Backend::cuda, Row{}, shape).arms) {
    names.push_back(arm.name);
  }
  return names;
}

TEST(FloatGemv, StreamsWhereAKernelOfTheDepthExists) {
  EXPECT_THAT(cuda_arms({.rows = 5152, .columns = 4096}), ElementsAre("stream", "plain"));
  EXPECT_THAT(cuda_arms({.rows = 4096, .columns = 1536, .column_blocks = 4}), ElementsAre("stream", "plain"));
  EXPECT_THAT(cuda_arms({.rows = 4096, .columns = 4104}), ElementsAre("plain"));
  EXPECT_THAT(cuda_arms({.rows = 4096, .columns = 2048, .column_blocks = 2}), ElementsAre("plain"));
}

TEST(FloatGemv, SlicesOfAStreamAreAsEvenAsADivisionMakesThem) {
  for (const int slices : {1, 2, 3, 7, 132, 144, 65535}) {
    for (const int rows : {0, 1, 31, 131, 132, 133, 2560, 4096, 5152, 64448, 2'000'000}) {
      const SliceBounds bounds = slice_bounds(rows, slices);
      for (int i = 0; i <= slices; i += 1 + slices / 997) {
        const auto exact = static_cast<std::int64_t>(rows) * i / slices;
        ASSERT_EQ(bounds.first_row(i), exact) << rows << " rows, slice " << i << " of " << slices;
      }
      ASSERT_EQ(bounds.first_row(slices), rows);
    }
  }
}

// Slots of the ring, of the first part, under way at the start by part, and later.
auto split(const StreamRing& ring) {
  return std::array{ring.slots, ring.first_part_slots, ring.at_start[0], ring.at_start[1], ring.in_flight};
}

TEST(FloatGemv, StreamSplitsALongSliceOneSlotPastItsHalf) {
  EXPECT_THAT(split(two_part_ring(3, 10)), ElementsAre(3, 6, 2, 2, 2));
  EXPECT_THAT(split(two_part_ring(3, 11)), ElementsAre(3, 6, 2, 2, 2));
  EXPECT_THAT(split(two_part_ring(3, 123)), ElementsAre(3, 62, 2, 2, 2));
}

TEST(FloatGemv, StreamLetsTheSecondPartOfAShortSliceAskForOneSlotFirst) {
  EXPECT_THAT(split(two_part_ring(3, 9)), ElementsAre(3, 5, 2, 1, 2));
  EXPECT_THAT(split(two_part_ring(3, 8)), ElementsAre(3, 4, 2, 1, 2));
}

TEST(FloatGemv, StreamLetsBothPartsAskForOneSlotFirstWhereTheRingsHoldTheSlice) {
  EXPECT_THAT(split(two_part_ring(3, 6)), ElementsAre(3, 3, 1, 1, 2));
  EXPECT_THAT(split(two_part_ring(3, 5)), ElementsAre(3, 3, 1, 1, 2));
  EXPECT_THAT(split(two_part_ring(3, 7)), ElementsAre(3, 4, 2, 1, 2));
}

TEST(FloatGemv, StreamHasNoMoreSlotsThanItsPartOfTheSlice) {
  EXPECT_THAT(split(two_part_ring(3, 2)), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(split(two_part_ring(3, 1)), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(split(two_part_ring(2, 8)), ElementsAre(2, 4, 1, 1, 1));
}

TEST(FloatGemv, StreamAsksForTwoThirdsOfTheRingOfALongRun) {
  EXPECT_EQ(long_run_ring(6).slots, 6);
  EXPECT_EQ(long_run_ring(6).in_flight, 4);
  EXPECT_EQ(long_run_ring(3).in_flight, 2);
  EXPECT_EQ(long_run_ring(2).in_flight, 2);
}

TEST(FloatGemvReference, EightColumnsAreOneGroupByHand) {
  std::array<float, 8> p{};  // fma(w, x, +0) is the rounded product
  for (std::size_t c = 0; c < 8; ++c) {
    const float w = widen(Bf16Weight{}(element_bits(buffer_seed("tiny", "w0", 0, 5), c)));
    p[c] = w * F32Activation{}(element_bits(buffer_seed("tiny", "x", 0, 5), c));
  }
  const float by_hand = ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
  EXPECT_EQ(float_gemv_reference<Bf16Weight>("tiny", {.rows = 1, .columns = 8}, 0, 5).at(0), by_hand);
}

TEST(FloatGemvReference, SecondColumnBlockContinuesTheChainsOfTheFirst) {
  std::array<float, 256> p{};
  for (int block = 0; block < 2; ++block) {
    const std::uint64_t w = buffer_seed("blocked", "w" + std::to_string(block), 0, 0),
                        x = buffer_seed("blocked", "x", 0, 0);
    for (std::size_t c = 0; c < 256; ++c) {
      const float weight = F32Weight{}(element_bits(w, 256 + c));  // row 1 of [2, 256]
      p[c] =
          std::fma(weight, F32Activation{}(element_bits(x, 256U * static_cast<unsigned>(block) + c)), p[c]);
    }
  }
  std::array<float, 32> groups{};
  for (std::size_t g = 0; g < 32; ++g) {
    const float* q = &p[8 * g];
    groups[g] = ((q[0] + q[4]) + (q[2] + q[6])) + ((q[1] + q[5]) + (q[3] + q[7]));
  }
  for (std::size_t d = 16; d >= 1; d /= 2) {
    for (std::size_t i = 0; i < d; ++i) groups[i] += groups[i + d];
  }
  EXPECT_EQ(
      float_gemv_reference<F32Weight>("blocked", {.rows = 2, .columns = 256, .column_blocks = 2}, 0, 0).at(1),
      groups[0]);
}

std::vector<KernelCase> odd_rows() {
  std::vector<KernelCase> rows;
  for (const Backend backend : {Backend::cuda, Backend::cpu}) {
    const auto add = [&]<class Weight>(Weight, const std::string& id, const FloatGemvShape& shape) {
      Row row;
      row.id = id;
      rows.push_back(float_gemv<Weight>(backend, row, shape));
    };
    add(Bf16Weight{}, "bf16.one_group.8x1", {.rows = 1, .columns = 8});
    add(Bf16Weight{}, "bf16.one_stride_and_a_group.72x3", {.rows = 3, .columns = 72});
    add(Bf16Weight{}, "bf16.tail.4088x37", {.rows = 37, .columns = 4088});
    add(Bf16Weight{}, "bf16.tail_after_a_step.264x5", {.rows = 5, .columns = 264});
    add(Bf16Weight{}, "bf16.two_blocks.2x256x9", {.rows = 9, .columns = 256, .column_blocks = 2});
    add(Bf16Weight{}, "bf16.three_blocks.3x1280x9", {.rows = 9, .columns = 1280, .column_blocks = 3});
    add(Bf16Weight{}, "bf16.more_rows_than_warps.256x20011", {.rows = 20011, .columns = 256});
    // Every kernel of the stream arm: slices of no row, of less than a slot, of a whole ring and more.
    add(Bf16Weight{}, "bf16.few_slices.1280x100", {.rows = 100, .columns = 1280});
    add(Bf16Weight{}, "bf16.many_turns.1280x20011", {.rows = 20011, .columns = 1280});
    add(Bf16Weight{}, "bf16.long_run.1280x33793", {.rows = 33793, .columns = 1280});
    add(Bf16Weight{}, "bf16.few_slices.4096x301", {.rows = 301, .columns = 4096});
    add(Bf16Weight{}, "bf16.many_turns.4096x7001", {.rows = 7001, .columns = 4096});
    add(Bf16Weight{}, "bf16.few_slices.5632x133", {.rows = 133, .columns = 5632});
    add(Bf16Weight{}, "bf16.many_turns.5632x5003", {.rows = 5003, .columns = 5632});
    add(Bf16Weight{}, "bf16.few_slices.4x1024x7", {.rows = 7, .columns = 1024, .column_blocks = 4});
    add(Bf16Weight{}, "bf16.many_turns.4x1024x5003", {.rows = 5003, .columns = 1024, .column_blocks = 4});
    add(Bf16Weight{}, "bf16.few_slices.4x1536x7", {.rows = 7, .columns = 1536, .column_blocks = 4});
    add(Bf16Weight{}, "bf16.many_turns.4x1536x4001", {.rows = 4001, .columns = 1536, .column_blocks = 4});
    add(F32Weight{}, "f32.few_slices.4096x131", {.rows = 131, .columns = 4096});
    add(F32Weight{}, "f32.many_turns.4096x4001", {.rows = 4001, .columns = 4096});
    add(F32Weight{}, "f32.one_group.8x1", {.rows = 1, .columns = 8});
    add(F32Weight{}, "f32.tail_after_a_batch.4360x7", {.rows = 7, .columns = 4360});
    add(F32Weight{}, "f32.two_blocks.2x512x5", {.rows = 5, .columns = 512, .column_blocks = 2});
  }
  return rows;
}

class FloatGemvContract : public testing::TestWithParam<KernelCase> {};

TEST_P(FloatGemvContract, EveryArmGivesTheBitsOfTheReference) {
  check_every_arm(GetParam());
}

INSTANTIATE_TEST_SUITE_P(OddShapes, FloatGemvContract, testing::ValuesIn(odd_rows()), contract_name);

}  // namespace
}  // namespace kernels
