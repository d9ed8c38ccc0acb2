// SPDX-License-Identifier: MIT
// cuBLAS by own declarations: the library is opened at run time where it is installed, never linked. And the
// ways in which it can multiply one bf16 matrix by one vector.
#pragma once

#include <census/kernel_case.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace census {

using CublasHandle = struct cublasContext*;

/// The functions of cuBLAS that the census calls, as its reference manual declares them; the enumerations are
/// ints, and 0 is success. Tests fill it with fakes.
struct CublasApi {
  int (*create)(CublasHandle*) = nullptr;                            // cublasCreate_v2
  int (*destroy)(CublasHandle) = nullptr;                            // cublasDestroy_v2
  int (*version)(CublasHandle, int*) = nullptr;                      // cublasGetVersion_v2
  const char* (*status_text)(int) = nullptr;                         // cublasGetStatusString
  int (*set_stream)(CublasHandle, Stream) = nullptr;                 // cublasSetStream_v2
  int (*set_workspace)(CublasHandle, void*, std::size_t) = nullptr;  // cublasSetWorkspace_v2
  /// cublasGemmEx: transposed a, b; m, n, k; alpha; A, type, ld; B, type, ld; beta; C, type, ld; compute
  /// type, algorithm
  int (*gemm)(CublasHandle, int, int, int, int, int, const void*, const void*, int, int, const void*, int,
              int, const void*, void*, int, int, int, int) = nullptr;
  /// transposed; m, n; alpha; A, ld, stride; x, increment, stride; beta; y, increment, stride; batches
  using Gemv = int(CublasHandle, int, int, int, const float*, const void*, int, long long, const void*, int,
                   long long, const float*, void*, int, long long, int);
  Gemv* gemv_to_f32 = nullptr;   // cublasTSSgemvStridedBatched
  Gemv* gemv_to_bf16 = nullptr;  // cublasTSTgemvStridedBatched
};

/// The file names tried by default: the newest of each major version that the census knows, by the loader's
/// search and where the toolkit puts them.
[[nodiscard]] std::vector<std::string> cublas_files();

struct CublasLibrary {
  std::optional<CublasApi> api;
  std::string reason;  ///< of none, in one line
};
/// Opens the first of the files that can be. It stays loaded.
[[nodiscard]] CublasLibrary open_cublas(const std::vector<std::string>& files = cublas_files());

/// y = W x: W [rows, columns] row-major and x in bf16, y in f32 or bf16, all on the device.
struct CublasProduct {
  MatrixShape shape;
  const void* weights = nullptr;
  const void* x = nullptr;
  void* y = nullptr;
};

/// One way to compute it.
struct CublasCall {
  const char* name;  ///< "cublasGemmEx, bf16 -> f32"
  bool f32_output;
  /// Enqueues it; a status of cuBLAS.
  int (*enqueue)(const CublasApi&, CublasHandle, const CublasProduct&);
};

/// Every way; which is the fastest depends on the shape and the version.
[[nodiscard]] std::span<const CublasCall> cublas_calls();

/// "13.0.2" of 130002 (and of the 120804 of older versions): major, minor, patch.
[[nodiscard]] std::string cublas_version_text(int version);

}  // namespace census
