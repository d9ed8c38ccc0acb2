// SPDX-License-Identifier: MIT
// What the CUDA arms of the float GEMV share: the arguments of a launch, and one function per arm that plans
// launches.
#pragma once

#include "float_gemv/float_gemv.hpp"
#include <census/cuda.hpp>

#include <functional>
#include <string>

namespace kernels {

/// One copy of a row on the device, passed to kernels by value.
template <class Element>
struct FloatGemvArguments {
  const Element* weights[max_column_blocks];  ///< by column block: [rows, columns] row-major, 16-byte aligned
  const float* x;                             ///< [columns * column_blocks], 16-byte aligned
  float* y;                                   ///< [rows]
  int rows;
  int columns;  ///< of one column block
  int column_blocks;
  bool weights_read_again;  ///< by the next launch: there is one copy only
  census::DeviceExtraRead extra;
};

/// An arm, planned for a shape and the current device.
template <class Element>
struct FloatGemvLaunch {
  /// Launches it on one copy. Throws CudaError.
  std::function<void(const FloatGemvArguments<Element>&, census::Stream)> on;
  std::string tuning = {};  ///< census::Instance::tuning()
};

/// Plan the arm "plain" for the shape and the current device.
[[nodiscard]] FloatGemvLaunch<std::uint16_t> plan_bf16_gemv_plain(const FloatGemvShape& shape);
[[nodiscard]] FloatGemvLaunch<float> plan_f32_gemv_plain(const FloatGemvShape& shape);

/// Plan the arm "stream". Throws std::invalid_argument unless has_stream_arm(shape).
[[nodiscard]] FloatGemvLaunch<std::uint16_t> plan_bf16_gemv_stream(const FloatGemvShape& shape);
[[nodiscard]] FloatGemvLaunch<float> plan_f32_gemv_stream(const FloatGemvShape& shape);

}  // namespace kernels
