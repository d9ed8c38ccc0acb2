// SPDX-License-Identifier: MIT
#include <census/device_select.hpp>
#include <census/error.hpp>

#include <algorithm>
#include <string_view>

namespace census {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

bool is_number(const std::string& text) {
  // Longer digit strings are the start of a UUID, not a device number.
  return !text.empty() && text.size() <= 3 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool uuid_begins(const Device& device, const std::string& wanted) {
  const std::string uuid = lower(device.uuid), prefix = lower(wanted);
  if (uuid.starts_with(prefix)) return true;
  const std::size_t dash = uuid.find('-');
  return dash != std::string::npos && uuid.substr(dash + 1).starts_with(prefix);
}

std::string list(const std::vector<Device>& devices) {
  std::string text;
  for (const Device& device : devices) {
    if (!text.empty()) text += ", ";
    text += std::to_string(device.index) + " (" + device.name + ", " + device.uuid + ")";
  }
  return text.empty() ? "none" : text;
}

}  // namespace

std::string format_uuid(const std::array<std::uint8_t, 16>& bytes, const std::string& prefix) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = prefix;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 0xF];
  }
  return text;
}

std::pair<std::string, std::string> split_mig_name(const std::string& name) {
  constexpr std::string_view mark = " MIG ";
  const std::size_t at = name.find(mark);
  if (at == std::string::npos) return {name, ""};
  return {name.substr(0, at), name.substr(at + mark.size())};
}

std::string format_cuda_version(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string format_architectures(const std::string& configured) {
  std::string text;
  std::size_t begin = 0;
  while (begin < configured.size()) {
    const std::size_t end = std::min(configured.find(',', begin), configured.size());
    const std::string entry = configured.substr(begin, end - begin);
    if (!entry.empty()) text += (text.empty() ? "sm_" : ", sm_") + entry.substr(0, entry.find('-'));
    begin = end + 1;
  }
  return text;
}

std::vector<Device> select_devices(std::vector<Device> devices, const std::string& selector) {
  if (selector.empty()) return devices;
  std::vector<Device> found;
  for (const Device& device : devices) {
    const bool matches =
        is_number(selector) ? std::to_string(device.index) == selector : uuid_begins(device, selector);
    if (matches) found.push_back(device);
  }
  if (found.size() == 1) return found;
  const std::string what = found.empty() ? "names no device" : "names more than one device";
  throw UsageError("--device " + selector + " " + what + "; there are: " + list(devices));
}

}  // namespace census
