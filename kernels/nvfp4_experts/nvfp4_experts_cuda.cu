// SPDX-License-Identifier: MIT
// NVFP4 experts, arm "plain": warps that take whole rows of the chosen experts through rings in shared
// memory, on sm_80 and newer.
//
// Lane l owns groups l, l + 32, ... of 16 columns of every row, so its parts of x stay in registers, and its
// sum is entry l of the order contract. The list of experts is the predecessor's output, so nothing is asked
// for before its end.
#include "dependent_launch_cuda.cuh"
#include "formats/fill_cuda.cuh"
#include "formats/q8_1.hpp"
#include "nvfp4_experts/nvfp4_experts.hpp"
#include "row_sums_cuda.cuh"
#include <census/cuda.hpp>

#include <functional>

namespace kernels {
namespace {

using census::check;

constexpr int most_matrices = 2;

// One copy of a row on the device, passed to the kernel by value.
struct Arguments {
  const Nvfp4Block* weights;   // [matrices, 288, rows, columns / 64], 16-byte aligned
  const float* tensor_scales;  // [matrices, 288]
  const int* experts;          // [8], of 0..287: checked on the host
  const std::int8_t* codes;    // [8 or 1, columns], of x
  const float* scales;         // [8 or 1, columns / 32], of x
  float* y;                    // [8, matrices, rows]
  int matrices;
  int rows;
  census::DeviceExtraRead extra;
};

// A block of the order contract is a group of 16 columns; four groups take 36 bytes.
constexpr int group_bytes = sizeof(Nvfp4Block) * Nvfp4Block::group_columns / Nvfp4Block::columns;
template <int Columns>
using Nvfp4Stage = RowStage<Columns / Nvfp4Block::group_columns, group_bytes>;

// One x is staged as all codes, then all scales.
template <int Columns>
struct Nvfp4Format {
  static constexpr int x_bytes = Columns + Columns / q8_1_columns * static_cast<int>(sizeof(float));
  static_assert(Columns % 128 == 0, "codes and scales of one x are staged in pieces of 16 bytes");

  struct Activation {
    Nvfp4Activation codes;
    float scale;
  };

  static __device__ __forceinline__ Activation load(const std::byte* x, int group) {
    const uint4 codes = reinterpret_cast<const uint4*>(x)[group];
    return {nvfp4_activation({codes.x, codes.y, codes.z, codes.w}),
            reinterpret_cast<const float*>(x + Columns)[group / 2]};
  }

  static __device__ __forceinline__ Term multiply(const std::byte* row, int group, const Activation& x) {
    const auto& block = reinterpret_cast<const Nvfp4Block*>(row)[group / 4];
    const auto* codes = reinterpret_cast<const std::uint32_t*>(block.codes) + 2 * (group % 4);
    return {__fmul_rn(nvfp4_half_scale(block.scales[group % 4]), x.scale),
            static_cast<float>(nvfp4_dot({codes[0], codes[1]}, x.codes))};
  }
};

// What the rows of one matrix of one chosen expert have in common.
struct Segment {
  const std::byte* weights;
  float tensor_scale;
};

template <int Columns>
__device__ __forceinline__ void find_segments(Segment* segments, const Arguments& a) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= chosen_experts * a.matrices) return;
  const int matrix = i % a.matrices * bank_experts + __ldcg(a.experts + i / a.matrices);
  const long long matrix_bytes = static_cast<long long>(a.rows) * Nvfp4Stage<Columns>::row_bytes;
  segments[i] = {reinterpret_cast<const std::byte*>(a.weights) + matrix * matrix_bytes,
                 a.tensor_scales[matrix]};
}

