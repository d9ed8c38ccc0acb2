// SPDX-License-Identifier: MIT
// A launch that does nothing but show that it happened: what one more kernel costs a token.
#pragma once

#include "row.hpp"
#include <census/kernel_case.hpp>

#include <memory>

namespace kernels {

/// The row of the census. Its output is one float, the number of the copy.
[[nodiscard]] census::KernelCase launch_empty(census::Backend backend, const Row& row);

[[nodiscard]] std::unique_ptr<census::Instance> make_launch_empty_cuda(
    const census::InstanceRequest& request);
[[nodiscard]] std::unique_ptr<census::Instance> make_launch_empty_cpu(const census::InstanceRequest& request);

}  // namespace kernels
