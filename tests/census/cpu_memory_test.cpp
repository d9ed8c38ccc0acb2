// SPDX-License-Identifier: MIT
#include <census/cpu_memory.hpp>

#include <gtest/gtest.h>

#include <fstream>

namespace census {
namespace {

/// A meminfo file and a control group's directory, removed at the end.
class AvailableMemory : public ::testing::Test {
 protected:
  AvailableMemory() { std::filesystem::create_directories(directory_); }
  ~AvailableMemory() override { std::filesystem::remove_all(directory_); }

  void write(const char* file, const char* text) const { std::ofstream(directory_ / file) << text << '\n'; }
  [[nodiscard]] Bytes read() const { return available_memory(directory_ / "meminfo", directory_); }

  std::filesystem::path directory_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("memory.") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(AvailableMemory, IsTheKernelsEstimate) {
  write("meminfo", "MemTotal:       4000 kB\nMemFree:          10 kB\nMemAvailable:   2000 kB");
  EXPECT_EQ(read(), Bytes{2000 * 1024});
}

TEST_F(AvailableMemory, IsNoMoreThanTheControlGroupLeaves) {
  write("meminfo", "MemAvailable:   2000 kB");
  write("memory.max", "1000000");
  write("memory.current", "400000");
  EXPECT_EQ(read(), Bytes{600000});
}

TEST_F(AvailableMemory, IsNotLimitedByAControlGroupWithoutLimit) {
  write("meminfo", "MemAvailable:   2000 kB");
  write("memory.max", "max");
  write("memory.current", "400000");
  EXPECT_EQ(read(), Bytes{2000 * 1024});
}

TEST_F(AvailableMemory, IsNoneInAControlGroupOverItsLimit) {
  write("meminfo", "MemAvailable:   2000 kB");
  write("memory.max", "1000");
  write("memory.current", "4000");
  EXPECT_EQ(read(), Bytes{0});
}

TEST_F(AvailableMemory, IsNoneWhereNothingCanBeRead) {
  EXPECT_EQ(read(), Bytes{0});
}

}  // namespace
}  // namespace census
