// SPDX-License-Identifier: MIT
// What the table says of a row whatever its op: the part of a KernelCase that a factory cannot work out from
// the shape.
#pragma once

#include <census/kernel_case.hpp>

#include <string>
#include <vector>

namespace kernels {

struct Row {
  std::string id;
  std::string shape;   ///< for people
  std::string source;  ///< where the shape comes from
  std::vector<census::Use> uses;
};

}  // namespace kernels
