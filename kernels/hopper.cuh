// SPDX-License-Identifier: MIT
// What a streaming kernel uses of sm_90 beyond CUDA C++: memory barriers that count bytes, and bulk copies
// into shared memory. Addresses of shared memory are 32-bit.
#pragma once

#include <cstdint>

namespace kernels::hopper {

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// A barrier of 8 bytes whose phase ends after `arrivals` arrivals and the bytes they announced.
__device__ __forceinline__ void init_barrier(std::uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

/// After the last init_barrier and before the block's barrier: makes them visible to the copy engine too.
__device__ __forceinline__ void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

__device__ __forceinline__ void arrive_expecting(std::uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

/// Waits until the phase with this parity (0 for the first) has ended. The caller must know that the phase
/// before it has: a barrier tells one phase from the next only.
__device__ __forceinline__ void wait(std::uint32_t barrier, std::uint32_t parity) {
  std::uint32_t done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
  }
}

/// Block barrier `number` for `threads` threads: waits for them, or counts as there and goes on. Run by whole
/// warps.
template <int number, int threads>
__device__ __forceinline__ void sync_named() {
  asm volatile("bar.sync %0, %1;" ::"n"(number), "n"(threads) : "memory");
}
template <int number, int threads>
__device__ __forceinline__ void arrive_named() {
  asm volatile("bar.arrive %0, %1;" ::"n"(number), "n"(threads) : "memory");
}

/// An L2 policy for bytes that nobody reads again: they are the first to go.
__device__ __forceinline__ std::uint64_t evict_first() {
  std::uint64_t policy = 0;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

/// An L2 policy for bytes with no claim of their own: they take what room there is in the order they come in.
__device__ __forceinline__ std::uint64_t evict_unchanged() {
  std::uint64_t policy = 0;
  asm volatile("createpolicy.fractional.L2::evict_unchanged.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

/// Copies `bytes` to shared memory, counted by `barrier`. Both addresses and `bytes` are multiples of 16.
__device__ __forceinline__ void bulk_copy(std::uint32_t to, const void* from, int bytes,
                                          std::uint32_t barrier, std::uint64_t policy) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
      " [%0], [%1], %2, [%3], %4;" ::"r"(to),
      "l"(from), "r"(bytes), "r"(barrier), "l"(policy)
      : "memory");
}

/// Asks one line into L2. Legal on memory that an earlier kernel is still writing: its stores end in L2.
__device__ __forceinline__ void prefetch_l2(const void* address) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

/// A load that is neither moved above wait_for_predecessor() nor served by a stale L1 line.
__device__ __forceinline__ float4 load_fresh(const float4* address) {
  float4 v;
  asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(address)
               : "memory");
  return v;
}

}  // namespace kernels::hopper
