// SPDX-License-Identifier: MIT
// y = W x for one token, with bf16 or f32 weights W and f32 x and y, by the first rule of the order contract.
#pragma once

#include "row.hpp"
#include <census/kernel_case.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kernels {

/// Most buffers that one row of W may be split over.
inline constexpr int max_column_blocks = 4;

/// W is [rows, columns * column_blocks] row-major. With several column blocks, block b is a buffer of its
/// own, [rows, columns], as when each of several attention groups keeps its own output projection. Fused
/// matrices are one W of concatenated rows.
struct FloatGemvShape {
  int rows = 0;
  int columns = 0;  ///< of one column block
  int column_blocks = 1;
};

/// Columns of the whole matrix, the length of x.
[[nodiscard]] inline int depth(const FloatGemvShape& shape) {
  return shape.columns * shape.column_blocks;
}

/// Throws std::invalid_argument naming the row and the value unless rows > 0, columns is a positive multiple
/// of 8 (of 256 with several column blocks, so that every block starts at the first partial sum), and 1 <=
/// column_blocks <= 4.
void check_shape(const std::string& id, const FloatGemvShape& shape);

/// The row of the census. Weight is Bf16Weight or F32Weight.
template <class Weight>
[[nodiscard]] census::KernelCase float_gemv(census::Backend backend, const Row& row,
                                            const FloatGemvShape& shape);

// What it is put together from, one per file. Buffers of the data contract: weights "w0", "w1", ... by column
// block, activations "x".

template <class Weight>
[[nodiscard]] std::unique_ptr<census::Instance> make_float_gemv_cuda(const std::string& id,
                                                                     const FloatGemvShape& shape,
                                                                     const census::InstanceRequest& request);
template <class Weight>
[[nodiscard]] std::unique_ptr<census::Instance> make_float_gemv_cpu(const std::string& id,
                                                                    const FloatGemvShape& shape,
                                                                    const census::InstanceRequest& request);
/// y of copy `copy` as the order contract writes it, from inputs that it makes itself.
template <class Weight>
[[nodiscard]] std::vector<float> float_gemv_reference(const std::string& id, const FloatGemvShape& shape,
                                                      int copy, std::uint64_t user_seed);

}  // namespace kernels
