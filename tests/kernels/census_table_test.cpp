// SPDX-License-Identifier: MIT
// The table against sums written by hand.
#include "census.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <map>

namespace kernels {
namespace {

using census::Backend;

// Weight bytes per token of the plan's rows whose id starts with `prefix`.
std::int64_t weight_bytes(const std::string& plan, const std::string& prefix) {
  std::int64_t sum = 0;
  for (const census::KernelCase& row : decode_kernel_census().rows) {
    if (row.backend != Backend::cuda || !row.id.starts_with(prefix)) continue;
    for (const census::Use& use : row.uses) {
      if (use.plan == plan && use.in_sums) sum += use.calls_per_token * row.cold_bytes.value;
    }
  }
  return sum;
}

TEST(CensusTable, IsValid) {
  EXPECT_NO_THROW(validate(decode_kernel_census()));
}

TEST(CensusTable, SeedReadsItsFourMatrices) {
  const std::int64_t qkvg = 45LL * 4096 * 5152 * 2, o_proj = 45LL * 4 * 1024 * 4096 * 2;
  const std::int64_t shared_down = 45LL * 1280 * 4096 * 2, head = 4096LL * 64448 * 2;
  EXPECT_EQ(qkvg + o_proj + shared_down + head, 4408999936);
  EXPECT_EQ(weight_bytes("seed", ""), 4408999936);
}

TEST(CensusTable, Bf16PlanReadsItsBf16Matrices) {
  const std::int64_t full = 12LL * (42205184 + 33554432);     // 4096 x 5152 x 2 and 4096 x 4096 x 2
  const std::int64_t sliding = 33LL * (59113472 + 50331648);  // 4096 x 7216 x 2 and 6144 x 4096 x 2
  const std::int64_t shared = 42LL * (20971520 + 10485760);   // 4096 x 2560 x 2 and 1280 x 4096 x 2
  const std::int64_t dense = 3LL * (92274688 + 46137344);     // 4096 x 11264 x 2 and 5632 x 4096 x 2
  EXPECT_EQ(weight_bytes("step37_tp2.bf16", "bf16."), full + sliding + shared + dense + 527958016);
}

TEST(CensusTable, RouterIsReadInBothModelPlans) {
  EXPECT_EQ(weight_bytes("step37_tp2.bf16", "f32."), 42LL * 4096 * 288 * 4);
  EXPECT_EQ(weight_bytes("step37_tp2.q8_0", "f32."), 42LL * 4096 * 288 * 4);
}

TEST(CensusTable, DenseLayersStayBf16InTheQ8Plan) {
  EXPECT_EQ(weight_bytes("step37_tp2.q8_0", "bf16."), 3LL * (92274688 + 46137344));
}

// 8 experts x 2 x 640 rows of 4096 columns, and 8 experts x 4096 rows of 640 columns, at 36 bytes for 64
// weights.
constexpr std::int64_t experts_gate_up = 8LL * 2 * 640 * (4096 / 64 * 36);
constexpr std::int64_t experts_down = 8LL * 4096 * (640 / 64 * 36);

TEST(CensusTable, Bf16PlanReadsAllItsWeights) {
  const std::int64_t attention = 12LL * (42205184 + 33554432) + 33LL * (59113472 + 50331648);
  const std::int64_t shared = 42LL * (20971520 + 10485760), dense = 3LL * (92274688 + 46137344);
  const std::int64_t router = 42LL * 4718592, experts = 42LL * (experts_gate_up + experts_down);
  EXPECT_EQ(experts, 42LL * (23592960 + 11796480));
  EXPECT_EQ(attention + shared + dense + router + experts + 527958016, 8469741568);
  EXPECT_EQ(weight_bytes("step37_tp2.bf16", ""), 8469741568);
}

TEST(CensusTable, Q8PlanReadsAllItsWeights) {
  // 34 bytes for 32 weights: rows of 4352, 6528 and 1360 bytes.
  const std::int64_t full = 12LL * (5152 * 4352 + 4096 * 4352), sliding = 33LL * (7216 * 4352 + 4096 * 6528);
  const std::int64_t shared = 42LL * (2560 * 4352 + 4096 * 1360), head = 64448LL * 4352;
  const std::int64_t dense = 3LL * (92274688 + 46137344), router = 42LL * 4718592;
  EXPECT_EQ(full + sliding + shared + head, 12LL * 40247296 + 33LL * 58142720 + 42LL * 16711680 + 280477696);
  EXPECT_EQ(full + sliding + shared + head + dense + router + 42LL * (experts_gate_up + experts_down),
            5483819008);
  EXPECT_EQ(weight_bytes("step37_tp2.q8_0", ""), 5483819008);
}

TEST(CensusTable, SeedListsItsQ8RowsAndEmptyLaunchesOutsideItsSums) {
  std::map<std::string, int> listed;
  for (const census::KernelCase& row : decode_kernel_census().rows) {
    for (const census::Use& use : row.uses) {
      if (row.backend == Backend::cuda && use.plan == "seed" && !use.in_sums)
        listed[row.id] = use.calls_per_token;
    }
  }
  EXPECT_EQ(listed, (std::map<std::string, int>{{"q8_0.qkvg_full.4096x5152", 45},
                                                {"q8_0.o_proj_full.4096x4096", 45},
                                                {"q8_0.shared_down.1280x4096", 45},
                                                {"q8_0.experts_stacked.4096x20480", 45},
                                                {"q8_0.head.4096x64448", 1},
                                                {"launch.empty", 136}}));
}

TEST(CensusTable, CountsAnEmptyLaunchForEveryLaunchOfAPlan) {
  std::map<std::string, int> launches, empty_launches;
  for (const census::KernelCase& row : decode_kernel_census().rows) {
    if (row.backend != Backend::cuda) continue;
    for (const census::Use& use : row.uses) {
      if (use.in_sums) launches[use.plan] += use.calls_per_token;
      if (row.id == "launch.empty") empty_launches[use.plan] = use.calls_per_token;
    }
  }
  EXPECT_EQ(empty_launches, launches);
}

TEST(CensusTable, NoPlanWaitsForARow) {
  EXPECT_TRUE(decode_kernel_census().planned.empty());
}

TEST(CensusTable, RowsTooLargeForTheCpuAreNotOnIt) {
  for (const census::KernelCase& row : decode_kernel_census().rows) {
    if (row.backend == Backend::cuda) continue;
    EXPECT_EQ(row.id.find("head"), std::string::npos) << row.id;
    EXPECT_NE(row.id, "q8_0.experts_stacked.4096x20480");
    EXPECT_NE(row.id, "nvfp4.experts_gate_up.8of288.4096x2x1280");
    EXPECT_NE(row.id, "nvfp4.experts_down.8of288.1280x4096");
  }
}

TEST(CensusTable, EveryCpuRowCanBeMade) {
  for (const census::KernelCase& row : decode_kernel_census().rows) {
    EXPECT_TRUE(row.backend == Backend::cuda || row.make) << row.id;
  }
}

TEST(CensusTable, EveryFloatRowStreamsOnHopperOnly) {
  for (const census::KernelCase& row : decode_kernel_census().rows) {
    if (row.backend != Backend::cuda || !(row.id.starts_with("bf16.") || row.id.starts_with("f32.")))
      continue;
    EXPECT_EQ(row.arms.front().name, "stream") << row.id;
    EXPECT_EQ(row.arms.front().minimum_capability, 90) << row.id;
    EXPECT_EQ(row.arms.front().maximum_capability, 99) << row.id;
  }
}

}  // namespace
}  // namespace kernels
