// SPDX-License-Identifier: MIT
#include <census/device_hold.hpp>

#include <chrono>

namespace census {

std::variant<DeviceLock, std::string> hold_device(const Device& device, const Options& options) {
  if (options.lock_fd >= 0) return DeviceLock::inherit(device.uuid, options.lock_fd);
  const auto wait = std::chrono::milliseconds(static_cast<long long>(options.lock_wait_s * 1000));
  std::string holder;
  if (auto lock = DeviceLock::acquire(device.uuid, wait, &holder)) return std::move(*lock);
  return holder;
}

}  // namespace census
