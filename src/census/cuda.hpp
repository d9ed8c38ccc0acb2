// SPDX-License-Identifier: MIT
// What a client's CUDA file uses: checked calls, an owned device buffer, and the planted extra read.
// The one public header that needs the CUDA toolkit.
#pragma once

#include <census/error.hpp>
#include <census/kernel_case.hpp>

#include <cuda_runtime.h>

#include <climits>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace census {

/// Throws CudaError "<what>: <error name>: <error text>" unless `status` is cudaSuccess.
inline void check(cudaError_t status, const std::string& what) {
  if (status != cudaSuccess) {
    throw CudaError(what + ": " + cudaGetErrorName(status) + ": " + cudaGetErrorString(status));
  }
}

/// Device memory for `count` elements of T; freed on destruction. Contents are undefined until filled.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t count) : count_(count) {
    if (count != 0)
      check(cudaMalloc(&data_, count * sizeof(T)),
            "allocate " + std::to_string(count * sizeof(T)) + " bytes");
  }
  explicit DeviceBuffer(const std::vector<T>& host) : DeviceBuffer(host.size()) {
    check(cudaMemcpy(data_, host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "copy to device");
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~DeviceBuffer() { cudaFree(data_); }

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return count_ * sizeof(T); }

  /// Replaces elements offset, offset + 1, ... by those of `host`; waits for the copy.
  void copy_from(const std::vector<T>& host, std::size_t offset) {
    check(cudaMemcpy(data_ + offset, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
          "copy to device");
  }

  /// Waits for the copy. The caller has synchronised the stream that wrote the buffer.
  [[nodiscard]] std::vector<T> to_host(std::size_t offset, std::size_t count) const {
    std::vector<T> host(count);
    check(cudaMemcpy(host.data(), data_ + offset, count * sizeof(T), cudaMemcpyDeviceToHost), "copy to host");
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// The slice of a planted read that one launch of copy `copy` performs: passed to the kernel by value.
struct DeviceExtraRead {
  const uint4* data = nullptr;
  long long chunks = 0;  ///< of 16 bytes
};

/// Host side of a plant, read afresh at every launch. Null `extra` plants nothing.
inline DeviceExtraRead extra_of(const ExtraRead* extra, int copy) {
  if (extra == nullptr || extra->bytes_per_launch == 0) return {};
  const auto* base = static_cast<const char*>(extra->data) + copy * extra->bytes_per_launch;
  return {reinterpret_cast<const uint4*>(base), extra->bytes_per_launch / 16};
}

#ifdef __CUDACC__
/// Reads this block's share of the planted bytes; call it once in every block, before the block's own last
/// store. The loaded values decide a store that no real slice makes: without a use, ptxas removes the loads.
__device__ __forceinline__ void read_extra(const DeviceExtraRead& extra) {
  if (extra.chunks == 0) return;
  const long long blocks = static_cast<long long>(gridDim.x) * gridDim.y * gridDim.z;
  const long long block = blockIdx.x + static_cast<long long>(gridDim.x) *
                                           (blockIdx.y + static_cast<long long>(gridDim.y) * blockIdx.z);
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned sum = 0;
  for (long long i = block * threads + thread; i < extra.chunks; i += blocks * threads) {
    uint4 v;
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(extra.data + i));
    sum ^= v.x ^ v.y ^ v.z ^ v.w;
  }
  if (extra.chunks == LLONG_MAX) *reinterpret_cast<unsigned*>(const_cast<uint4*>(extra.data)) = sum;
}
#endif

}  // namespace census
