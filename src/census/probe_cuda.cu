// SPDX-License-Identifier: MIT
// Read-only kernels. Grid: blocks_per_sm * SMs; together the blocks read every 16-byte chunk once and keep
// none. Every block of a programmatic launch executes the dependency wait, so that a chain of launches never
// overtakes itself.
#include <census/cuda.hpp>
#include <census/probe_cuda.hpp>

namespace census {
namespace {

constexpr int chunk_bytes = 16;         // the widest load
constexpr int piece_bytes = 16 * 1024;  // of a bulk copy: 16 KiB x 12 reads fastest on an H200
constexpr int full_ring_stages =
    12;                             // 192 KiB: no second block fits an SM, the next grid starts as one exits
constexpr int bulk_threads = 128;   // one copies, the others load x and store outputs
constexpr int loads_in_flight = 8;  // per thread: 32 KiB per SM at 256 threads
constexpr int first_bulk_capability =
    90;  // Hopper; sm_120 is reported to read slower by bulk copies than by loads
constexpr int last_bulk_capability = 103;
constexpr int first_programmatic_capability = 90;

__device__ __forceinline__ void release_dependents() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

__device__ __forceinline__ void wait_for_predecessor() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

__device__ __forceinline__ unsigned fold(uint4 v) {
  return v.x ^ v.y ^ v.z ^ v.w;
}

// Constant for the whole run, so the non-coherent path is legal.
__device__ __forceinline__ uint4 load_cold(const uint4* address) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(address));
  return v;
}

// Loads x after the wait: a plain load that the compiler can neither hoist nor drop.
__device__ __forceinline__ unsigned load_x(const DependentWork& work, int first, int step) {
  unsigned sum = 0;
  for (int i = first; i < work.x_chunks; i += step) {
    uint4 v;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(work.x + i)
                 : "memory");
    sum ^= fold(v);
  }
  return sum;
}

__device__ __forceinline__ void store_outputs(const DependentWork& work, unsigned value) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < work.outputs; i += step) {
    work.y[i] = __uint2float_rn(value);
  }
}

// Eight independent loads, `step` chunks apart; those beyond the end are left out.
__device__ __forceinline__ unsigned load_batch(const uint4* data, long long first, long long step,
                                               long long chunks) {
  uint4 v[loads_in_flight] = {};
  if (first + (loads_in_flight - 1) * step < chunks) {
#pragma unroll
    for (int u = 0; u < loads_in_flight; ++u) v[u] = load_cold(data + first + u * step);
  } else {
#pragma unroll
    for (int u = 0; u < loads_in_flight; ++u) {
      if (first + u * step < chunks) v[u] = load_cold(data + first + u * step);
    }
  }
  unsigned sum = 0;
#pragma unroll
  for (int u = 0; u < loads_in_flight; ++u) sum ^= fold(v[u]);
  return sum;
}

// grid [blocks], block [threads]. Thread t of all T reads chunks t, t + T, t + 2 T, ...
__global__ void read_plain_kernel(const uint4* data, long long chunks, DependentWork work, unsigned* sink) {
  release_dependents();
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  // Weights do not depend on the predecessor.
  for (; i < chunks; i += loads_in_flight * step) sum ^= load_batch(data, i, step, chunks);
  wait_for_predecessor();
  if (work.x != nullptr) {
    sum ^= load_x(work, threadIdx.x, blockDim.x);
    store_outputs(work, sum);
  }
  // Without a use of the sum the compiler drops the loads. One value in 2^32 stores, harmlessly.
  if (sum == 0x9E3779B9U) *sink = sum;
}

#if __CUDA_ARCH__ >= 900
__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void barrier_init(unsigned barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
}

__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}\n" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

__device__ __forceinline__ void bulk_copy(unsigned destination, const char* source, unsigned bytes,
                                          unsigned barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          destination),
      "l"(source), "r"(bytes), "r"(barrier)
      : "memory");
}

// The pieces of this block: all but the last of piece_bytes. 32-bit counts: a block reads far less than 2^31
// pieces, and a 64-bit division would delay the first copy.
struct BlockPieces {
  long long begin, step, end;  // bytes
  int count;

