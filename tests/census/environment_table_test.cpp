// SPDX-License-Identifier: MIT
// Plays the situations of telemetry/*.json through the real reading of NVML, the environment's rules and the
// judge, and compares the table of verdicts with approved/environment.md. After an intended change: run the
// test with CENSUS_APPROVE=1, and read the diff.
//
// A file gives what differs from healthy.json. A field is NVML's answer in the unit of its name, or "N/A",
// "denied" or "lost" for its error; `compute` and `graphics` list [pid, name, MiB].
#include "samples.hpp"
#include <census/nvml.hpp>
#include <census/telemetry_nvml.hpp>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <type_traits>

namespace census {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path tests = PROJECT_SOURCE_DIR "/tests/census";

/// What the scripted driver answers now. NVML's functions have no argument that could carry it.
const json* facts_now = nullptr;
const json* look_now = nullptr;

int status_of(const json& answer) {
  if (!answer.is_string()) return nvml_success;
  const std::map<std::string, int> errors{
      {"N/A", 3}, {"denied", nvml_no_permission}, {"lost", nvml_gpu_is_lost}};
  return errors.at(answer.get<std::string>());
}

/// Gives the field's number times `scale`, or its error.
template <class T>
int give(const json& answer, T& value, double scale = 1) {
  const int status = status_of(answer);
  if (status == nvml_success) value = static_cast<T>(answer.get<double>() * scale);
  return status;
}

int list(const char* field, unsigned* count, NvmlProcess* into) {
  const json& answer = look_now->at(field);
  if (const int status = status_of(answer); status != nvml_success) return status;
  *count = static_cast<unsigned>(answer.size());
  for (const auto& process : answer)
    *into++ = {process[0].get<unsigned>(), process[2].get<unsigned long long>() << 20, 0, 0};
  return nvml_success;
}

NvmlApi scripted_driver() {
  NvmlApi api;
  const auto limit = [](int which, unsigned* milliwatts) {
    const json& answer = facts_now->at("power_limit_w");
    return give(answer.is_array() ? answer.at(which) : answer, *milliwatts, 1000);
  };
  static_assert(std::is_empty_v<decltype(limit)>);
  api.enforced_power_limit = [](NvmlDevice, unsigned* mw) { return decltype(limit){}(0, mw); };
  api.default_power_limit = [](NvmlDevice, unsigned* mw) { return decltype(limit){}(1, mw); };
  api.ecc_mode = [](NvmlDevice, int* current, int*) { return give(facts_now->at("ecc"), *current); };
  api.clock = [](NvmlDevice, int which, unsigned* mhz) {
    return give(look_now->at(which == nvml_sm_clock ? "sm_mhz" : "memory_mhz"), *mhz);
  };
  api.throttle_reasons = [](NvmlDevice, unsigned long long* bits) {
    return give(look_now->at("reasons"), *bits);
  };
  api.power = [](NvmlDevice, unsigned* mw) { return give(look_now->at("power_w"), *mw, 1000); };
  api.temperature = [](NvmlDevice, int, unsigned* celsius) {
    return give(look_now->at("celsius"), *celsius);
  };
  api.utilization = [](NvmlDevice, NvmlUtilization* rates) { return give(look_now->at("busy"), rates->gpu); };
  api.memory = [](NvmlDevice, NvmlMemory* memory) {
    return give(look_now->at("used_mib"), memory->used, 1 << 20);
  };
  api.compute_processes = [](NvmlDevice, unsigned* count, NvmlProcess* into) {
    return list("compute", count, into);
  };
  api.graphics_processes = [](NvmlDevice, unsigned* count, NvmlProcess* into) {
    return list("graphics", count, into);
  };
  return api;
}

/// Names the processes of the situation; has no relatives among them.
ProcessTable process_table(const json& situation) {
  std::map<std::int64_t, std::string> names;
  for (const char* moment : {"before", "during", "after"}) {
    for (const char* field : {"compute", "graphics"}) {
      const json& listed = situation[moment][field];
      if (!listed.is_array()) continue;
      for (const auto& process : listed)
        names[process[0].get<std::int64_t>()] = process[1].get<std::string>();
    }
  }
  ProcessTable table;
  table.self = 1;
  table.parent = [](std::int64_t) { return std::optional<std::int64_t>(); };
  table.name = [names](std::int64_t pid) { return names.contains(pid) ? names.at(pid) : ""; };
  table.executable = [](std::int64_t) { return std::string(); };
  return table;
}

/// The three looks of a run in this situation, and what the measurer and the gate find in them.
RowRun run_in(const json& situation) {
  RowRun run = samples::run("row", 10);
  const bool missing = situation.value("missing", false);
  const auto nvml = missing ? nullptr : std::make_shared<const Nvml>(scripted_driver());
  const auto device = reinterpret_cast<NvmlDevice>(1);
  facts_now = &situation;
  const NvmlFacts facts = nvml_facts(missing ? NvmlApi{} : nvml->api, device);
  run.device.ecc = facts.ecc;
  run.device.power_cap_percent = facts.power_cap_percent;
  const auto telemetry = make_nvml_telemetry(nvml, device, process_table(situation));
  for (auto [moment, look] :
       {std::pair{"before", &run.before}, {"during", &run.during}, {"after", &run.after}}) {
    look_now = &situation.at(moment);
    *look = telemetry->read();
  }
  run.environment = environment_findings(run.device, run.before, run.during, run.after);
  Reading<double> afterwards;
  if (situation["busy_afterwards"].is_number())
    afterwards = Reading<double>::of(situation["busy_afterwards"]);
  if (auto finding = still_busy_finding(run.device, afterwards)) run.environment.push_back(*finding);
  if (auto finding = slow_probe_finding(run.device, situation.at("slow_probe_percent").get<double>()))
    run.environment.push_back(*finding);
  if (auto notice = blind_spot_notice(run.device, run.during)) run.notices.push_back(*notice);
  run.ceiling_tbs = situation.at("ceiling_tbs").get<double>();
  return run;
}

Verdict judged(const RowRun& run, double us) {
  RunFacts fact = facts(run);
  fact.us = us;
  fact.tbs = static_cast<double>(samples::cold_bytes) / us * 1e-6;
  const Runs runs{{fact, fact, fact},
                  us > 10.3 ? std::vector<RunFacts>{fact, fact, fact} : std::vector<RunFacts>{}};
  const BaselineRow row = samples::baseline_row("row", 10);
  const Control control = samples::control();
  Verdict verdict = judge(runs, &row, &control, policy_for("nvidia-h200"));
  for (const auto& difference : soft_differences(samples::h200_key(), baseline_device(run.device)))
    verdict.notices.push_back(difference);
  return verdict;
}

/// What the verdict says beyond its numbers: the cause, else its notices, else nothing.
std::string says(const Verdict& verdict) {
  std::string text;
  if (const auto but = verdict.reason.find(", but "); but != std::string::npos)
    text = verdict.reason.substr(but + 6);
  for (const auto& notice : verdict.notices) text += (text.empty() ? "notice: " : "; notice: ") + notice;
  return text.empty() ? "-" : text;
}

std::string table_row(const json& situation) {
  const RowRun run = run_in(situation);
  const Verdict slow = judged(run, 11), good = judged(run, 10);
  const std::string slow_says = says(slow), good_says = says(good);
  return "| " + situation.at("situation").get<std::string>() + " | " +
         situation.at("driver").get<std::string>() + " | **" + to_string(slow.kind) + "** | " + slow_says +
         " | **" + to_string(good.kind) + "** | " + (good_says == slow_says ? "the same" : good_says) +
         " |\n";
}

/// The situations by file name.
std::map<std::string, json> situations() {
  const auto parsed = [](const fs::path& file) { return json::parse(std::ifstream(file)); };
  const json healthy = parsed(tests / "telemetry/healthy.json");
  std::map<std::string, json> all;
  for (const auto& entry : fs::directory_iterator(tests / "telemetry")) {
    json situation = healthy;
    situation.merge_patch(parsed(entry.path()));
    all[entry.path().stem().string()] = std::move(situation);
  }
  return all;
}

Kind slow_kind(const std::string& name) {
  return judged(run_in(situations().at(name)), 11).kind;
}

TEST(EnvironmentTable, IsApproved) {
  std::string text =
      "# What the gate says in which situation\n\n"
      "Made by `tests/census/environment_table_test.cpp` from the situations in `tests/census/telemetry`, "
      "and compared with this\n"
      "file by the test; `CENSUS_APPROVE=1 build/dev/tests/environment_table_test` writes it anew.\n\n"
      "The row's baseline is 10 us, its limit 10.3 us, the ceiling's baseline 4.4 TB/s. One row is measured "
      "10 % slower (11 us,\n"
      "confirmed), one at its baseline's time.\n\n"
      "| situation | the driver says | row 10 % slower | what it says | row at its baseline | what it says "
      "|\n"
      "|---|---|---|---|---|---|\n";
  auto all = situations();
  text += table_row(all.at("healthy"));
  all.erase("healthy");
  for (const auto& [name, situation] : all) text += table_row(situation);
  const fs::path file = tests / "approved/environment.md";
  if (std::getenv("CENSUS_APPROVE") != nullptr) std::ofstream(file) << text;
  std::ostringstream approved;
  approved << std::ifstream(file).rdbuf();
  EXPECT_EQ(text, approved.str());
}

TEST(EnvironmentTable, AccusesTheCodeWhereNothingElseIsSeen) {
  for (const char* name :
       {"healthy", "mig", "nvml-denied", "nvml-missing", "clock-unreadable", "ecc-off", "application-clocks"})
    EXPECT_EQ(slow_kind(name), Kind::regressed) << name;
}

TEST(EnvironmentTable, NeverAccusesTheCodeInAnyOtherSituation) {
  const std::set<std::string> sound{"healthy",          "mig",     "nvml-denied",       "nvml-missing",
                                    "clock-unreadable", "ecc-off", "application-clocks"};
  for (const auto& [name, situation] : situations()) {
    if (sound.contains(name)) continue;
    EXPECT_EQ(slow_kind(name), Kind::environment) << name;
  }
}

}  // namespace
}  // namespace census
