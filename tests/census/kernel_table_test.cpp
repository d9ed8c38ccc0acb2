// SPDX-License-Identifier: MIT
#include <census/kernel_table.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

/// 40 MB; the floor is 8 us.
RowRun run(const std::string& row, const std::string& arm, double us) {
  RowRun made;
  made.row = row;
  made.arm = arm;
  made.status = RunStatus::measured;
  made.backend = Backend::cuda;
  made.device.name = "GPU";
  made.device.driver = "580.1";
  made.build.commit = "0123456789abcdef";
  made.date = "2026-12-01T10:00:00Z";
  made.cold_bytes = {40'000'000};
  made.row_series = {{us}, us, us, us};
  made.floor = Series{{8}, 8, 8, 8};
  made.kernels = {{.registers = 40, .static_shared_bytes = 16, .dynamic_shared_bytes = 1000},
                  {.registers = 178, .spill_bytes = 8}};
  return made;
}

TEST(KernelTable, IsTheMedianOfTheRunsOfAnArm) {
  const KernelTable table =
      kernel_table({run("a", "plain", 10), run("a", "plain", 20), run("a", "plain", 16)});
  ASSERT_THAT(table.lines, SizeIs(1));
  EXPECT_EQ(table.lines[0].us, 16);
  EXPECT_EQ(table.lines[0].runs, 3);
  EXPECT_EQ(table.lines[0].tbs, 2.5);
  EXPECT_EQ(table.lines[0].floor_percent, 50) << "of 80, 40 and 50";
}

TEST(KernelTable, GivesWhatTheLargestKernelOfALaunchOccupies) {
  const KernelLine line = kernel_table({run("a", "plain", 10)}).lines.at(0);
  EXPECT_EQ(line.registers, 178);
  EXPECT_EQ(line.shared_bytes, 1016);
  EXPECT_EQ(line.spill_bytes, 8);
}

TEST(KernelTable, HasALineForEveryArmAlsoForOneMeasuredBeside) {
  RowRun with_peers = run("a", "stream", 10);
  with_peers.peers = {
      {.name = "cuBLAS", .series = Series{{15}, 15, 15, 15}},
      {.name = "arm plain", .series = Series{{20}, 20, 20, 20}, .kernels = {{.registers = 30}}},
      {.name = "arm other", .reason = "not here"}};
  const KernelTable table = kernel_table({with_peers});
  ASSERT_THAT(table.lines, SizeIs(2));
  EXPECT_EQ(table.lines[0].cublas_us, 15);
  EXPECT_EQ(table.lines[0].cublas_ratio, 1.5);
  EXPECT_EQ(table.lines[1].arm, "plain");
  EXPECT_EQ(table.lines[1].registers, 30);
  EXPECT_EQ(table.lines[1].floor_percent, 40);
}

TEST(KernelTable, LeavesOutWhatWasNotMeasuredOnAGpu) {
  RowRun failed = run("a", "plain", 10), cpu = run("b", "avx2", 10);
  failed.status = RunStatus::incorrect;
  cpu.backend = Backend::cpu;
  EXPECT_THAT(kernel_table({failed, cpu}).lines, SizeIs(0));
}

TEST(KernelTable, ShowsNoColumnWithoutANumber) {
  EXPECT_EQ(markdown(kernel_table({run("a", "plain", 10)})),
            "GPU, driver 580.1, commit 0123456789ab, 2026-12-01:\n\n"
            "| row | arm | us | TB/s | % floor | runs | registers | shared, B | spills, B |\n"
            "|---|---|--:|--:|--:|--:|--:|--:|--:|\n"
            "| a | plain | 10.00 | 4.000 | 80.0 | 1 | 178 | 1016 | 8 |\n");
}

TEST(KernelTable, OfABaselineHasItsNumbersAndCommits) {
  Baseline baseline;
  baseline.device.name = "GPU";
  baseline.device.driver_branch = "580";
  for (const char* commit : {"aaaa", "aaaa", "bbbb"}) {
    baseline.rows.push_back({.id = "a",
                             .us = 10,
                             .runs = 12,
                             .arm = "stream",
                             .registers = 178,
                             .commit = commit,
                             .date = "2026-12-01"});
  }
  EXPECT_THAT(markdown(kernel_table(baseline)),
              AllOf(HasSubstr("GPU, driver 580, commit aaaa, 2026-12-01; commit bbbb, 2026-12-01:"),
                    HasSubstr("| a | stream | 10.00 | 12 | 178 | 0 | 0 |"), Not(HasSubstr("cuBLAS"))));
}

}  // namespace
}  // namespace census
