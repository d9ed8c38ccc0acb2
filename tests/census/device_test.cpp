// SPDX-License-Identifier: MIT
#include <census/device.hpp>
#include <census/error.hpp>
#include <census/telemetry.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Slug, IsTheLowerCaseNameWithDashes) {
  EXPECT_EQ(slug(Device{.name = "NVIDIA H200"}), "nvidia-h200");
}

TEST(Slug, JoinsARunOfOtherCharactersIntoOneDashAndEndsWithoutOne) {
  EXPECT_EQ(slug(Device{.name = "NVIDIA RTX(TM) 6000 / Ada."}), "nvidia-rtx-tm-6000-ada");
}

TEST(Slug, AppendsTheMigProfile) {
  EXPECT_EQ(slug(Device{.name = "NVIDIA H200", .mig_profile = "1g.18gb"}), "nvidia-h200-mig-1g.18gb");
}

TEST(Slug, TellsMigProfilesWithAnAttributeApart) {
  EXPECT_EQ(slug(Device{.name = "NVIDIA H200", .mig_profile = "1g.18gb+me"}), "nvidia-h200-mig-1g.18gb-me");
}

TEST(Slug, OfEveryCpuIsTheSame) {
  EXPECT_EQ(slug(Device{.backend = Backend::cpu, .name = "AMD EPYC 9654"}), "cpu-generic");
}

TEST(Peak, OfAnH200IsTwiceTheClockTimesTheBus) {
  const auto result = peak(Device{.bus_width_bits = 6016, .memory_clock_mhz = 3201});
  ASSERT_TRUE(result.has_value());
  EXPECT_NEAR(result->value, 4.814, 0.001);
}

TEST(Peak, IsUnknownWhereTheDriverGivesNoClock) {
  EXPECT_FALSE(peak(Device{.bus_width_bits = 6016}).has_value());
}

TEST(Peak, IsUnknownWhereTheDriverGivesNoBusWidth) {
  EXPECT_FALSE(peak(Device{.memory_clock_mhz = 3201}).has_value());
}

Device this_cpu(const std::string& selector = "") {
  return std::get<std::vector<Device>>(find_cpu_devices(selector)).at(0);
}

TEST(CpuDevice, HasEverythingThatMeasuringNeeds) {
  const Device cpu = this_cpu();
  EXPECT_EQ(cpu.backend, Backend::cpu);
  EXPECT_FALSE(cpu.name.empty());
  EXPECT_FALSE(cpu.uuid.empty());
  EXPECT_GE(cpu.sm_count, 1);
  EXPECT_GT(cpu.memory.value, 0);
  EXPECT_GT(cpu.last_level_cache.value, 0);
}

TEST(CpuDevice, HasNoPhysicalPeak) {
  EXPECT_FALSE(peak(this_cpu()).has_value());
}

TEST(CpuDevice, IsFoundByNumberAndByHostName) {
  EXPECT_EQ(this_cpu("0").uuid, this_cpu().uuid);
  EXPECT_EQ(this_cpu(this_cpu().uuid).uuid, this_cpu().uuid);
}

TEST(CpuDevice, RefusesASelectorOfAnotherDeviceAndNamesTheOneThereIs) {
  EXPECT_THAT([] { (void)find_cpu_devices("GPU-12345678"); },
              ThrowsMessage<UsageError>(HasSubstr("no CPU device 'GPU-12345678': there is one, 0")));
}

TEST(CpuTelemetry, ReadsTheLoadAndNothingElse) {
  const Snapshot snapshot = open_cpu_telemetry(this_cpu())->read();
  EXPECT_TRUE(snapshot.utilisation_percent.has_value());
  EXPECT_EQ(snapshot.sm_clock_mhz.availability, Availability::unsupported);
  EXPECT_EQ(snapshot.processes.availability, Availability::unsupported);
}

}  // namespace
}  // namespace census