// grid: one block per multiprocessor, 8 to 12 warps; each warp multiplies a contiguous share of all chosen
// rows. Shared memory: x of all `Xs`, then a ring for each warp. Reads 8 * matrices * rows * columns * 36 /
// 64 B of weights.
template <int Columns, int Xs>
__global__ void __launch_bounds__(most_warps* warp_lanes)
    nvfp4_experts_kernel(const __grid_constant__ Arguments a) {
  using Stage = Nvfp4Stage<Columns>;
  using Format = Nvfp4Format<Columns>;
  extern __shared__ uint4 shared[];
  __shared__ Segment segments[chosen_experts * most_matrices];
  auto* x = reinterpret_cast<std::byte*>(shared);
  const int lane = static_cast<int>(threadIdx.x) % warp_lanes,
            warp = static_cast<int>(threadIdx.x) / warp_lanes;
  const int segment_stages = a.rows / Stage::rows;
  const StageShare share = stage_share(chosen_experts * a.matrices * segment_stages);
  allow_dependents();
  wait_for_predecessor();
  find_segments<Columns>(segments, a);
  __syncthreads();
  auto ring = make_ring<Stage>(x + Xs * Format::x_bytes + warp * Stage::ring_bytes, share, [=](int stage) {
    const int segment = stage / segment_stages;
    return segments[segment].weights +
           (stage - segment * segment_stages) * static_cast<long long>(Stage::bytes);
  });
  ring.start();
  census::read_extra(a.extra);
#pragma unroll 1
  for (int i = 0; i < Xs; ++i) {
    std::byte* to = x + i * Format::x_bytes;
    stage_activation(to, a.codes + i * Columns, Columns);
    stage_activation(to + Columns, a.scales + i * (Columns / q8_1_columns), Format::x_bytes - Columns);
  }
  __syncthreads();
  LaneRows<Format, Stage> rows(lane);
  int loaded = -1;
  for (int stage = share.first; stage < share.end; ++stage) {
    const int segment = stage / segment_stages;
    const int wanted = Xs == 1 ? 0 : segment / a.matrices;
    if (wanted != loaded) rows.load(x + wanted * Format::x_bytes);
    loaded = wanted;
    float p[Stage::rows];
    rows.multiply(ring.wait(), p);
    ring.replace(stage);
    const float sum = __fmul_rn(halve_rows(p, lane), segments[segment].tensor_scale);
    constexpr int lanes_of_row = warp_lanes / Stage::rows;
    if (lane % lanes_of_row == 0) a.y[stage * Stage::rows + lane / lanes_of_row] = sum;
  }
}

using Launch = std::function<void(const Arguments&, census::Stream)>;

template <int Columns, int Xs>
Launch plan(const std::string& id, const Nvfp4ExpertsShape& shape) {
  using Stage = Nvfp4Stage<Columns>;
  if (shape.rows % Stage::rows != 0) {
    throw census::UsageError(id + ": at " + std::to_string(Columns) + " columns the CUDA kernel takes " +
                             std::to_string(Stage::rows) + " rows at a time, which do not divide " +
                             std::to_string(shape.rows));
  }
  const char* name = "nvfp4_experts_kernel";
  const LaunchShape launch = ring_launch<Stage>(chosen_experts * shape.matrices * (shape.rows / Stage::rows),
                                                Xs * Nvfp4Format<Columns>::x_bytes,
                                                sizeof(Segment) * chosen_experts * most_matrices);
  allow_shared_memory(name, nvfp4_experts_kernel<Columns, Xs>, launch);
  return [=](const Arguments& arguments, census::Stream stream) {
    launch_kernel(name, nvfp4_experts_kernel<Columns, Xs>, launch, stream, arguments);
  };
}

// Columns are compiled in, so that a lane's part of x has a place in registers.
Launch plan(const std::string& id, const Nvfp4ExpertsShape& shape) {
  if (!shape.x_per_expert && shape.columns == 4096) return plan<4096, 1>(id, shape);
  if (shape.x_per_expert && shape.columns == 640) return plan<640, chosen_experts>(id, shape);
  if (shape.x_per_expert && shape.columns == 1280) return plan<1280, chosen_experts>(id, shape);
  throw census::UsageError(id +
                           ": the CUDA kernel is built for 4096 columns with one x and for 640 and 1280 with "
                           "one per expert, not for " +
                           std::to_string(shape.columns) + "; add a case to nvfp4_experts_cuda.cu");
}

// The experts of some banks on the device. Those that no list chooses hold 0xFF, whose scales do not occur.
class Banks {
 public:
  Banks(const std::string& id, const Nvfp4ExpertsShape& shape, int copies, std::uint64_t seed)
      : id_(id), shape_(shape), seed_(seed) {
    const int banks = (copies + lists_of_bank - 1) / lists_of_bank;
    for (int bank = 0; bank < banks; ++bank) {
      weights_.emplace_back(static_cast<std::size_t>(shape.matrices) * bank_experts * matrix_blocks());
      check(cudaMemset(weights_.back().data(), 0xFF, weights_.back().bytes()), "fill a bank of " + id);
      tensor_scales_.emplace_back(tensor_scales(id, shape.matrices, bank, seed));
    }
  }

  // Fills the experts that a copy reads.
  void fill(int copy, const std::vector<int>& experts) {
    const int bank = copy / lists_of_bank;
    for (const int expert : experts) {
      for (int m = 0; m < shape_.matrices; ++m) {
        Nvfp4Block* blocks = weights_[static_cast<std::size_t>(bank)].data() +
                             static_cast<std::size_t>(m * bank_experts + expert) * matrix_blocks();
        fill_on_device(Nvfp4Weight{}, blocks, matrix_blocks(), expert_seed(id_, m, expert, bank, seed_));
      }
    }
  }

