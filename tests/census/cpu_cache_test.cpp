// SPDX-License-Identifier: MIT
#include <census/cpu_cache.hpp>

#include <gtest/gtest.h>

#include <fstream>

namespace census {
namespace {

constexpr std::int64_t mib = 1 << 20;

/// A directory like /sys/devices/system/cpu, removed at the end.
class Sysfs : public ::testing::Test {
 protected:
  Sysfs()
      : root_(std::filesystem::path(::testing::TempDir()) /
              (std::string("sysfs.") + ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::remove_all(root_);
  }
  ~Sysfs() override { std::filesystem::remove_all(root_); }

  void add(int cpu, int index, const char* level, const char* type, const char* size,
           const char* shared_by) const {
    const auto directory =
        root_ / ("cpu" + std::to_string(cpu)) / "cache" / ("index" + std::to_string(index));
    std::filesystem::create_directories(directory);
    std::ofstream(directory / "level") << level << '\n';
    std::ofstream(directory / "type") << type << '\n';
    std::ofstream(directory / "size") << size << '\n';
    std::ofstream(directory / "shared_cpu_list") << shared_by << '\n';
  }

  std::filesystem::path root_;
};

TEST_F(Sysfs, CountsACacheThatTwoThreadsShareOnce) {
  for (const int cpu : {0, 1}) {
    add(cpu, 0, "1", "Data", "48K", cpu == 0 ? "0" : "1");
    add(cpu, 1, "3", "Unified", "32768K", "0-1");
  }
  EXPECT_EQ(last_level_cache_in(root_, {0, 1}), Bytes{32 * mib});
}

TEST_F(Sysfs, AddsTheCachesOfTwoCoreComplexes) {
  add(0, 0, "3", "Unified", "32768K", "0-7");
  add(8, 0, "3", "Unified", "32768K", "8-15");
  EXPECT_EQ(last_level_cache_in(root_, {0, 8}), Bytes{64 * mib});
}

TEST_F(Sysfs, CountsOnlyTheCachesOfTheUsableThreads) {
  add(0, 0, "3", "Unified", "32768K", "0-7");
  add(8, 0, "3", "Unified", "32768K", "8-15");
  EXPECT_EQ(last_level_cache_in(root_, {0}), Bytes{32 * mib});
}

TEST_F(Sysfs, IgnoresInstructionCaches) {
  add(0, 0, "2", "Unified", "1M", "0");
  add(0, 1, "3", "Instruction", "64M", "0");
  EXPECT_EQ(last_level_cache_in(root_, {0}), Bytes{1 * mib});
}

TEST_F(Sysfs, IgnoresACacheOfUnknownSize) {
  add(0, 0, "2", "Unified", "1024K", "0");
  add(0, 1, "3", "Unified", "", "0");
  EXPECT_EQ(last_level_cache_in(root_, {0}), Bytes{1 * mib});
}

TEST_F(Sysfs, WithoutCachesKnowsNothing) {
  EXPECT_EQ(last_level_cache_in(root_, {0, 1}), std::nullopt);
}

TEST(BoundedCache, TakesWhatTheProcessorReports) {
  EXPECT_EQ(bounded_cache({32 * mib}, 2), Bytes{32 * mib});
}

TEST(BoundedCache, KeepsAWholePackagesCacheToWhatTheThreadsCanFill) {
  EXPECT_EQ(bounded_cache({508 * mib}, 2), Bytes{2 * 96 * mib});
}

TEST(BoundedCache, AssumesACommonCacheWhereNothingIsReported) {
  EXPECT_EQ(bounded_cache({0}, 2), Bytes{32 * mib});
}

}  // namespace
}  // namespace census
