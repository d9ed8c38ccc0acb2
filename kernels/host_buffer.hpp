// SPDX-License-Identifier: MIT
// Owned host memory for the CPU rows, on huge pages where the system gives them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace kernels {

/// Memory for `count` elements of a trivial T, aligned to a huge page; contents undefined until written.
/// With 4 KiB pages a stream of weights spends a page walk every 64 lines; 2 MiB pages make that rare.
template <class T>
class HostBuffer {
 public:
  HostBuffer() = default;
  /// Throws std::bad_alloc.
  explicit HostBuffer(std::size_t count) : data_(allocate(count * sizeof(T))), count_(count) {}

  [[nodiscard]] T* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };

  static T* allocate(std::size_t bytes) {
    constexpr std::size_t huge_page_bytes = 2U << 20;
    const std::size_t rounded = (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
    if (rounded == 0) return nullptr;
    void* data = std::aligned_alloc(huge_page_bytes, rounded);
    if (data == nullptr) throw std::bad_alloc();
    madvise(data, rounded, MADV_HUGEPAGE);  // only advice: without huge pages the row is slower, not wrong
    return static_cast<T*>(data);
  }

  std::unique_ptr<T[], Free> data_;
  std::size_t count_ = 0;
};

}  // namespace kernels
