// SPDX-License-Identifier: MIT
#include <census/telemetry.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Reasons = std::vector<std::string>;
using Processes = std::vector<ForeignProcess>;

/// A device and three looks at it.
struct Situation {
  Device device;
  Snapshot before, during, after;
};

std::vector<std::string> findings(const Situation& s) {
  return environment_findings(s.device, s.before, s.during, s.after);
}

/// An H200 that nothing disturbs: idle before, boosted during and after.
Situation healthy() {
  Situation s;
  s.device.uuid = "GPU-1";
  s.device.memory_clock_mhz = 3201;
  s.device.power_cap_percent = Reading<double>::of(100);
  const auto look = [](double sm_clock, double memory_clock, double utilisation) {
    Snapshot snapshot;
    snapshot.sm_clock_mhz = Reading<double>::of(sm_clock);
    snapshot.memory_clock_mhz = Reading<double>::of(memory_clock);
    snapshot.utilisation_percent = Reading<double>::of(utilisation);
    snapshot.throttle_reasons = Reading<Reasons>::of({});
    snapshot.processes = Reading<Processes>::of({});
    return snapshot;
  };
  s.before = look(345, 2619, 0);
  s.during = look(1980, 3201, 100);
  s.after = look(1980, 3201, 100);
  return s;
}

/// Changes a healthy situation.
using Change = void (*)(Situation&);

void throttle(Snapshot& look, Reasons reasons) {
  look.throttle_reasons = Reading<Reasons>::of(std::move(reasons));
}
void share(Snapshot& look, Processes processes) {
  look.processes = Reading<Processes>::of(std::move(processes));
}

struct Case {
  const char* name;
  Change change;
  std::vector<const char*> found;  ///< parts of the one sentence; none: no finding
};

void PrintTo(const Case& c, std::ostream* stream) {
  *stream << c.name;
}

class Environment : public ::testing::TestWithParam<Case> {};

TEST_P(Environment, IsBlamedForItsCauseAloneAndNamesTheWayOut) {
  Situation s = healthy();
  GetParam().change(s);
  const auto found = findings(s);
  ASSERT_EQ(found.size(), GetParam().found.empty() ? 0u : 1u) << ::testing::PrintToString(found);
  for (const char* part : GetParam().found) EXPECT_THAT(found.front(), HasSubstr(part));
}

