// SPDX-License-Identifier: MIT
#include <census/quiet.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

/// Says one utilisation after another, the last one for ever.
class Scripted : public Telemetry {
 public:
  explicit Scripted(std::vector<double> busy) : busy_(std::move(busy)) {}
  Snapshot read() override {
    Snapshot look;
    look.utilisation_percent = Reading<double>::of(busy_[std::min(reads++, busy_.size() - 1)]);
    return look;
  }
  std::size_t reads = 0;

 private:
  std::vector<double> busy_;
};

/// The limits of the product with a sleep that only counts.
QuietWait counted(std::chrono::milliseconds& slept) {
  QuietWait wait;
  wait.sleep = [&slept](std::chrono::milliseconds step) { slept += step; };
  return wait;
}

TEST(WaitUntilQuiet, CostsNothingOnAnIdleDevice) {
  Scripted telemetry({100});
  std::chrono::milliseconds slept{0};
  EXPECT_EQ(wait_until_quiet(telemetry, Reading<double>::of(20), counted(slept)).value, 20);
  EXPECT_EQ(slept.count(), 0);
  EXPECT_EQ(telemetry.reads, 0u);
}

TEST(WaitUntilQuiet, EndsWhenTheTailOfOurOwnWorkIsOver) {
  Scripted telemetry({60, 3});
  std::chrono::milliseconds slept{0};
  EXPECT_EQ(wait_until_quiet(telemetry, Reading<double>::of(97), counted(slept)).value, 3);
  EXPECT_EQ(slept.count(), 100);
}

TEST(WaitUntilQuiet, GivesUpOnADeviceThatStaysBusyAndSaysHowBusy) {
  Scripted telemetry({97});
  std::chrono::milliseconds slept{0};
  EXPECT_EQ(wait_until_quiet(telemetry, Reading<double>::of(100), counted(slept)).value, 97);
  EXPECT_EQ(slept.count(), 1500);
}

TEST(WaitUntilQuiet, CostsNothingWhereUtilisationCannotBeRead) {
  Scripted telemetry({100});
  std::chrono::milliseconds slept{0};
  EXPECT_FALSE(wait_until_quiet(telemetry, {Availability::denied, 100}, counted(slept)).has_value());
  EXPECT_EQ(slept.count(), 0);
}

}  // namespace
}  // namespace census
