// SPDX-License-Identifier: MIT
#include <census/cublas.hpp>
#include <census/symbol.hpp>

#include <dlfcn.h>

namespace census {
namespace {

// Values of cuBLAS's and CUDA's enumerations, which are part of their binary interface.
constexpr int op_n = 0, op_t = 1;      // cublasOperation_t
constexpr int f32 = 0, bf16 = 14;      // cudaDataType
constexpr int compute_f32 = 68;        // cublasComputeType_t CUBLAS_COMPUTE_32F
constexpr int default_algorithm = -1;  // cublasGemmAlgo_t CUBLAS_GEMM_DEFAULT
constexpr float one = 1, zero = 0;
constexpr int missing_function = 15;  // CUBLAS_STATUS_NOT_SUPPORTED

// cuBLAS is column-major: the row-major W [rows, columns] is its [columns, rows], which it has to transpose.
template <int output>
int matrix_first(const CublasApi& api, CublasHandle handle, const CublasProduct& p) {
  const auto [rows, columns, buffers] = p.shape;
  return api.gemm(handle, op_t, op_n, rows, 1, columns, &one, p.weights, bf16, columns, p.x, bf16, columns,
                  &zero, p.y, output, rows, compute_f32, default_algorithm);
}

// The same product transposed, y' = x' W': other shapes, so that other kernels are chosen.
template <int output>
int vector_first(const CublasApi& api, CublasHandle handle, const CublasProduct& p) {
  const auto [rows, columns, buffers] = p.shape;
  return api.gemm(handle, op_n, op_n, 1, rows, columns, &one, p.x, bf16, 1, p.weights, bf16, columns, &zero,
                  p.y, output, 1, compute_f32, default_algorithm);
}

template <int output>
int gemv(const CublasApi& api, CublasHandle handle, const CublasProduct& p) {
  CublasApi::Gemv* call = output == f32 ? api.gemv_to_f32 : api.gemv_to_bf16;
  if (call == nullptr) return missing_function;
  return call(handle, op_t, p.shape.columns, p.shape.rows, &one, p.weights, p.shape.columns, 0, p.x, 1, 0,
              &zero, p.y, 1, 0, 1);
}

constexpr CublasCall calls[] = {
    {"cublasGemmEx, bf16 -> bf16", false, matrix_first<bf16>},
    {"cublasGemmEx, bf16 -> f32", true, matrix_first<f32>},
    {"cublasGemmEx of the transposed, bf16 -> bf16", false, vector_first<bf16>},
    {"cublasGemmEx of the transposed, bf16 -> f32", true, vector_first<f32>},
    {"cublasTSTgemvStridedBatched, bf16 -> bf16", false, gemv<bf16>},
    {"cublasTSSgemvStridedBatched, bf16 -> f32", true, gemv<f32>},
};

CublasApi load_all(void* library) {
  CublasApi api;
  load_symbol(library, "cublasCreate_v2", api.create);
  load_symbol(library, "cublasDestroy_v2", api.destroy);
  load_symbol(library, "cublasGetVersion_v2", api.version);
  load_symbol(library, "cublasGetStatusString", api.status_text);
  load_symbol(library, "cublasSetStream_v2", api.set_stream);
  load_symbol(library, "cublasSetWorkspace_v2", api.set_workspace);
  load_symbol(library, "cublasGemmEx", api.gemm);
  load_symbol(library, "cublasTSSgemvStridedBatched", api.gemv_to_f32);
  load_symbol(library, "cublasTSTgemvStridedBatched", api.gemv_to_bf16);
  return api;
}

/// The gemv functions came later (11.6) and may lack.
bool usable(const CublasApi& api) {
  return api.create != nullptr && api.destroy != nullptr && api.version != nullptr &&
         api.status_text != nullptr && api.set_stream != nullptr && api.set_workspace != nullptr &&
         api.gemm != nullptr;
}

}  // namespace

std::vector<std::string> cublas_files() {
  std::vector<std::string> files;
  for (const char* directory : {"", "/usr/local/cuda/lib64/"}) {
    for (const char* name : {"libcublas.so.13", "libcublas.so.12"})
      files.push_back(std::string(directory) + name);
  }
  return files;
}

CublasLibrary open_cublas(const std::vector<std::string>& files) {
  std::string tried;
  for (const std::string& file : files) {
    // Stays loaded: its kernels belong to the context of the whole process.
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) {
      const CublasApi api = load_all(library);
      if (usable(api)) return {api, ""};
    }
    tried += (tried.empty() ? "" : ", ") + file;
  }
  return {std::nullopt,
          "no cuBLAS here: none of " + tried + " can be opened; LD_LIBRARY_PATH may name its directory"};
}

std::span<const CublasCall> cublas_calls() {
  return calls;
}

std::string cublas_version_text(int version) {
  // major * 10000 + minor * 100 + patch, as cublas_api.h of 11.0 to 13.0 computes it.
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

}  // namespace census
