// SPDX-License-Identifier: MIT
// How the quantised GEMV kernels stream weights: every warp owns a ring of stages in shared memory and asks
// for rows by 16-byte asynchronous copies while it decodes earlier ones. Blocks of 34 or 36 bytes have no
// 16-byte alignment of their own, but a stage of whole rows has, and from shared memory a lane reads the
// words of its block where they lie.
#pragma once

#include "launch_cuda.cuh"
#include <census/cuda.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace kernels {

inline constexpr int warp_lanes = 32;
/// Enough warps to hide the latency of shared memory, few enough that each has several rows to itself.
inline constexpr int fewest_warps = 8;
inline constexpr int most_warps = 12;

/// How a row of `Blocks` blocks that take `BlockBytes` each falls on 32 lanes: lane l has blocks l, l + 32,
/// ..., which is where the order contract puts their sums. Where the last step does not fill the warp, a
/// stage has so many rows that their last steps together do.
template <int Blocks, int BlockBytes>
struct RowStage {
  static constexpr int blocks = Blocks;
  static constexpr int full_steps = Blocks / warp_lanes;
  static constexpr int tail_blocks = Blocks % warp_lanes;
  static constexpr int rows = tail_blocks == 0 ? 1 : warp_lanes / tail_blocks;
  static constexpr int row_bytes = Blocks * BlockBytes;
  static constexpr int bytes = rows * row_bytes;
  /// 64 KiB in flight in the smallest block of warps: an H200 needs 12 to 28 KB on each multiprocessor to
  /// cover its latency, and reads more slowly from 128 KB on.
  static constexpr int stages = std::clamp((65536 + fewest_warps * bytes - 1) / (fewest_warps * bytes), 2, 8);
  static constexpr int ring_bytes = stages * bytes;
  static_assert(full_steps > 0, "a row has at least one block for every lane");
  static_assert(tail_blocks == 0 || warp_lanes % tail_blocks == 0, "last steps must fill a warp");
  static_assert(bytes % 16 == 0, "a stage is copied in pieces of 16 bytes");
  static_assert(row_bytes % 4 == 0, "rows start at a whole word");
};

/// A warp's contiguous share [first, end) of the stages. Shares differ by at most one.
struct StageShare {
  int first;
  int end;
};

[[nodiscard]] __device__ __forceinline__ StageShare stage_share(int stages) {
  const int warps = static_cast<int>(blockDim.x) / warp_lanes;
  const long long warp = static_cast<long long>(blockIdx.x) * warps + threadIdx.x / warp_lanes;
  const long long all = static_cast<long long>(gridDim.x) * warps;
  return {static_cast<int>(stages * warp / all), static_cast<int>(stages * (warp + 1) / all)};
}

/// One warp's ring. `source(stage)` is the address of a stage in global memory, a multiple of 16; so is
/// `ring`.
template <class Stage, class Source>
class WarpRing {
 public:
  __device__ __forceinline__ WarpRing(std::byte* ring, StageShare share, Source source)
      : ring_(ring), share_(share), source_(source), lane_(static_cast<int>(threadIdx.x) % warp_lanes) {}

  /// Asks for as many stages as the ring holds.
  __device__ __forceinline__ void start() {
    for (int i = 0; i < Stage::stages; ++i) request(share_.first + i, i);
  }

  /// Waits for the oldest stage and returns where it lies.
  [[nodiscard]] __device__ __forceinline__ const std::byte* wait() const {
    asm volatile("cp.async.wait_group %0;" ::"n"(Stage::stages - 1) : "memory");
    __syncwarp();  // each lane has waited for its own copies only
    return ring_ + slot_ * Stage::bytes;
  }

  /// Asks for the stage that follows in the place of `stage`, the oldest, which every lane has read.
  __device__ __forceinline__ void replace(int stage) {
    __syncwarp();
    request(stage + Stage::stages, slot_);
    slot_ = slot_ + 1 == Stage::stages ? 0 : slot_ + 1;
  }

 private:
  // A request beyond the share copies nothing, but counts, so that every wait counts alike.
  __device__ __forceinline__ void request(int stage, int slot) const {
    if (stage < share_.end) {
      const auto to =
          static_cast<unsigned>(__cvta_generic_to_shared(ring_ + slot * Stage::bytes)) + 16 * lane_;
      const std::byte* from = source_(stage) + 16 * lane_;
#pragma unroll
      for (int offset = 0; offset < Stage::bytes; offset += 16 * warp_lanes) {
        if (offset + 16 * warp_lanes <= Stage::bytes || offset + 16 * lane_ < Stage::bytes) {
          asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + offset), "l"(from + offset)
                       : "memory");
        }
      }
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  }

  std::byte* ring_;
  StageShare share_;
  Source source_;
  int lane_;
  int slot_ = 0;
};

template <class Stage, class Source>
[[nodiscard]] __device__ __forceinline__ WarpRing<Stage, Source> make_ring(std::byte* ring, StageShare share,
                                                                           Source source) {
  return {ring, share, source};
}

/// Copies `bytes`, a multiple of 16, of the predecessor's output into shared memory by all threads of the
/// block. Past L1, which may hold what the bytes were before: this block may have started before the
/// predecessor ended.
__device__ __forceinline__ void stage_activation(std::byte* to, const void* from, int bytes) {
  for (int i = static_cast<int>(threadIdx.x); i < bytes / 16; i += static_cast<int>(blockDim.x)) {
    reinterpret_cast<uint4*>(to)[i] = __ldcg(static_cast<const uint4*>(from) + i);
  }
}

/// The launch over `stages` stages of rows: one block for each multiprocessor. Of the warp counts whose rings
/// fit, the one that leaves the fewest warps idle in the last round. `activation_bytes` lie before the rings,
/// and the kernel has `static_bytes` of shared memory besides.
template <class Stage>
[[nodiscard]] LaunchShape ring_launch(int stages, std::size_t activation_bytes,
                                      std::size_t static_bytes = 0) {
  int device = 0, multiprocessors = 0, shared_limit = 0;
  census::check(cudaGetDevice(&device), "get the current device");
  census::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
                "count multiprocessors");
  census::check(cudaDeviceGetAttribute(&shared_limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
                "read the shared memory limit");
  const int room = (shared_limit - static_cast<int>(activation_bytes + static_bytes)) / Stage::ring_bytes;
  const int fewest = std::clamp(room, 1, fewest_warps);
  int best = fewest;
  long long least_idle = -1;
  for (int warps = fewest; warps <= std::clamp(room, fewest, most_warps); ++warps) {
    const long long all = static_cast<long long>(multiprocessors) * warps;
    const long long idle = (stages + all - 1) / all * all - stages;
    if (least_idle >= 0 && idle >= least_idle) continue;
    least_idle = idle;
    best = warps;
  }
  return {.grid = multiprocessors,
          .block = best * warp_lanes,
          .shared_bytes = activation_bytes + static_cast<std::size_t>(best) * Stage::ring_bytes,
          .dependent = has_dependent_launch()};
}

}  // namespace kernels
