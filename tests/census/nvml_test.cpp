// SPDX-License-Identifier: MIT
#include <census/nvml.hpp>
#include <census/telemetry_nvml.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#if __has_include(<nvml.h>)
#include <nvml.h>
static_assert(sizeof(census::NvmlPciInfo) == sizeof(nvmlPciInfo_t));
static_assert(sizeof(census::NvmlProcess) == sizeof(nvmlProcessInfo_t));
static_assert(sizeof(census::NvmlUtilization) == sizeof(nvmlUtilization_t));
static_assert(sizeof(census::NvmlMemory) == sizeof(nvmlMemory_t));
static_assert(NVML_ERROR_GPU_IS_LOST == static_cast<int>(census::nvml_gpu_is_lost));
static_assert(NVML_ERROR_RESET_REQUIRED == static_cast<int>(census::nvml_reset_required));
static_assert(NVML_ERROR_NO_PERMISSION == static_cast<int>(census::nvml_no_permission));
static_assert(NVML_ERROR_INSUFFICIENT_SIZE == static_cast<int>(census::nvml_insufficient_size));
static_assert(NVML_CLOCK_SM == static_cast<int>(census::nvml_sm_clock));
static_assert(NVML_CLOCK_MEM == static_cast<int>(census::nvml_memory_clock));
#endif