INSTANTIATE_TEST_SUITE_P(
    Throttle, Environment,
    ::testing::Values(
        Case{"HardwareHeat",
             [](Situation& s) {
               throttle(s.during, {"HwSlowdown", "HwThermalSlowdown"});
             },
             {"too hot", "(HwThermalSlowdown, during)", "cool"}},
        Case{"DriverHeatInEveryLook",
             [](Situation& s) {
               for (Snapshot* look : {&s.before, &s.during, &s.after}) throttle(*look, {"SwThermalSlowdown"});
             },
             {"too hot", "(SwThermalSlowdown, before, during, after)"}},
        Case{"HeatThatHasJustEnded",
             [](Situation& s) { throttle(s.before, {"SwThermalSlowdown"}); },
             {"before"}},
        Case{"PowerBrake",
             [](Situation& s) {
               throttle(s.during, {"HwSlowdown", "HwPowerBrakeSlowdown"});
             },
             {"power brake", "power supply"}},
        Case{"SlowdownOfUnknownCause",
             [](Situation& s) { throttle(s.after, {"HwSlowdown"}); },
             {"(HwSlowdown, after)", "nvidia-smi -q -d PERFORMANCE"}},
        Case{"PowerLimitUnderLoad",
             [](Situation& s) { throttle(s.during, {"SwPowerCap"}); },
             {"the power limit held the clocks down", "raise the limit"}},
        Case{"PowerLimitOfAnIdleCard", [](Situation& s) { throttle(s.before, {"SwPowerCap"}); }, {}},
        Case{"SyncBoost", [](Situation& s) { throttle(s.during, {"SyncBoost"}); }, {"sync boost group"}},
        Case{"ClocksThatAnAdministratorChose",
             [](Situation& s) { throttle(s.during, {"ApplicationsClocksSetting"}); },
             {}},
        Case{"ReasonThatNobodyKnows", [](Situation& s) { throttle(s.during, {"0x200"}); }, {}},
        Case{"ReasonsDenied",
             [](Situation& s) { s.during.throttle_reasons = Reading<Reasons>::denied(); },
             {}}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    PowerCap, Environment,
    ::testing::Values(
        Case{"At54Percent",
             [](Situation& s) { s.device.power_cap_percent = Reading<double>::of(54); },
             {"the power limit is 54 % of the default", "nvidia-smi -i GPU-1 -pl"}},
        Case{"JustBelow",
             [](Situation& s) { s.device.power_cap_percent = Reading<double>::of(94); },
             {"94 %"}},
        Case{
            "WithinRounding", [](Situation& s) { s.device.power_cap_percent = Reading<double>::of(95); }, {}},
        Case{"Raised", [](Situation& s) { s.device.power_cap_percent = Reading<double>::of(110); }, {}},
        Case{"Denied", [](Situation& s) { s.device.power_cap_percent = Reading<double>::denied(); }, {}}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Clocks, Environment,
    ::testing::Values(
        Case{"Healthy", [](Situation&) {}, {}},
        Case{"SagUnderLoad",
             [](Situation& s) { s.before.sm_clock_mhz.value = 1980, s.during.sm_clock_mhz.value = 1410; },
             {"1410 MHz during the timing but 1980 MHz before it", "heat"}},
        Case{"StillRising",
             [](Situation& s) { s.during.sm_clock_mhz.value = 1200; },
             {"1200 MHz during the timing but 1980 MHz after it"}},
        Case{"AFewBoostSteps", [](Situation& s) { s.during.sm_clock_mhz.value = 1890; }, {}},
        Case{"SlowFromStartToEnd",
             [](Situation& s) { s.during.sm_clock_mhz.value = s.after.sm_clock_mhz.value = 1410; },
             {}},
        Case{"IdleAgainAfterwards", [](Situation& s) { s.after.sm_clock_mhz.value = 345; }, {}},
        Case{"SmClockUnreadableDuring", [](Situation& s) { s.during.sm_clock_mhz = {}; }, {}},
        Case{"SmClockUnreadableBeforeAndAfter",
             [](Situation& s) {
               s.during.sm_clock_mhz.value = 800;
               s.before.sm_clock_mhz = s.after.sm_clock_mhz = Reading<double>::denied();
             },
             {}},
        Case{"MemoryAsleep",
             [](Situation& s) { s.during.memory_clock_mhz.value = 2049; },
             {"memory clock was 2049 MHz of 3201 MHz", "nvidia-smi -rmc"}},
        Case{"MemoryAsAConsumerCardComputes",
             [](Situation& s) { s.during.memory_clock_mhz.value = 2886; },
             {}},
        Case{"MemoryClockUnreadable", [](Situation& s) { s.during.memory_clock_mhz = {}; }, {}},
        Case{"MemoryClockOfTheDeviceUnknown", [](Situation& s) { s.device.memory_clock_mhz = 0; }, {}}),
    [](const auto& test) { return test.param.name; });

constexpr Bytes ten_gib{10LL << 30};

INSTANTIATE_TEST_SUITE_P(
    Neighbours, Environment,
    ::testing::Values(
        Case{"ComputeBefore",
             [](Situation& s) {
               share(s.before, {{4242, "python3", "compute", ten_gib}});
             },
             {"shared with python3 (pid 4242, compute, 10.00 GiB)", "stop it"}},
        Case{"ComputeThatStartsInTheMiddle",
             [](Situation& s) {
               share(s.after, {{4242, "python3", "compute", ten_gib}});
             },
             {"python3 (pid 4242"}},
        Case{"Graphics",
             [](Situation& s) {
               share(s.during, {{1207, "Xorg", "graphics", {}}});
             },
             {"Xorg (pid 1207, graphics)"}},
        Case{"TwoInOneSentence",
             [](Situation& s) {
               share(s.before, {{7, "trainer", "compute", {}}});
               share(s.after, {{7, "trainer", "compute", {}}, {8, "Xorg", "graphics", {}}});
             },
             {"trainer (pid 7, compute), Xorg (pid 8, graphics)"}},
        Case{"AnotherContainer",
             [](Situation& s) {
               share(s.before, {{99, "", "compute", {}}});
             },
             {"a process that cannot be named from here (pid 99, compute)"}},
        Case{"ListDenied",
             [](Situation& s) { s.before.processes = s.during.processes = Reading<Processes>::denied(); },
             {}},
        Case{"BusyBeforeWeStart",
             [](Situation& s) { s.before.utilisation_percent.value = 80; },
             {"80 % busy before the measurement began"}},
        Case{"DesktopBeforeWeStart", [](Situation& s) { s.before.utilisation_percent.value = 25; }, {}},
        Case{"UtilisationDenied",
             [](Situation& s) {
               s.before.utilisation_percent = {Availability::denied, 100};
             },
             {}}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(Cpu, Environment,
                         ::testing::Values(Case{"OwnLoad",
                                                [](Situation& s) {
                                                  s = {}, s.device.backend = Backend::cpu,
                                                  s.before.utilisation_percent = Reading<double>::of(100);
                                                },
                                                {}},
                                           Case{"CompilingNeighbour",
                                                [](Situation& s) {
                                                  s = {}, s.device.backend = Backend::cpu,
                                                  s.before.utilisation_percent = Reading<double>::of(210);
                                                },
                                                {"load average was 210 % of the hardware threads"}},
                                           Case{"LoadUnreadable",
                                                [](Situation& s) { s = {}, s.device.backend = Backend::cpu; },
                                                {}}),
                         [](const auto& test) { return test.param.name; });

TEST(EnvironmentFindings, OfNothingReadableAreNone) {
  Situation mig;  // a MIG slice gives none of the fields, and so does a driver whose device is lost
  mig.device.memory_clock_mhz = 3201;
  EXPECT_THAT(findings(mig), IsEmpty());
}

TEST(EnvironmentFindings, OfALostDeviceSayHowToGetItBack) {
  Situation s = healthy();
  s.after.device_lost = true;
  EXPECT_THAT(findings(s),
              ElementsAre(AllOf(HasSubstr("lost the GPU (after)"), HasSubstr("nvidia-smi -i GPU-1 -r"))));
}

TEST(EnvironmentFindings, OfAGpuThatStaysBusyAfterwardsBeginAboveADesktopsLoad) {
  const Device gpu = healthy().device;
  EXPECT_THAT(still_busy_finding(gpu, Reading<double>::of(26)),
              ::testing::Optional(HasSubstr("still 26 % busy")));
  EXPECT_EQ(still_busy_finding(gpu, Reading<double>::of(25)), std::nullopt);
  EXPECT_EQ(still_busy_finding(gpu, {Availability::denied, 100}), std::nullopt);
}

TEST(EnvironmentFindings, OfSlowProbeSamplesBeginWhereNoUndisturbedRunComes) {
  const Device gpu = healthy().device;
  EXPECT_THAT(slow_probe_finding(gpu, 12),
              ::testing::Optional(HasSubstr("12 % of the bandwidth probe's samples")));
  EXPECT_EQ(slow_probe_finding(gpu, 10), std::nullopt);
  EXPECT_EQ(slow_probe_finding(gpu, std::nullopt), std::nullopt);
}

TEST(EnvironmentFindings, OfACpusProbeOrAfterwardsAreNone) {
  Device cpu;
  cpu.backend = Backend::cpu;
  EXPECT_EQ(slow_probe_finding(cpu, 50), std::nullopt);
  EXPECT_EQ(still_busy_finding(cpu, Reading<double>::of(100)), std::nullopt);
}

TEST(EnvironmentFindings, OfDeniedFieldsAreNoneWhateverLiesInThem) {
  Situation s = healthy();
  for (Snapshot* look : {&s.before, &s.during, &s.after}) {
    throttle(*look, {"HwThermalSlowdown"});
    share(*look, {{1, "x", "compute", {}}});
    look->throttle_reasons.availability = look->processes.availability = Availability::denied;
  }
  EXPECT_THAT(findings(s), IsEmpty());
}

TEST(EnvironmentFindings, NameEveryCauseOnce) {
  Situation s = healthy();
  s.device.power_cap_percent = Reading<double>::of(54);
  throttle(s.during, {"SwPowerCap", "SwThermalSlowdown"});
  s.during.sm_clock_mhz.value = 1005;
  share(s.after, {{4242, "python3", "compute", ten_gib}});
  EXPECT_THAT(findings(s), ElementsAre(HasSubstr("too hot"), HasSubstr("SwPowerCap"), HasSubstr("54 %"),
                                       HasSubstr("1005 MHz"), HasSubstr("python3")));
}

}  // namespace
}  // namespace census
