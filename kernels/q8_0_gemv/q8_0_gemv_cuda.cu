// SPDX-License-Identifier: MIT
// q8_0 GEMV, arm "plain": warps that take whole rows through rings in shared memory, on sm_80 and newer.
//
// Lane l owns blocks l, l + 32, ... of every row, so its parts of x stay in registers, and its sum is entry l
// of the order contract. Weights are asked for before the end of the predecessor is awaited, x is read after
// it.
#include "dependent_launch_cuda.cuh"
#include "formats/fill_cuda.cuh"
#include "formats/q8_0.hpp"
#include "formats/q8_1.hpp"
#include "q8_0_gemv/q8_0_gemv.hpp"
#include "row_sums_cuda.cuh"
#include <census/cuda.hpp>

#include <functional>

namespace kernels {
namespace {

using census::check;

// One copy of a row on the device, passed to the kernel by value.
struct Arguments {
  const Q8_0Block* weights;  // [rows, columns / 32], 16-byte aligned
  const std::int8_t* codes;  // [columns], of x
  const float* scales;       // [columns / 32], of x
  float* y;                  // [rows]
  int rows;
  census::DeviceExtraRead extra;
};

template <int Columns>
using Q8_0Stage = RowStage<Columns / Q8_0Block::columns, sizeof(Q8_0Block)>;

// x is staged as all codes, then all scales.
template <int Columns>
struct Q8_0Format {
  static constexpr int activation_bytes = Columns + Columns / q8_1_columns * static_cast<int>(sizeof(float));
  static_assert(Columns % 128 == 0, "codes and scales of one x are staged in pieces of 16 bytes");

  struct Activation {
    std::uint32_t codes[8];
    float scale;
  };

  static __device__ __forceinline__ Activation load(const std::byte* x, int block) {
    const auto* codes = reinterpret_cast<const uint4*>(x) + 2 * block;
    const uint4 a = codes[0], b = codes[1];
    return {{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}, reinterpret_cast<const float*>(x + Columns)[block]};
  }

  static __device__ __forceinline__ Term multiply(const std::byte* row, int block, const Activation& x) {
    const unsigned offset = sizeof(Q8_0Block) * static_cast<unsigned>(block);
    const auto* words = reinterpret_cast<const std::uint32_t*>(row + (offset & ~3U));
    Q8_0Words weights;
#pragma unroll
    for (int i = 0; i < 9; ++i) weights.words[i] = words[i];
    const bool second_half = (offset & 2U) != 0;
    return {__fmul_rn(weights.scale(second_half), x.scale),
            static_cast<float>(weights.dot(second_half, x.codes))};
  }
};

// grid: one block per multiprocessor, 8 to 12 warps; each warp multiplies a contiguous share of the rows.
// Shared memory: x, then a ring for each warp. Reads rows * columns * 34 / 32 B of weights.
template <int Columns>
__global__ void __launch_bounds__(most_warps* warp_lanes)
    q8_0_gemv_kernel(const __grid_constant__ Arguments a) {
  using Stage = Q8_0Stage<Columns>;
  using Format = Q8_0Format<Columns>;
  extern __shared__ uint4 shared[];
  auto* x = reinterpret_cast<std::byte*>(shared);
  const int lane = static_cast<int>(threadIdx.x) % warp_lanes,
            warp = static_cast<int>(threadIdx.x) / warp_lanes;
  const StageShare share = stage_share(a.rows / Stage::rows);
  // By value: nvcc 13.0 turns a read of `a` through a captured reference into a load from shared memory.
  auto ring = make_ring<Stage>(x + Format::activation_bytes + warp * Stage::ring_bytes, share,
                               [weights = reinterpret_cast<const std::byte*>(a.weights)](int stage) {
                                 return weights + static_cast<long long>(stage) * Stage::bytes;
                               });
  ring.start();
  census::read_extra(a.extra);
  allow_dependents();
  wait_for_predecessor();
  stage_activation(x, a.codes, Columns);
  stage_activation(x + Columns, a.scales, Format::activation_bytes - Columns);
  __syncthreads();
  LaneRows<Format, Stage> rows(lane);
  rows.load(x);
  for (int stage = share.first; stage < share.end; ++stage) {
    float p[Stage::rows];
    rows.multiply(ring.wait(), p);
    ring.replace(stage);
    const float sum = halve_rows(p, lane);
    constexpr int lanes_of_row = warp_lanes / Stage::rows;
    if (lane % lanes_of_row == 0) a.y[stage * Stage::rows + lane / lanes_of_row] = sum;
  }
}

using Launch = std::function<void(const Arguments&, census::Stream)>;

template <int Columns>
Launch plan(const std::string& id, int rows) {
  using Stage = Q8_0Stage<Columns>;
  if (rows % Stage::rows != 0) {
    throw census::UsageError(id + ": at " + std::to_string(Columns) + " columns the CUDA kernel takes " +
                             std::to_string(Stage::rows) + " rows at a time, which do not divide " +
                             std::to_string(rows));
  }
  const char* name = "q8_0_gemv_kernel";
  const LaunchShape shape = ring_launch<Stage>(rows / Stage::rows, Q8_0Format<Columns>::activation_bytes);
  allow_shared_memory(name, q8_0_gemv_kernel<Columns>, shape);
  return [=](const Arguments& arguments, census::Stream stream) {
    launch_kernel(name, q8_0_gemv_kernel<Columns>, shape, stream, arguments);
  };
}

// Columns are compiled in, so that a lane's part of x has a place in registers.
Launch plan(const std::string& id, const Q8_0GemvShape& shape) {
  switch (shape.columns) {
    case 1280:
      return plan<1280>(id, shape.rows);
    case 4096:
      return plan<4096>(id, shape.rows);
    case 6144:
      return plan<6144>(id, shape.rows);
    default:
      throw census::UsageError(id + ": the CUDA kernel is built for 1280, 4096 and 6144 columns, not " +
                               std::to_string(shape.columns) + "; add a case to q8_0_gemv_cuda.cu");
  }
}

class Q8_0GemvCuda final : public census::Instance {
 public:
  Q8_0GemvCuda(const std::string& id, const Q8_0GemvShape& shape, const census::InstanceRequest& request)
      : id_(id), shape_(shape), seed_(request.seed), extra_(request.extra), launch_(plan(id, shape)) {
    const auto copies = static_cast<std::size_t>(request.copies);
    weights_ = census::DeviceBuffer<Q8_0Block>(copies * blocks());
    codes_ = census::DeviceBuffer<std::int8_t>(copies * columns());
    scales_ = census::DeviceBuffer<float>(copies * columns() / q8_1_columns);
    y_ = census::DeviceBuffer<float>(copies * static_cast<std::size_t>(shape.rows));
    for (int copy = 0; copy < request.copies; ++copy) fill_copy(copy);
    check(cudaMemset(y_.data(), 0xFF, y_.bytes()), "fill the output with NaN");
    check(cudaDeviceSynchronize(), "fill the inputs of " + id);
  }

