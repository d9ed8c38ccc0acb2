// SPDX-License-Identifier: MIT
// Quantises activations to q8_1: what every row with q8_0 or NVFP4 weights needs to have had done.
#pragma once

#include "row.hpp"
#include <census/kernel_case.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kernels {

/// x is [rows, columns] f32 row-major. Output: the codes [rows, columns], then the scales [rows, columns /
/// 32].
struct QuantizeShape {
  int rows = 1;
  int columns = 0;
};

/// Throws census::UsageError naming the row and the value unless rows > 0 and columns is a positive multiple
/// of 32.
void check_shape(const std::string& id, const QuantizeShape& shape);

/// The resident row of the census. Its data: buffer "x".
[[nodiscard]] census::KernelCase quantize(census::Backend backend, const Row& row,
                                          const QuantizeShape& shape);

// What it is put together from, one per file.

[[nodiscard]] std::unique_ptr<census::Instance> make_quantize_cuda(const std::string& id,
                                                                   const QuantizeShape& shape,
                                                                   const census::InstanceRequest& request);
[[nodiscard]] std::unique_ptr<census::Instance> make_quantize_cpu(const std::string& id,
                                                                  const QuantizeShape& shape,
                                                                  const census::InstanceRequest& request);
/// The output of copy `copy` as the order contract writes it, from inputs that it makes itself.
[[nodiscard]] std::vector<float> quantize_reference(const std::string& id, const QuantizeShape& shape,
                                                    int copy, std::uint64_t user_seed);

/// The output as floats: each code exactly, NaN for a code that no launch has written, then the scales.
[[nodiscard]] std::vector<float> quantize_output(const std::vector<std::int8_t>& codes,
                                                 const std::vector<float>& scales);

}  // namespace kernels