  __device__ BlockPieces(long long bytes, bool dealt) {
    if (dealt) {
      begin = static_cast<long long>(blockIdx.x) * piece_bytes;
      step = static_cast<long long>(gridDim.x) * piece_bytes;
      end = bytes;
    } else {
      // Equal slices to 128 bytes, a cache line: 16 KiB grains would leave small rows unbalanced.
      const unsigned lines = static_cast<unsigned>((bytes + 127) / 128);
      const long long slice = (lines + gridDim.x - 1) / gridDim.x * 128LL;
      begin = blockIdx.x * slice;
      step = piece_bytes;
      end = min(begin + slice, bytes);
    }
    count = 0;
    if (end <= begin) return;
    const auto last = static_cast<int>(static_cast<unsigned long long>(end - begin - 1) / piece_bytes);
    count = (dealt ? last / static_cast<int>(gridDim.x) : last) + 1;
  }
  __device__ long long offset(int i) const { return begin + i * step; }
  __device__ unsigned size(int i) const {
    return static_cast<unsigned>(min(static_cast<long long>(piece_bytes), end - offset(i)));
  }
};

struct BulkReader {
  const char* data;
  BlockPieces pieces;
  unsigned ring, barriers;
  int stages;
  int issued = 0;

  __device__ void issue(int stage) {
    bulk_copy(ring + stage * piece_bytes, data + pieces.offset(issued), pieces.size(issued),
              barriers + 8 * stage);
    ++issued;
  }
  __device__ void fill() {
    for (int stage = 0; stage < stages && issued < pieces.count; ++stage) issue(stage);
  }
  __device__ void drain() {
    int stage = 0;
    unsigned parity = 0;
    for (int i = 0; i < pieces.count; ++i) {
      barrier_wait(barriers + 8 * stage, parity);
      if (issued < pieces.count) issue(stage);
      if (++stage == stages) {
        stage = 0;
        parity ^= 1U;
      }
    }
  }
};
#endif

// grid [blocks], block [bulk_threads], dynamic shared memory stages * piece_bytes. Thread 0 copies; the
// others wait.
__global__ void __launch_bounds__(bulk_threads)
    read_bulk_kernel(const char* data, long long bytes, int stages, bool dealt, DependentWork work) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) char ring[];
  __shared__ __align__(8) unsigned long long barriers[full_ring_stages];
  release_dependents();
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < stages; ++stage) barrier_init(shared_address(barriers + stage));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    BulkReader reader{data, BlockPieces(bytes, dealt), shared_address(ring), shared_address(barriers),
                      stages};
    reader.fill();
    reader.drain();
  }
  // x is loaded when all weights are there: a load beside 192 KB of requests waits behind them.
  if (work.x != nullptr) __syncthreads();
  wait_for_predecessor();
  if (work.x != nullptr) store_outputs(work, load_x(work, threadIdx.x, blockDim.x));
#endif
}

__global__ void random_fill_kernel(unsigned long long* data, long long words) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < words; i += step) {
    // splitmix64 of the index: every word is random and needs no other.
    unsigned long long z = (static_cast<unsigned long long>(i) + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    data[i] = z ^ (z >> 31);
  }
}

__device__ __forceinline__ long long global_nanoseconds() {
  long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

// One thread. %globaltimer advances in steps of up to 1 us: start on a step.
__global__ void clock_kernel(long long* result) {
  constexpr long long spin_nanoseconds = 50'000;
  const long long before = global_nanoseconds();
  long long start = before;
  while (start == before) start = global_nanoseconds();
  const long long ticks = clock64();
  long long now = start;
  while (now - start < spin_nanoseconds) now = global_nanoseconds();
  result[0] = clock64() - ticks;
  result[1] = now - start;
}

bool has_bulk(const Device& device) {
  return device.capability >= first_bulk_capability && device.capability <= last_bulk_capability &&
         device.shared_memory_per_sm_bytes >= full_ring_stages * piece_bytes + 4096;
}

bool has_programmatic(const Device& device) {
  return device.capability >= first_programmatic_capability;
}

ReadStrategy plain(const Device& device, int blocks_per_sm, int threads) {
  return {false, has_programmatic(device), blocks_per_sm, threads, 0, false};
}

ReadStrategy bulk(int stages, bool dealt) {
  return {true, true, 1, bulk_threads, stages, dealt};
}

}  // namespace