  void set(Arguments& arguments, int copy) const {
    const auto bank = static_cast<std::size_t>(copy / lists_of_bank);
    arguments.weights = weights_[bank].data();
    arguments.tensor_scales = tensor_scales_[bank].data();
  }

 private:
  [[nodiscard]] std::size_t matrix_blocks() const {
    return static_cast<std::size_t>(shape_.rows) *
           static_cast<std::size_t>(shape_.columns / Nvfp4Block::columns);
  }

  std::string id_;
  Nvfp4ExpertsShape shape_;
  std::uint64_t seed_;
  std::vector<census::DeviceBuffer<Nvfp4Block>> weights_;   // each [matrices, 288, rows, columns / 64]
  std::vector<census::DeviceBuffer<float>> tensor_scales_;  // each [matrices, 288]
};

class Nvfp4ExpertsCuda final : public census::Instance {
 public:
  Nvfp4ExpertsCuda(const std::string& id, const Nvfp4ExpertsShape& shape,
                   const census::InstanceRequest& request)
      : id_(id),
        shape_(shape),
        seed_(request.seed),
        extra_(request.extra),
        launch_(plan(id, shape)),
        banks_(id, shape, request.copies, request.seed) {
    const auto copies = static_cast<std::size_t>(request.copies);
    experts_ = census::DeviceBuffer<int>(copies * chosen_experts);
    codes_ = census::DeviceBuffer<std::int8_t>(copies * x_columns());
    scales_ = census::DeviceBuffer<float>(copies * x_columns() / q8_1_columns);
    y_ = census::DeviceBuffer<float>(copies * outputs());
    for (int copy = 0; copy < request.copies; ++copy) fill_copy(copy);
    check(cudaMemset(y_.data(), 0xFF, y_.bytes()), "fill the output with NaN");
    check(cudaDeviceSynchronize(), "fill the inputs of " + id);
  }

  void launch(census::Stream stream, int copy) override {
    const auto c = static_cast<std::size_t>(copy);
    Arguments arguments{};
    banks_.set(arguments, copy);
    arguments.experts = experts_.data() + c * chosen_experts;
    arguments.codes = codes_.data() + c * x_columns();
    arguments.scales = scales_.data() + c * x_columns() / q8_1_columns;
    arguments.y = y_.data() + c * outputs();
    arguments.matrices = shape_.matrices;
    arguments.rows = shape_.rows;
    arguments.extra = census::extra_of(extra_, copy);
    launch_(arguments, stream);
  }

  std::vector<float> output(int copy) override {
    return y_.to_host(static_cast<std::size_t>(copy) * outputs(), outputs());
  }

  std::vector<float> reference(int copy) override {
    return nvfp4_experts_reference(id_, shape_, copy, seed_);
  }

 private:
  // Of one copy.
  [[nodiscard]] std::size_t x_columns() const {
    return static_cast<std::size_t>(shape_.x_per_expert ? chosen_experts : 1) *
           static_cast<std::size_t>(shape_.columns);
  }
  [[nodiscard]] std::size_t outputs() const {
    return static_cast<std::size_t>(chosen_experts) * static_cast<std::size_t>(shape_.matrices * shape_.rows);
  }

  void fill_copy(int copy) {
    const auto c = static_cast<std::size_t>(copy);
    const std::vector<int> experts = expert_list(id_, copy, seed_);
    check_experts(id_, experts);
    banks_.fill(copy, experts);
    experts_.copy_from(experts, c * chosen_experts);
    const Q8_1Activation x = random_q8_1(buffer_seed(id_, "x", copy, seed_), static_cast<int>(x_columns()));
    codes_.copy_from(x.codes, c * x.codes.size());
    scales_.copy_from(x.scales, c * x.scales.size());
  }

  std::string id_;
  Nvfp4ExpertsShape shape_;
  std::uint64_t seed_;
  const census::ExtraRead* extra_;
  Launch launch_;
  Banks banks_;
  census::DeviceBuffer<int> experts_;        // [copies, 8]
  census::DeviceBuffer<std::int8_t> codes_;  // [copies, 8 or 1, columns]
  census::DeviceBuffer<float> scales_;       // [copies, 8 or 1, columns / 32]
  census::DeviceBuffer<float> y_;            // [copies, 8, matrices, rows]
};

}  // namespace

std::unique_ptr<census::Instance> make_nvfp4_experts_cuda(const std::string& id,
                                                          const Nvfp4ExpertsShape& shape,
                                                          const census::InstanceRequest& request) {
  return std::make_unique<Nvfp4ExpertsCuda>(id, shape, request);
}

}  // namespace kernels