namespace census {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int not_supported = 3;

// A device that answers everything; each test breaks one answer.
NvmlApi healthy() {
  NvmlApi api;
  api.driver_version = [](char* text, unsigned) {
    std::strcpy(text, "580.159.03");
    return 0;
  };
  api.by_uuid = [](const char* uuid, NvmlDevice* device) {
    *device = reinterpret_cast<NvmlDevice>(1);
    return std::strcmp(uuid, "GPU-1") == 0 ? 0 : 6;
  };
  api.by_bus_id = [](const char* bus, NvmlDevice* device) {
    *device = reinterpret_cast<NvmlDevice>(2);
    return std::strcmp(bus, "0000:01:00.0") == 0 ? 0 : 6;
  };
  api.pci_info = [](NvmlDevice, NvmlPciInfo* pci) {
    pci->pci_device_id = 0x233510DE;
    return 0;
  };
  api.ecc_mode = [](NvmlDevice, int* current, int*) {
    *current = 1;
    return 0;
  };
  api.enforced_power_limit = [](NvmlDevice, unsigned* milliwatts) {
    *milliwatts = 350'000;
    return 0;
  };
  api.default_power_limit = [](NvmlDevice, unsigned* milliwatts) {
    *milliwatts = 700'000;
    return 0;
  };
  api.clock = [](NvmlDevice, int which, unsigned* mhz) {
    *mhz = which == nvml_sm_clock ? 1980U : 3201U;
    return 0;
  };
  api.throttle_reasons = [](NvmlDevice, unsigned long long* reasons) {
    *reasons = 0x5;
    return 0;
  };
  api.power = [](NvmlDevice, unsigned* milliwatts) {
    *milliwatts = 412'500;
    return 0;
  };
  api.compute_processes = [](NvmlDevice, unsigned* count, NvmlProcess* list) {
    const bool fits = *count >= 70;
    *count = 70;
    if (!fits) return static_cast<int>(nvml_insufficient_size);
    for (unsigned i = 0; i < 70; ++i) list[i] = {5000 + i, i == 0 ? ~0ULL : 1024ULL, 0, 0};
    return 0;
  };
  return api;
}

ProcessTable empty_table() {
  ProcessTable table;
  table.self = 1;
  table.parent = [](std::int64_t) { return std::optional<std::int64_t>(); };
  table.name = [](std::int64_t) { return std::string(); };
  table.executable = table.name;
  return table;
}

Snapshot read(const NvmlApi& api) {
  return make_nvml_telemetry(std::make_shared<const Nvml>(api), reinterpret_cast<NvmlDevice>(1),
                             empty_table())
      ->read();
}

TEST(Nvml, TellsAMissingPermissionFromAMissingFeature) {
  EXPECT_EQ(nvml_reading(0, 7).value, 7);
  EXPECT_EQ(nvml_reading(nvml_no_permission, 7).availability, Availability::denied);
  EXPECT_EQ(nvml_reading(not_supported, 7).availability, Availability::unsupported);
}

TEST(Nvml, FindsADeviceByUuidThenByItsPlaceOnTheBus) {
  EXPECT_EQ(find_nvml_device(healthy(), "GPU-1", ""), reinterpret_cast<NvmlDevice>(1));
  EXPECT_EQ(find_nvml_device(healthy(), "GPU-2", "0000:01:00.0"), reinterpret_cast<NvmlDevice>(2));
  EXPECT_EQ(find_nvml_device(healthy(), "GPU-2", "0000:02:00.0"), nullptr);
  EXPECT_EQ(find_nvml_device(NvmlApi{}, "GPU-1", "0000:01:00.0"), nullptr);
}

TEST(Nvml, ReadsWhatDoesNotChange) {
  const NvmlFacts facts = nvml_facts(healthy(), reinterpret_cast<NvmlDevice>(1));
  EXPECT_EQ(facts.pci_device_id.value, 0x233510DEU);
  EXPECT_TRUE(facts.ecc.value);
  EXPECT_DOUBLE_EQ(facts.power_cap_percent.value, 50.0);
  EXPECT_EQ(nvml_driver_version(healthy()), "580.159.03");
}

TEST(Nvml, LeavesFactsUnsupportedWithoutADevice) {
  EXPECT_FALSE(nvml_facts(healthy(), nullptr).pci_device_id.has_value());
}

TEST(Nvml, NamesThrottleReasonsWithoutIdle) {
  EXPECT_THAT(throttle_names(0), IsEmpty());
  EXPECT_THAT(throttle_names(0x1), IsEmpty());
  EXPECT_THAT(throttle_names(0x4 | 0x40), ElementsAre("SwPowerCap", "HwThermalSlowdown"));
  EXPECT_THAT(throttle_names(0x1000), ElementsAre("0x1000"));
}

TEST(Nvml, ReadsASnapshotInItsUnits) {
  const Snapshot snapshot = read(healthy());
  EXPECT_DOUBLE_EQ(snapshot.sm_clock_mhz.value, 1980.0);
  EXPECT_DOUBLE_EQ(snapshot.memory_clock_mhz.value, 3201.0);
  EXPECT_DOUBLE_EQ(snapshot.power_w.value, 412.5);
  EXPECT_THAT(snapshot.throttle_reasons.value, ElementsAre("SwPowerCap"));
  EXPECT_FALSE(snapshot.temperature_c.has_value());
}

TEST(Nvml, AsksAgainForAListThatWasTooLong) {
  const Snapshot snapshot = read(healthy());
  ASSERT_TRUE(snapshot.processes.has_value());
  ASSERT_EQ(snapshot.processes.value.size(), 70U);
  EXPECT_EQ(snapshot.processes.value[0].memory, Bytes{0});
  EXPECT_EQ(snapshot.processes.value[1].memory, Bytes{1024});
}

TEST(Nvml, SaysWhenTheProcessListIsDenied) {
  NvmlApi api = healthy();
  api.compute_processes = [](NvmlDevice, unsigned*, NvmlProcess*) {
    return static_cast<int>(nvml_no_permission);
  };
  EXPECT_EQ(read(api).processes.availability, Availability::denied);
}

TEST(Nvml, ReadsTheMemoryThatEverybodyUses) {
  NvmlApi api = healthy();
  api.memory = [](NvmlDevice, NvmlMemory* memory) {
    *memory = {16, 6, 10};
    return 0;
  };
  EXPECT_EQ(read(api).memory_used.value, Bytes{10});
}

TEST(Nvml, SaysWhenTheDeviceIsLost) {
  NvmlApi api = healthy();
  EXPECT_FALSE(read(api).device_lost);
  api.clock = [](NvmlDevice, int, unsigned*) { return static_cast<int>(nvml_gpu_is_lost); };
  EXPECT_TRUE(read(api).device_lost);
}

TEST(Nvml, IsUnsupportedThroughoutWithoutALibrary) {
  const Snapshot snapshot = make_nvml_telemetry(nullptr, nullptr, empty_table())->read();
  EXPECT_EQ(snapshot.sm_clock_mhz.availability, Availability::unsupported);
  EXPECT_EQ(snapshot.processes.availability, Availability::unsupported);
}

}  // namespace
}  // namespace census
