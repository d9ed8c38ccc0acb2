// SPDX-License-Identifier: MIT
#include <census/cublas.hpp>

#include <gmock/gmock.h>

#include <set>
#include <string>

namespace census {
namespace {

using ::testing::HasSubstr;

/// What the last fake call was asked for.
struct Asked {
  int m = 0, n = 0, k = 0, transposed_a = 0, ld_a = 0, ld_b = 0, output = 0;
  const void *a = nullptr, *b = nullptr;
};

Asked& asked() {
  static thread_local Asked last;
  return last;
}

int fake_gemm(CublasHandle, int transposed_a, int, int m, int n, int k, const void*, const void* a, int,
              int ld_a, const void* b, int, int ld_b, const void*, void*, int output, int, int, int) {
  asked() = {m, n, k, transposed_a, ld_a, ld_b, output, a, b};
  return 0;
}

int fake_gemv(CublasHandle, int transposed, int m, int n, const float*, const void* a, int ld_a, long long,
              const void* x, int, long long, const float*, void*, int, long long, int) {
  asked() = {m, n, 0, transposed, ld_a, 0, 0, a, x};
  return 0;
}

const int weights = 0, x = 0;  // only their addresses count
const CublasProduct product{{.rows = 5152, .columns = 4096}, &weights, &x, nullptr};

Asked ask(const CublasCall& call) {
  CublasApi api;
  api.gemm = fake_gemm;
  api.gemv_to_f32 = api.gemv_to_bf16 = fake_gemv;
  EXPECT_EQ(call.enqueue(api, nullptr, product), 0) << call.name;
  return asked();
}

const CublasCall& named(const std::string& name) {
  for (const CublasCall& call : cublas_calls()) {
    if (name == call.name) return call;
  }
  throw std::invalid_argument(name);
}

// Row-major [5152, 4096] is column-major [4096, 5152]: transposed it is 5152 x 4096.
TEST(Cublas, MultipliesTheTransposedOfItsColumnMajorView) {
  const Asked got = ask(named("cublasGemmEx, bf16 -> f32"));
  EXPECT_EQ((std::vector{got.m, got.n, got.k, got.transposed_a, got.ld_a, got.ld_b}),
            (std::vector{5152, 1, 4096, 1, 4096, 4096}));
  EXPECT_EQ(got.a, &weights);
  EXPECT_EQ(got.output, 0) << "CUDA_R_32F";
}

TEST(Cublas, OffersTheSameProductWithTheVectorFirst) {
  const Asked got = ask(named("cublasGemmEx of the transposed, bf16 -> bf16"));
  EXPECT_EQ((std::vector{got.m, got.n, got.k, got.transposed_a, got.ld_a, got.ld_b}),
            (std::vector{1, 5152, 4096, 0, 1, 4096}));
  EXPECT_EQ(got.b, &weights);
  EXPECT_EQ(got.output, 14) << "CUDA_R_16BF";
}

TEST(Cublas, OffersAMatrixTimesVector) {
  const Asked got = ask(named("cublasTSSgemvStridedBatched, bf16 -> f32"));
  EXPECT_EQ((std::vector{got.m, got.n, got.transposed_a, got.ld_a}), (std::vector{4096, 5152, 1, 4096}));
}

TEST(Cublas, NamesEachOfItsCallsOnce) {
  std::set<std::string> names;
  for (const CublasCall& call : cublas_calls()) names.insert(call.name);
  EXPECT_EQ(names.size(), cublas_calls().size());
}

TEST(Cublas, DoesNotCallAFunctionThatTheLibraryLacks) {
  EXPECT_NE(named("cublasTSTgemvStridedBatched, bf16 -> bf16").enqueue(CublasApi{}, nullptr, product), 0);
}

TEST(Cublas, SaysInOneLineWhereItLooked) {
  const CublasLibrary library = open_cublas({"libnowhere.so.1", "/nowhere/libcublas.so.2"});
  EXPECT_FALSE(library.api);
  EXPECT_THAT(library.reason, HasSubstr("libnowhere.so.1, /nowhere/libcublas.so.2"));
  EXPECT_EQ(library.reason.find('\n'), std::string::npos);
}

// libm opens and has no function of cuBLAS.
TEST(Cublas, IsNotWhateverHasTheName) {
  EXPECT_FALSE(open_cublas({"libm.so.6"}).api);
}

TEST(Cublas, WritesItsVersionAsItsMakersDo) {
  EXPECT_EQ(cublas_version_text(130100), "13.1.0");
  EXPECT_EQ(cublas_version_text(120804), "12.8.4");
}

}  // namespace
}  // namespace census
