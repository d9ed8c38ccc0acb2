// SPDX-License-Identifier: MIT
// cuBLAS's product of a row's shape on the current device: buffers of its own, copies rotated as the row's
// are.
#pragma once

#include <census/cublas.hpp>
#include <census/cuda.hpp>
#include <census/rotation_cuda.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace census {

/// Owns a cuBLAS handle and `copies` distinct matrices. Every failure throws CudaError naming the call.
class CublasPeer {
 public:
  CublasPeer(const CublasApi& api, const MatrixShape& shape, int copies, cudaStream_t stream);
  CublasPeer(const CublasPeer&) = delete;
  CublasPeer& operator=(const CublasPeer&) = delete;
  ~CublasPeer();

  /// The fastest of cublas_calls() that gives the right product, as a rotation of `launches` launches. It
  /// uses this object. Throws CudaError where none does, saying why of the last.
  [[nodiscard]] Rotation best(int launches, Rotation::Mode mode);
  /// "cublasGemmEx, bf16 -> f32, of cuBLAS 13.0.2": the call that best() chose.
  [[nodiscard]] std::string call_text() const;

 private:
  [[nodiscard]] CublasProduct product(int copy) const;
  void enqueue(const CublasCall& call, int copy);
  void check_product(const CublasCall& call);
  [[nodiscard]] Rotation rotation(const CublasCall& call, int launches, Rotation::Mode mode);
  void require(int status, const std::string& what) const;

  const CublasApi api_;
  MatrixShape shape_;
  int copies_;
  cudaStream_t stream_;
  CublasHandle handle_ = nullptr;
  std::vector<std::uint16_t> pattern_;     // what fills the matrices, over and over
  DeviceBuffer<std::uint16_t> weights_;    // [copies, rows, columns]
  DeviceBuffer<std::uint16_t> x_;          // [columns], as the pattern begins
  DeviceBuffer<float> y_;                  // [rows]
  DeviceBuffer<unsigned char> workspace_;  // given to cuBLAS: it must not allocate while a graph is captured
  std::string call_;
};

}  // namespace census
