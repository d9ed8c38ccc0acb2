// SPDX-License-Identifier: MIT
#include <census/commands.hpp>
#include <census/resource_spec.hpp>

namespace census {
namespace {

constexpr const char* pseudo_gpu = "none";

}  // namespace

std::string ctest_id(const Device& device) {
  std::string id;
  for (const char c : device.uuid) {
    if (c >= 'A' && c <= 'Z') {
      id += static_cast<char>(c - 'A' + 'a');
    } else {
      id += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_';
    }
  }
  return id;
}

std::string resource_spec(const std::vector<Device>& devices) {
  std::string gpus;
  const auto add = [&](const std::string& id) {
    gpus += (gpus.empty() ? "" : ", ") + std::string("{\"id\": \"") + id + "\", \"slots\": 1}";
  };
  for (const auto& device : devices) add(ctest_id(device));
  if (devices.empty()) add(pseudo_gpu);
  return "{\"version\": {\"major\": 1, \"minor\": 0}, \"local\": [{\"gpus\": [" + gpus + "]}]}\n";
}

std::optional<std::string> id_in_group(const std::string& group) {
  if (group.rfind("id:", 0) != 0) return std::nullopt;
  const auto id = group.substr(3, group.find(',') - 3);
  if (id.empty() || id == pseudo_gpu) return std::nullopt;
  return id;
}

int resource_spec_command(const Call& call) {
  const auto found = call.platform.devices(Backend::cuda, "");
  const auto* devices = std::get_if<std::vector<Device>>(&found);
  answer(call, resource_spec(devices == nullptr ? std::vector<Device>{} : *devices));
  return 0;
}

}  // namespace census
