// SPDX-License-Identifier: MIT
// A gate executable whose devices and measurements are scripted by the file that FAKE_SCRIPT names. Lines,
// first word decides:
//   none BACKEND REASON...          the backend has no device
//   die BACKEND                     whoever asks for its devices is killed
//   busy PERCENT                    what telemetry says of the utilisation, always
//   ROW WHEN KEY=VALUE...           WHEN is the number of the measurement of that row on its backend (0, 1,
//   ...), or *
// Keys: us, ceiling (TB/s), digest, code (code digest), status, reason (spaces as '_'), finding (likewise),
// crash (signal), exit (code), hang, throw, garbage. The last line that matches wins. Without a line a row
// takes 10 us. Measurements are counted, and what a plant's search began with is listed, in files beside the
// script. FAKE_TODAY is the day (default 2026-12-01). FAKE_DAY, FAKE_BOOT, FAKE_COMMIT and FAKE_DRIVER are
// what a record says of its day, machine start, clean build and driver. FAKE_WITHOUT names a row that the
// census lacks, FAKE_RENAMED calls fake.one fake.uno, FAKE_ARM is an arm that its rows have beside "plain",
// which no device here runs where FAKE_ARM_ELSEWHERE is set.
#include <census/measure.hpp>
#include <census/measure_common.hpp>
#include <census/platform.hpp>
#include <census/waiver.hpp>

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace {

using census::Backend;
using Keys = std::map<std::string, std::string>;

std::string script_file() {
  const char* file = std::getenv("FAKE_SCRIPT");
  return file == nullptr ? "/dev/null" : file;
}

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

std::string spaced(std::string text) {
  for (char& c : text) {
    if (c == '_') c = ' ';
  }
  return text;
}

/// How often the row was measured before; counts this time.
int count_measurement(const std::string& row) {
  const std::string file = script_file() + "." + row + ".count";
  int before = 0;
  std::ifstream(file) >> before;
  std::ofstream(file) << before + 1;
  return before;
}

Keys keys_of(const std::string& row, int when) {
  Keys keys;
  std::ifstream script(script_file());
  for (std::string line; std::getline(script, line);) {
    std::istringstream words(line);
    std::string name;
    std::string number;
    words >> name >> number;
    if (name != row || (number != "*" && number != std::to_string(when))) continue;
    keys.clear();
    for (std::string word; words >> word;) {
      const auto equals = word.find('=');
      keys[word.substr(0, equals)] = equals == std::string::npos ? "" : word.substr(equals + 1);
    }
  }
  return keys;
}

census::Device fake_device(Backend backend) {
  census::Device device;
  device.backend = backend;
  device.uuid = backend == Backend::cuda ? "GPU-FAKE-0001" : "fake-host";
  device.name = backend == Backend::cuda ? "Fake GPU" : "Fake CPU";
  device.sm_count = 8;
  device.memory = {std::int64_t{16} << 30};
  device.driver = variable("FAKE_DRIVER", "580.1");
  device.last_level_cache = {1 << 20};
  if (backend == Backend::cuda) {
    device.memory_clock_mhz = 3201;
    device.bus_width_bits = 6016;  // peak 4.81 TB/s
  }
  return device;
}

/// What a script may do to the whole process.
void misbehave(const Keys& keys) {
  if (keys.contains("crash")) raise(std::stoi(keys.at("crash")));
  if (keys.contains("exit")) _exit(std::stoi(keys.at("exit")));
  if (keys.contains("hang")) std::this_thread::sleep_for(std::chrono::hours(1));
  if (keys.contains("throw")) throw std::runtime_error(spaced(keys.at("throw")));
}

/// Three numbers, right until a fault is planted.
class FakeInstance : public census::Instance {
 public:
  void launch(census::Stream, int) override {}
  std::vector<float> output(int) override { return {1, 2, 3}; }
  std::vector<float> reference(int) override { return {1, 2, 3}; }
};

class FakeMeasurer : public census::Measurer {
 public:
  explicit FakeMeasurer(census::Device device) : device_(std::move(device)) {}

  census::RowRun measure(const census::KernelCase& row, const census::MeasureOptions& options) override {
    const int count = count_measurement(row.id);
    const Keys keys = keys_of(row.id, count);
    misbehave(keys);
    const auto value = [&](const std::string& key, const std::string& otherwise) {
      return keys.contains(key) ? keys.at(key) : otherwise;
    };
    census::RowRun run;
    run.row = row.id;
    run.backend = row.backend;
    run.device = device_;
    run.build = census::this_build();
    if (const char* commit = std::getenv("FAKE_COMMIT"); commit != nullptr) {
      run.build.commit = commit;
      run.build.dirty = false;
    }
    run.occasion = variable("FAKE_BOOT", "boot") + "/" + device_.uuid;
    run.host = "fake-host";
    run.date = variable("FAKE_DAY", "2026-12-01") + "T10:" + std::to_string(10 + count % 50) + ":00Z";
    run.cold_bytes = row.cold_bytes;
    run.copies = 8;
    run.cache_mode = options.hot ? "hot" : "cold";
    run.wall_seconds = 0.5;
    run.phases = {{"make", 0.1}, {"time", 0.3}};
    const auto instance = row.make({});
    instance->launch(nullptr, 0);
    if (!census::check_outputs(*instance, 1, options.check_reference, run)) return run;
    run.status = census::run_status_from(value("status", "measured")).value();
    run.reason = spaced(value("reason", ""));
    run.arm = census::choose_arm(row, device_, options.arm).name;
    run.output_digest = value("digest", "00000000000000aa");
    run.reference_checked = options.check_reference;
    run.ceiling_tbs = std::strtod(value("ceiling", "4.0").c_str(), nullptr);
    run.probe_version = 1;
    if (keys.contains("code")) run.code_digest = keys.at("code");
    if (keys.contains("finding")) run.environment = {spaced(keys.at("finding"))};
    const double us = std::strtod(value("us", "10").c_str(), nullptr) * (1 + options.plant_percent / 100);
    run.row_series = {std::vector<double>(20, us), us, us, us};
    run.floor = census::Series{{8, 8, 8}, 8, 8, 8};
    if (options.plant_percent > 0) {
      run.plant = {options.plant_percent, options.plant_percent, options.plant_bytes + 16};
      std::ofstream(script_file() + "." + row.id + ".plants", std::ios::app) << options.plant_bytes << " ";
    }
    return run;
  }

 private:
  census::Device device_;
};

class FakeTelemetry : public census::Telemetry {
 public:
  census::Snapshot read() override {
    census::Snapshot look;
    std::ifstream script(script_file());
    for (std::string line; std::getline(script, line);) {
      if (line.rfind("busy ", 0) == 0)
        look.utilisation_percent = census::Reading<double>::of(std::stod(line.substr(5)));
    }
    return look;
  }
};

class FakePlatform : public census::Platform {
 public:
  std::variant<std::vector<census::Device>, census::NoDevice> devices(Backend backend,
                                                                      const std::string&) override {
    std::ifstream script(script_file());
    for (std::string line; std::getline(script, line);) {
      if (line == std::string("die ") + to_string(backend)) raise(SIGKILL);
      const std::string start = std::string("none ") + to_string(backend) + " ";
      if (line.rfind(start, 0) == 0) return census::NoDevice{line.substr(start.size())};
    }
    return std::vector<census::Device>{fake_device(backend)};
  }
  std::unique_ptr<census::Measurer> measurer(const census::Device& device) override {
    return std::make_unique<FakeMeasurer>(device);
  }
  std::unique_ptr<census::Telemetry> telemetry(const census::Device&) override {
    return std::make_unique<FakeTelemetry>();
  }
  std::chrono::sys_days today() override {
    return census::day_from(variable("FAKE_TODAY", "2026-12-01")).value();
  }
};

census::KernelCase fake_row(const std::string& id, Backend backend) {
  census::KernelCase row;
  row.id = id;
  row.backend = backend;
  row.op = "fake";
  row.shape = "none";
  row.source = "scripted";
  row.cold_bytes = {20'000'000};  // 2 TB/s at 10 us
  row.uses = {{"token", 10}};
  row.arms = {{"plain"}};
  row.make = [](const census::InstanceRequest&) -> std::unique_ptr<census::Instance> {
    return std::make_unique<FakeInstance>();
  };
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  census::Census census;
  census.name = "fake-gate";
  census.plans = {"token"};
  census.rows = {fake_row("fake.one", Backend::cuda), fake_row("fake.two", Backend::cuda),
                 fake_row("fake.three", Backend::cpu)};
  if (const char* only = std::getenv("FAKE_NO_ROWS"); only != nullptr) census.rows.clear();
  if (const char* without = std::getenv("FAKE_WITHOUT"); without != nullptr)
    std::erase_if(census.rows, [&](const census::KernelCase& row) { return row.id == without; });
  if (std::getenv("FAKE_RENAMED") != nullptr) census.rows[0].id = "fake.uno";
  if (const char* arm = std::getenv("FAKE_ARM"); arm != nullptr) {
    const bool here = std::getenv("FAKE_ARM_ELSEWHERE") == nullptr;
    for (auto& row : census.rows)
      row.arms.push_back({.name = arm, .minimum_capability = here ? 0 : 100, .needs = "sm_100"});
  }
  FakePlatform platform;
  return census::run_on(platform, argc, argv, census);
}
