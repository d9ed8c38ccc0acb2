// SPDX-License-Identifier: MIT
// y = W x for one token, with q8_0 weights W, x quantised to q8_1 beforehand, and f32 y.
#pragma once

#include "row.hpp"
#include <census/kernel_case.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kernels {

/// W is [rows, columns] row-major. Fused matrices are one W of concatenated rows.
struct Q8_0GemvShape {
  int rows = 0;
  int columns = 0;
};

/// Throws census::UsageError naming the row and the value unless rows > 0 and columns is a positive multiple
/// of 32.
void check_shape(const std::string& id, const Q8_0GemvShape& shape);

/// The row of the census.
[[nodiscard]] census::KernelCase q8_0_gemv(census::Backend backend, const Row& row,
                                           const Q8_0GemvShape& shape);

// What it is put together from, one per file. Buffers of the data contract: weights "w", block by block;
// activations "x", f32 elements that the host quantises.

/// Throws census::UsageError naming the row when the kernel is not built for `shape`.
[[nodiscard]] std::unique_ptr<census::Instance> make_q8_0_gemv_cuda(const std::string& id,
                                                                    const Q8_0GemvShape& shape,
                                                                    const census::InstanceRequest& request);
[[nodiscard]] std::unique_ptr<census::Instance> make_q8_0_gemv_cpu(const std::string& id,
                                                                   const Q8_0GemvShape& shape,
                                                                   const census::InstanceRequest& request);
/// y of copy `copy` as the order contract writes it, from inputs that it makes itself.
[[nodiscard]] std::vector<float> q8_0_gemv_reference(const std::string& id, const Q8_0GemvShape& shape,
                                                     int copy, std::uint64_t user_seed);

}  // namespace kernels
