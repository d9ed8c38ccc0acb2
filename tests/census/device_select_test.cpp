// SPDX-License-Identifier: MIT
#include <census/device_select.hpp>
#include <census/error.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using testing::HasSubstr;

std::vector<Device> two_devices() {
  Device first, second;
  first.index = 0;
  first.name = "NVIDIA H200";
  first.uuid = "GPU-8f3c1d20-0000-1111-2222-333344445555";
  second.index = 1;
  second.name = "NVIDIA A100";
  second.uuid = "GPU-8f4c1d20-0000-1111-2222-333344445555";
  return {first, second};
}

std::string error_of(const std::string& selector) {
  try {
    (void)select_devices(two_devices(), selector);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(DeviceSelect, FormatsAUuidAsNvidiaSmiDoes) {
  const std::array<std::uint8_t, 16> bytes{0x8f, 0x3c, 0x1d, 0x20, 0x00, 0x01, 0x02, 0x03,
                                           0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0xff};
  EXPECT_EQ(format_uuid(bytes, "GPU-"), "GPU-8f3c1d20-0001-0203-0405-060708090aff");
}

TEST(DeviceSelect, SplitsAMigSliceFromItsGpu) {
  EXPECT_EQ(split_mig_name("NVIDIA H200 MIG 1g.18gb"),
            std::make_pair(std::string("NVIDIA H200"), std::string("1g.18gb")));
  EXPECT_EQ(split_mig_name("NVIDIA H200"), std::make_pair(std::string("NVIDIA H200"), std::string()));
}

TEST(DeviceSelect, FormatsCudaVersions) {
  EXPECT_EQ(format_cuda_version(13000), "13.0");
  EXPECT_EQ(format_cuda_version(12080), "12.8");
}

TEST(DeviceSelect, NamesTheArchitecturesOfTheBuild) {
  EXPECT_EQ(format_architectures("80,90-real,120-virtual"), "sm_80, sm_90, sm_120");
  EXPECT_EQ(format_architectures("90"), "sm_90");
}

TEST(DeviceSelect, KeepsAllWithoutASelector) {
  EXPECT_EQ(select_devices(two_devices(), "").size(), 2U);
}

TEST(DeviceSelect, TakesANumberAsTheIndex) {
  EXPECT_EQ(select_devices(two_devices(), "1").at(0).name, "NVIDIA A100");
}

TEST(DeviceSelect, TakesAUuidPrefixInAnyCaseWithOrWithoutGpu) {
  EXPECT_EQ(select_devices(two_devices(), "gpu-8F4").at(0).index, 1);
  EXPECT_EQ(select_devices(two_devices(), "8f3c").at(0).index, 0);
}

TEST(DeviceSelect, RefusesAnUnknownDeviceAndNamesThoseThatExist) {
  EXPECT_THAT(error_of("2"), HasSubstr("--device 2 names no device; there are: 0 (NVIDIA H200, GPU-8f3c"));
  EXPECT_THAT(error_of("GPU-00"), HasSubstr("1 (NVIDIA A100"));
}

TEST(DeviceSelect, RefusesAnAmbiguousPrefix) {
  EXPECT_THAT(error_of("GPU-8f"), HasSubstr("more than one device"));
}

}  // namespace
}  // namespace census
