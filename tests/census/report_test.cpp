// SPDX-License-Identifier: MIT
// Each page in each format equals the approved text beside this file. After an intended change: run the test
// with CENSUS_APPROVE=1, and read the diff.
#include <census/report.hpp>

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace census {
namespace {

void expect_approved(const std::string& text, const std::string& name) {
  const auto file = std::filesystem::path(PROJECT_SOURCE_DIR "/tests/census/approved") / name;
  if (std::getenv("CENSUS_APPROVE") != nullptr) std::ofstream(file) << text;
  std::ostringstream approved;
  approved << std::ifstream(file).rdbuf();
  EXPECT_EQ(text, approved.str()) << name;
}

/// The H200's peak of 4.81 TB/s.
Device gpu() {
  Device device;
  device.name = "NVIDIA H200";
  device.uuid = "GPU-1";
  device.driver = "580.159.03";
  device.memory_clock_mhz = 3201;
  device.bus_width_bits = 6016;
  device.power_cap_percent = Reading<double>::of(100);
  return device;
}

RowRun measured(const std::string& row, double us, std::int64_t cold_bytes, double floor_us) {
  RowRun run;
  run.row = row;
  run.status = RunStatus::measured;
  run.device = gpu();
  run.cold_bytes = {cold_bytes};
  run.row_series = {{us, us, us}, us, us, us};
  run.floor = Series{{}, floor_us, floor_us, floor_us};
  run.ceiling_tbs = 4.5;
  run.arm = "plain";
  run.copies = 26;
  return run;
}

std::vector<RowRun> three_runs() {
  auto failed = measured("f32.router.4096x288", 3, 4718592, 2);
  failed.status = RunStatus::incorrect;
  failed.reason = "element 17 is 0x3f800000, the reference 0x3f800001";
  auto resident = measured("launch.empty", 1.5, 0, 0);
  resident.resident = true;
  resident.floor.reset();
  resident.notices = {"a notice | with <marks> & more"};
  auto compared = measured("bf16.qkvg_full.4096x5152", 10.55, 42205184, 9.9);
  compared.peers = {
      {.name = "cuBLAS",
       .call = "cublasGemmEx, bf16 -> f32, of cuBLAS 13.1.0; one matrix where the row has 4 buffers",
       .series = Series{{21.1, 21.1, 21.1}, 21.1, 21.1, 21.1}},
      {.name = "arm stream", .reason = "its output differs from that of arm plain"}};
  compared.code_digest = "c0de";
  compared.kernels = {{.registers = 40, .static_shared_bytes = 1024, .dynamic_shared_bytes = 1000}};
  return {compared, failed, resident};
}

Census three_rows() {
  Census census;
  census.name = "sample-census";
  census.plans = {"seed", "step37_tp2.bf16"};
  for (const auto& run : three_runs()) {
    KernelCase row;
    row.id = run.row;
    row.op = "bf16 GEMV";
    row.shape = "4096 -> 5152 (\"quoted\")";
    row.source = "the model";
    row.cold_bytes = run.cold_bytes;
    row.resident = run.resident;
    row.arms = {{"plain"}};
    census.rows.push_back(row);
  }
  census.rows[0].uses = {{"seed", 45}, {"step37_tp2.bf16", 12}};
  census.rows[1].uses = {{"step37_tp2.bf16", 42}};
  return census;
}

TablePage table(const std::vector<std::string>& plans) {
  TablePage page{"sample-census",
                 gpu(),
                 {"0.1.0", "0123456789abcdef", true, "GNU 12.2.0", "13.0.88", "Release"},
                 {},
                 {"--reps 3"},
                 three_runs(),
                 {}};
  page.now.sm_clock_mhz = Reading<double>::of(1980);
  page.now.memory_clock_mhz = Reading<double>::of(3201);
  page.now.throttle_reasons = Reading<std::vector<std::string>>::of({"sw_power_cap"});
  for (const auto& plan : plans) page.plans.push_back(plan_sum(three_rows(), plan, page.runs));
  return page;
}

RowVerdict verdict(const std::string& row, Kind kind, const std::string& reason) {
  RowVerdict made{.row = row, .baseline_file = "baselines/nvidia-h200.json"};
  made.verdict.kind = kind;
  made.verdict.reason = reason;
  return made;
}

VerdictPage verdicts() {
  auto slow = verdict("bf16.qkvg_full.4096x5152", Kind::regressed,
                      "median of 3 runs 11.61 us > 10.87 us (confirmed 11.60 us)");
  slow.verdict.us = 11.61;
  slow.verdict.tbs = 3.635;
  slow.verdict.baseline_us = 10.55;
  slow.verdict.ratio = 1.1005;
  slow.verdict.mde_percent = 4.25;
  slow.attempts = {slow.verdict, slow.verdict};
  auto good = verdict("f32.router.4096x288", Kind::pass, "within 3 %");
  good.verdict.us = 3;
  good.verdict.notices = {"the driver branch differs"};
  auto waived =
      verdict("bf16.head.4096x64448", Kind::regressed, "median of 3 runs 130.1 us > 115.7 us + 3 %");
  waived.verdict.us = 130.1;
  waived.waiver = Waiver{.row = "bf16.head.*",
                         .device = "",
                         .owner = "Ann",
                         .reason = "the new layout",
                         .date = "2026-12-01",
                         .until = "2027-01-15"};
  return {
      "sample",
      {"CENSUS_PLANT=*=10"},
      {slow, good, waived, verdict("nvfp4.experts_gate_up.8of288.4096x2x1280", Kind::no_device, "no driver")},
      {"1 of the 4 rows was not selected"},
      {{"time", 12.25}, {"make", 3.5}}};
}

ListPage list(const Census& census) {
  ListPage page{census.name, {}};
  for (const auto& row : census.rows) page.rows.push_back(&row);
  return page;
}

TEST(Report, OfTheTableWithOnePlanIsApproved) {
  expect_approved(report(table({"step37_tp2.bf16"}), Format::text), "table_one_plan.txt");
}

TEST(Report, OfTheTableWithTwoPlansIsApproved) {
  const auto page = table({"seed", "step37_tp2.bf16"});
  expect_approved(report(page, Format::text), "table.txt");
  expect_approved(report(page, Format::json), "table.json");
  expect_approved(report(page, Format::markdown), "table.md");
}

TEST(Report, OfVerdictsIsApproved) {
  expect_approved(report(verdicts(), Format::text), "verdicts.txt");
  expect_approved(report(verdicts(), Format::json), "verdicts.json");
  expect_approved(report(verdicts(), Format::markdown), "verdicts.md");
}

TEST(Report, OfVerdictsAsJunitIsApproved) {
  auto page = verdicts();
  auto hostile =
      verdict("launch.empty", Kind::environment,
              "busy: <CTestMeasurement> & \"quoted\" \x1b[31m caf\xe9 \xef\xbf\xbf caf\xc3\xa9 ]]>");
  hostile.wall_seconds = 1.5;
  page.rows.push_back(hostile);
  expect_approved(junit_report(page, {1, 0, 0, 77, 3}), "verdicts.xml");
}

TEST(Report, OfTheListIsApproved) {
  const auto census = three_rows();
  expect_approved(report(list(census), Format::text), "list.txt");
  expect_approved(report(list(census), Format::json), "list.json");
  expect_approved(report(list(census), Format::markdown), "list.md");
}

TEST(Report, GivesNoShareOfAPeakThatIsUnknown) {
  auto run = three_runs()[0];
  run.device.bus_width_bits = 0;
  EXPECT_FALSE(shares(run).peak.has_value());
}

TEST(Report, TakesSharesOfTheSameRun) {
  const auto share = shares(three_runs()[0]);
  EXPECT_NEAR(share.ceiling.value(), 88.9, 0.05);  // 42.2 MB in 10.55 us is 4.0 TB/s of 4.5
  EXPECT_NEAR(share.floor.value(), 93.8, 0.05);    // 9.9 of 10.55 us
}

}  // namespace
}  // namespace census
