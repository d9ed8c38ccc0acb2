// SPDX-License-Identifier: MIT
#include <census/common_shift.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Optional;

/// A row with a baseline of 10 us and a limit of 10.3 us.
RowVerdict row_at(double us) {
  RowVerdict row{.row = "row"};
  row.verdict.kind = us > 10.3 ? Kind::regressed : Kind::pass;
  row.verdict.reason = "slow";
  row.verdict.us = us;
  row.verdict.baseline_us = 10;
  row.verdict.limit_us = 10.3;
  row.verdict.ratio = us / 10;
  return row;
}

std::vector<RowVerdict> rows_at(const std::vector<double>& us) {
  std::vector<RowVerdict> rows;
  for (const double one : us) rows.push_back(row_at(one));
  return rows;
}

std::optional<std::string> excuse(std::vector<RowVerdict>& rows) {
  std::vector<RowVerdict*> all;
  for (auto& row : rows) all.push_back(&row);
  return excuse_common_shift(all);
}

TEST(CommonShift, OfAllRowsIsTheEnvironmentsFault) {
  auto rows = rows_at({10.6, 10.6, 10.6, 10.6, 10.6, 10.6, 10.6, 10.7});
  EXPECT_THAT(excuse(rows), Optional(AllOf(HasSubstr("8 of 8 rows are slower, by a median of 6 %"),
                                           HasSubstr("8 that were regressed are environment"))));
  for (const auto& row : rows) EXPECT_EQ(row.verdict.kind, Kind::environment);
  EXPECT_EQ(rows[0].verdict.reason,
            "slow, but 8 of 8 rows are slower, by a median of 6 %, and without that it takes 10.00 us, "
            "within the limit");
}

TEST(CommonShift, LeavesTheRowRedThatIsSlowerThanTheOthers) {
  auto rows = rows_at({10.6, 10.6, 10.6, 10.6, 10.6, 10.6, 10.6, 12.0});
  (void)excuse(rows);
  EXPECT_EQ(rows.back().verdict.kind, Kind::regressed);
  EXPECT_EQ(rows.front().verdict.kind, Kind::environment);
}

TEST(CommonShift, LeavesTheRowRedWhoseMachineCodeChanged) {
  auto rows = rows_at(std::vector<double>(8, 10.6));
  rows[3].verdict.same_code = false;
  (void)excuse(rows);
  EXPECT_EQ(rows[3].verdict.kind, Kind::regressed);
}

TEST(CommonShift, IsLookedForInEachStartOfADeviceAlone) {
  auto rows = rows_at(std::vector<double>(8, 10.6));
  for (const RowVerdict& row : rows_at(std::vector<double>(8, 10.0))) rows.push_back(row);
  rows.push_back(row_at(10.6));
  const std::vector<std::size_t> first{0, 1, 2, 3, 4, 5, 6, 7}, second{8, 9, 10, 11, 12, 13, 14, 15, 16};
  EXPECT_EQ(excuse_common_shifts(rows, {{"boot 1", first}, {"boot 2", second}}).size(), 1U);
  EXPECT_EQ(rows.front().verdict.kind, Kind::environment);
  EXPECT_EQ(rows.back().verdict.kind, Kind::regressed);
}

TEST(CommonShift, NeedsThreeQuartersOfTheRows) {
  auto rows = rows_at({10.6, 10.6, 10.6, 10.6, 10.6, 10.0, 10.0, 10.0});
  EXPECT_EQ(excuse(rows), std::nullopt);
  EXPECT_EQ(rows.front().verdict.kind, Kind::regressed);
  rows[5] = row_at(10.6);
  EXPECT_NE(excuse(rows), std::nullopt);
}

TEST(CommonShift, NeedsMoreThanCardsDifferBy) {
  EXPECT_EQ(common_shift(std::vector<double>(8, 1.02)), std::nullopt);
  EXPECT_NE(common_shift(std::vector<double>(8, 1.021)), std::nullopt);
}

TEST(CommonShift, NeedsEightRows) {
  EXPECT_EQ(common_shift(std::vector<double>(7, 1.06)), std::nullopt);
}

TEST(CommonShift, IsNotMadeOfRowsWithoutATime) {
  auto rows = rows_at(std::vector<double>(8, 10.6));
  rows[0].verdict.ratio.reset();
  EXPECT_EQ(excuse(rows), std::nullopt);
}

}  // namespace
}  // namespace census
