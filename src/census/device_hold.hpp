// SPDX-License-Identifier: MIT
// The device's lock as a command holds it: taken here, or inherited from the gate that started this process.
#pragma once

#include <census/cli.hpp>
#include <census/device.hpp>
#include <census/lock.hpp>

#include <string>
#include <variant>

namespace census {

/// The lock, or a sentence naming who holds it after the wait that the options allow.
[[nodiscard]] std::variant<DeviceLock, std::string> hold_device(const Device& device, const Options& options);

}  // namespace census