  void launch(census::Stream stream, int copy) override {
    const auto c = static_cast<std::size_t>(copy);
    Arguments arguments{};
    arguments.weights = weights_.data() + c * blocks();
    arguments.codes = codes_.data() + c * columns();
    arguments.scales = scales_.data() + c * columns() / q8_1_columns;
    arguments.y = y_.data() + c * static_cast<std::size_t>(shape_.rows);
    arguments.rows = shape_.rows;
    arguments.extra = census::extra_of(extra_, copy);
    launch_(arguments, stream);
  }

  std::vector<float> output(int copy) override {
    const auto rows = static_cast<std::size_t>(shape_.rows);
    return y_.to_host(static_cast<std::size_t>(copy) * rows, rows);
  }

  std::vector<float> reference(int copy) override { return q8_0_gemv_reference(id_, shape_, copy, seed_); }

 private:
  [[nodiscard]] std::size_t columns() const { return static_cast<std::size_t>(shape_.columns); }
  // Of one copy.
  [[nodiscard]] std::size_t blocks() const {
    return static_cast<std::size_t>(shape_.rows) * columns() / Q8_0Block::columns;
  }

  void fill_copy(int copy) {
    const auto c = static_cast<std::size_t>(copy);
    fill_on_device(Q8_0Weight{}, weights_.data() + c * blocks(), blocks(),
                   buffer_seed(id_, "w", copy, seed_));
    const Q8_1Activation x = random_q8_1(buffer_seed(id_, "x", copy, seed_), shape_.columns);
    codes_.copy_from(x.codes, c * columns());
    scales_.copy_from(x.scales, c * x.scales.size());
  }

  std::string id_;
  Q8_0GemvShape shape_;
  std::uint64_t seed_;
  const census::ExtraRead* extra_;
  Launch launch_;
  census::DeviceBuffer<Q8_0Block> weights_;  // [copies, rows, columns / 32]
  census::DeviceBuffer<std::int8_t> codes_;  // [copies, columns]
  census::DeviceBuffer<float> scales_;       // [copies, columns / 32]
  census::DeviceBuffer<float> y_;            // [copies, rows]
};

}  // namespace

std::unique_ptr<census::Instance> make_q8_0_gemv_cuda(const std::string& id, const Q8_0GemvShape& shape,
                                                      const census::InstanceRequest& request) {
  return std::make_unique<Q8_0GemvCuda>(id, shape, request);
}

}  // namespace kernels
