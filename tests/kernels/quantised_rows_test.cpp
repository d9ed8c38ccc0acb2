// SPDX-License-Identifier: MIT
// The q8_0, quantise and NVFP4 rows beyond the contract that all rows keep: values by hand, and what they
// refuse.
#include "nvfp4_experts/nvfp4_experts.hpp"
#include "q8_0_gemv/q8_0_gemv.hpp"
#include "quantize/quantize.hpp"
#include <census/error.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kernels {
namespace {

using census::Backend;
using census::UsageError;
using testing::HasSubstr;
using testing::ThrowsMessage;

template <class Function>
void refuses(Function function, const std::string& text) {
  EXPECT_THAT(function, ThrowsMessage<UsageError>(HasSubstr(text)));
}

TEST(Q8_0Gemv, RefusesShapesOutsideTheContract) {
  refuses([] { check_shape("row", Q8_0GemvShape{.rows = 1, .columns = 48}); },
          "row: columns must be a positive multiple of 32");
  refuses([] { check_shape("row", Q8_0GemvShape{.rows = 1, .columns = 48}); }, "not 48");
  refuses([] { check_shape("row", Q8_0GemvShape{.rows = 0, .columns = 32}); },
          "row: rows must be positive, not 0");
  refuses([] { (void)q8_0_gemv(Backend::cpu, {.id = "row"}, {.rows = 1, .columns = 31}); }, "not 31");
}

TEST(Quantize, RefusesShapesOutsideTheContract) {
  refuses([] { check_shape("row", QuantizeShape{.rows = 1, .columns = 100}); }, "not 100");
  refuses([] { check_shape("row", QuantizeShape{.rows = -1, .columns = 32}); },
          "row: rows must be positive, not -1");
}

TEST(Nvfp4Experts, RefusesShapesOutsideTheContract) {
  refuses([] { check_shape("row", Nvfp4ExpertsShape{.rows = 1, .columns = 96}); },
          "row: columns must be a positive multiple of 64");
  refuses([] { check_shape("row", Nvfp4ExpertsShape{.rows = 1, .columns = 96}); }, "not 96");
  refuses([] { check_shape("row", Nvfp4ExpertsShape{.matrices = 3, .rows = 1, .columns = 64}); },
          "1 or 2 matrices, not 3");
  refuses([] { check_shape("row", Nvfp4ExpertsShape{.rows = 0, .columns = 64}); },
          "rows must be positive, not 0");
}

TEST(Nvfp4Experts, RefusesListsThatMustNotBeRead) {
  const std::vector<int> good{0, 287, 2, 3, 4, 5, 6, 7};
  EXPECT_NO_THROW(check_experts("row", good));
  refuses(
      [] {
        check_experts("row", std::vector{0, 1, 2, 3, 4, 5, 6});
      },
      "row: the list must choose 8 experts, not 7");
  refuses(
      [] {
        check_experts("row", std::vector{0, 1, 2, 3, 4, 5, 6, 288});
      },
      "row: the list chooses expert 288");
  refuses(
      [] {
        check_experts("row", std::vector{0, 1, 2, 3, 4, 5, 6, -1});
      },
      "row: the list chooses expert -1");
  refuses(
      [] {
        check_experts("row", std::vector{0, 1, 2, 3, 4, 5, 9, 9});
      },
      "row: the list chooses expert 9 twice");
}

TEST(Nvfp4Experts, RefusesScalesThatDoNotOccur) {
  std::vector<Nvfp4Block> blocks(3);
  EXPECT_NO_THROW(check_scales("row", blocks));
  blocks[1].scales[2] = 0x7F;
  refuses([&] { check_scales("row", blocks); }, "row: scale byte 127 of block 1");
  blocks[1].scales[2] = 0x80 | 0x38;
  refuses([&] { check_scales("row", blocks); }, "row: scale byte 184 of block 1");
}

TEST(Nvfp4Experts, ListsOfABankChooseEveryExpertOnce) {
  std::vector<int> chosen;
  for (int copy = 0; copy < lists_of_bank; ++copy) {
    const std::vector<int> list = expert_list("row", copy, 0);
    EXPECT_NO_THROW(check_experts("row", list));
    chosen.insert(chosen.end(), list.begin(), list.end());
  }
  std::sort(chosen.begin(), chosen.end());
  std::vector<int> all(bank_experts);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(chosen, all);
}

TEST(Nvfp4Experts, BanksAndSeedsHaveListsOfTheirOwn) {
  EXPECT_EQ(expert_list("row", 0, 0), expert_list("row", 0, 0));
  EXPECT_NE(expert_list("row", 0, 0), expert_list("row", lists_of_bank, 0));
  EXPECT_NE(expert_list("row", 0, 0), expert_list("row", 0, 1));
  EXPECT_NE(expert_list("row", 0, 0), expert_list("other", 0, 0));
}

TEST(Quantize, OutputTellsCodesThatNoLaunchWrote) {
  const std::vector<float> output = quantize_output({-128, -127, 0}, {0.5F});
  EXPECT_TRUE(std::isnan(output[0]));
  EXPECT_EQ((std::vector<float>{output[1], output[2], output[3]}), (std::vector<float>{-127.0F, 0.0F, 0.5F}));
}

TEST(Quantize, GivesCodesThenScales) {
  const auto row = quantize(Backend::cpu, {.id = "row"}, {.rows = 2, .columns = 32});
  const auto instance = row.make({.copies = 1, .arm = row.arms.back().name});
  instance->launch(nullptr, 0);
  const std::vector<float> output = instance->output(0);
  ASSERT_EQ(output.size(), 66U);
  EXPECT_EQ(std::abs(*std::max_element(output.begin(), output.begin() + 64,
                                       [](float a, float b) { return std::abs(a) < std::abs(b); })),
            127.0F);
  EXPECT_LT(output[64], 1.0F / 127);  // |x| < 1
  EXPECT_TRUE(row.resident);
}

// The arms of a CPU row that this machine can run.
std::vector<std::string> arms_here(const census::KernelCase& row) {
  int capability = 0;
#ifdef __x86_64__
  capability =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
#endif
  std::vector<std::string> names;
  for (const census::Arm& arm : row.arms) {
    if (arm.minimum_capability <= capability) names.push_back(arm.name);
  }
  return names;
}

// Shapes whose blocks fill no vector: the scalar ends of the CPU loops.
TEST(Q8_0Gemv, OddShapesKeepTheBitsOfTheReference) {
  for (const Q8_0GemvShape shape : {Q8_0GemvShape{7, 32}, Q8_0GemvShape{3, 352}}) {
    const auto row = q8_0_gemv(Backend::cpu, {.id = "row"}, shape);
    for (const std::string& arm : arms_here(row)) {
      const auto instance = row.make({.copies = 2, .arm = arm});
      instance->launch(nullptr, 1);
      EXPECT_EQ(instance->output(1), instance->reference(1)) << arm << " " << shape.columns;
    }
  }
}

TEST(Nvfp4Experts, OddShapesAndSecondBanksKeepTheBitsOfTheReference) {
  for (const Nvfp4ExpertsShape shape :
       {Nvfp4ExpertsShape{1, 3, 64, false}, Nvfp4ExpertsShape{2, 5, 192, true}}) {
    const auto row = nvfp4_experts(Backend::cpu, {.id = "row"}, shape);
    for (const std::string& arm : arms_here(row)) {
      const auto instance = row.make({.copies = lists_of_bank + 1, .arm = arm});
      instance->launch(nullptr, lists_of_bank);
      EXPECT_EQ(instance->output(lists_of_bank), instance->reference(lists_of_bank))
          << arm << " " << shape.columns;
    }
  }
}

}  // namespace
}  // namespace kernels
