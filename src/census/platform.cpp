// SPDX-License-Identifier: MIT
#include <census/platform.hpp>

namespace census {
namespace {

class RealPlatform : public Platform {
 public:
  std::variant<std::vector<Device>, NoDevice> devices(Backend backend, const std::string& selector) override {
    return backend == Backend::cuda ? find_cuda_devices(selector) : find_cpu_devices(selector);
  }
  std::unique_ptr<Measurer> measurer(const Device& device) override {
    return device.backend == Backend::cuda ? make_cuda_measurer(device) : make_cpu_measurer(device);
  }
  std::unique_ptr<Telemetry> telemetry(const Device& device) override {
    return device.backend == Backend::cuda ? open_cuda_telemetry(device) : open_cpu_telemetry(device);
  }
  std::chrono::sys_days today() override {
    return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  }
};

}  // namespace

std::unique_ptr<Platform> real_platform() {
  return std::make_unique<RealPlatform>();
}

}  // namespace census