std::string describe(const ReadStrategy& strategy) {
  std::string text;
  if (strategy.bulk) {
    text = "bulk copies, " + std::to_string(strategy.stages) + " stages, " +
           (strategy.dealt ? "dealt" : "sliced");
  } else {
    text = "plain loads, " + std::to_string(strategy.blocks_per_sm) + " x " +
           std::to_string(strategy.threads) + " threads per SM";
  }
  return text + (strategy.programmatic ? ", programmatic launch" : "");
}

std::vector<ReadStrategy> ceiling_strategies(const Device& device) {
  // More than 64 KiB in flight per SM reads slower on an H200; older devices have no other way to be sure
  // than to try. All launches read the same bytes, so plain ones must not overlap: two grids side by side on
  // an SM would share what they read through the cache. Bulk rings take the whole SM.
  std::vector<ReadStrategy> all{plain(device, 1, 256), plain(device, 1, 512), plain(device, 2, 256),
                                plain(device, 2, 512)};
  for (ReadStrategy& strategy : all) strategy.programmatic = false;
  if (has_bulk(device)) {
    all.push_back(bulk(full_ring_stages, false));
    all.push_back(bulk(full_ring_stages, true));
  }
  return all;
}

std::vector<ReadStrategy> floor_strategies(const Device& device) {
  std::vector<ReadStrategy> all{plain(device, 1, 512), plain(device, 2, 256)};
  if (has_bulk(device)) {
    // A shorter ring lets the next launch's blocks move in beside: better for rows of a few pieces per SM.
    for (const int stages : {full_ring_stages, full_ring_stages / 2, full_ring_stages / 4}) {
      all.push_back(bulk(stages, false));
    }
  }
  return all;
}

void launch_read(cudaStream_t stream, const Device& device, const ReadStrategy& strategy, const void* data,
                 std::int64_t bytes, const DependentWork& work, unsigned* sink) {
  cudaLaunchAttribute programmatic{};
  programmatic.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  programmatic.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(strategy.blocks_per_sm * device.sm_count));
  config.blockDim = dim3(static_cast<unsigned>(strategy.threads));
  config.stream = stream;
  config.attrs = &programmatic;
  config.numAttrs = strategy.programmatic ? 1 : 0;
  const long long chunks = bytes / chunk_bytes;
  if (!strategy.bulk) {
    check(cudaLaunchKernelEx(&config, read_plain_kernel, static_cast<const uint4*>(data), chunks, work, sink),
          "launch the plain read probe");
    return;
  }
  config.dynamicSmemBytes = static_cast<std::size_t>(strategy.stages) * piece_bytes;
  check(cudaFuncSetAttribute(read_bulk_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             full_ring_stages * piece_bytes),
        "allow the bulk read probe its shared memory");
  check(cudaLaunchKernelEx(&config, read_bulk_kernel, static_cast<const char*>(data), chunks * chunk_bytes,
                           strategy.stages, strategy.dealt, work),
        "launch the bulk read probe");
}

void launch_random_fill(cudaStream_t stream, void* data, std::int64_t bytes) {
  constexpr int blocks = 2048, threads = 256;  // enough to fill any device
  random_fill_kernel<<<blocks, threads, 0, stream>>>(static_cast<unsigned long long*>(data), bytes / 8);
  check(cudaGetLastError(), "launch the random fill");
}

void launch_clock(cudaStream_t stream, long long* result) {
  clock_kernel<<<1, 1, 0, stream>>>(result);
  check(cudaGetLastError(), "launch the clock kernel");
}

cudaError_t probe_kernel_status() {
  cudaFuncAttributes attributes{};
  const cudaError_t status = cudaFuncGetAttributes(&attributes, clock_kernel);
  if (status != cudaSuccess) (void)cudaGetLastError();
  return status;
}

}  // namespace census
