// SPDX-License-Identifier: MIT
#include "samples.hpp"
#include <census/doctor.hpp>
#include <census/json_io.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// An idle card as the driver shows it.
Snapshot idle() {
  Snapshot look;
  look.sm_clock_mhz = Reading<double>::of(345);
  look.memory_clock_mhz = Reading<double>::of(2619);
  look.throttle_reasons = Reading<std::vector<std::string>>::of({});
  look.processes = Reading<std::vector<ForeignProcess>>::of({});
  look.memory_used = Reading<Bytes>::of({1 << 30});
  return look;
}

RuleState rule(const std::string& name, const Device& device, const Snapshot& now,
               Reading<double> busy = Reading<double>::of(0)) {
  for (const auto& one : environment_rules(device, now, busy)) {
    if (one.rule == name) return one;
  }
  return {"no such rule", "", "", ""};
}

TEST(Doctor, FindsAnIdleCardSoundAlthoughItsClocksAreLow) {
  for (const auto& one : environment_rules(samples::h200(), idle(), Reading<double>::of(0)))
    EXPECT_NE(one.verdict, "environment") << one.rule;
  EXPECT_EQ(rule("memory clock", samples::h200(), idle()).verdict, "under load");
}

TEST(Doctor, PutsEachFindingBesideItsOwnRule) {
  Device capped = samples::h200();
  capped.power_cap_percent = Reading<double>::of(54);
  EXPECT_EQ(rule("power limit", capped, idle()).verdict, "environment");
  EXPECT_EQ(rule("power limit", capped, idle()).reading, "54 % of the default");
  for (const char* other : {"driver", "throttling", "other processes", "utilisation"})
    EXPECT_EQ(rule(other, capped, idle()).verdict, "sound") << other;
}

TEST(Doctor, SaysWhatTheGateWouldSay) {
  Snapshot hot = idle();
  hot.throttle_reasons.value = {"HwThermalSlowdown"};
  EXPECT_THAT(rule("throttling", samples::h200(), hot).finding, HasSubstr("too hot"));
  Snapshot shared = idle();
  shared.processes.value = {{4242, "python3", "compute", {}}};
  EXPECT_THAT(rule("other processes", samples::h200(), shared).finding, HasSubstr("python3 (pid 4242"));
  EXPECT_THAT(rule("utilisation", samples::h200(), idle(), Reading<double>::of(98)).finding,
              HasSubstr("98 % busy"));
  Snapshot lost;
  lost.device_lost = true;
  EXPECT_THAT(rule("driver", samples::h200(), lost).finding, HasSubstr("lost the GPU"));
}

TEST(Doctor, TellsWhatItCannotSeeFromWhatIsSound) {
  Snapshot blind;
  blind.throttle_reasons = Reading<std::vector<std::string>>::denied();
  EXPECT_EQ(rule("throttling", samples::h200(), blind).verdict, "unseen");
  EXPECT_EQ(rule("throttling", samples::h200(), blind).reading, "denied");
  EXPECT_EQ(rule("other processes", samples::h200(), blind).verdict, "unseen");
  EXPECT_EQ(rule("utilisation", samples::h200(), blind, {}).verdict, "unseen");
}

TEST(Doctor, HasOneRuleForACpu) {
  const auto rules = environment_rules(samples::cpu(), {}, Reading<double>::of(210));
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_THAT(rules[0].finding, HasSubstr("load average was 210 %"));
}

TEST(Doctor, PageForProgramsNamesRulesLockBaselineAndWaivers) {
  DoctorPage page{
      .census = "toy", .waivers = "none in baselines/waivers.json", .none = {{"cuda", "no driver"}}};
  DoctorDevice seen{.device = samples::h200(), .now = idle(), .lock = "pid 7 holds it"};
  seen.rules = environment_rules(seen.device, seen.now, Reading<double>::of(0));
  page.devices.push_back(seen);
  EXPECT_THAT(json_report(page),
              AllOf(HasSubstr("\"kind\": \"doctor\""), HasSubstr("\"rule\": \"power limit\""),
                    HasSubstr("\"lock_holder\": \"pid 7 holds it\""), HasSubstr("\"because\": \"no driver\""),
                    HasSubstr("\"waivers\": \"none in baselines/waivers.json\"")));
}

}  // namespace
}  // namespace census
