// SPDX-License-Identifier: MIT
// GPUs as ctest names them: the resource specification, and the GPU that ctest gave to a test.
#pragma once

#include <census/device.hpp>

#include <optional>
#include <string>
#include <vector>

namespace census {

/// The device's id in a resource specification: its UUID in lower case, every other character than a-z, 0-9 a
/// '_'. ctest allows no more.
[[nodiscard]] std::string ctest_id(const Device& device);

/// The specification with one slot for each device, or with one pseudo GPU "none" where there is none:
/// without any, ctest would ignore resource groups and run all rows at once.
[[nodiscard]] std::string resource_spec(const std::vector<Device>& devices);

/// The id in ctest's "id:gpu_8f3c,slots:1"; nullopt for another form or the pseudo GPU.
[[nodiscard]] std::optional<std::string> id_in_group(const std::string& group);

}  // namespace census
