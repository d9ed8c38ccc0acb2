// SPDX-License-Identifier: MIT
// bf16 and f32 GEMV, arm "stream": which kernel a matrix gets, and the ring for this device.
//
// Where the slices of two launches fit into a multiprocessor's shared memory at once, a launch has one block
// there, which holds its whole slice, and the next launch's is on its way while this one computes; many small
// slots, since the time from x to the last sum is what such a launch costs. Long runs have one block too,
// with all shared memory for its ring. All else has two blocks with a ring each, so that memory is asked for
// something while one of them ends.
#include "float_gemv/float_gemv_stream.hpp"
#include "float_gemv/float_gemv_stream_one_block.cuh"
#include "float_gemv/float_gemv_stream_ring.cuh"
#include "launch_cuda.cuh"

#include <stdexcept>
#include <utility>

namespace kernels {
namespace {

// Steps whose x a thread holds: 16 take 128 registers, and with 8 sums and the loads on the way the most that
// does not spill; longer rows need room for the loop over the rest.
constexpr int held_steps(int steps) {
  return steps <= 16 ? steps : 14;
}

constexpr int blocks_per_sm = 2;  // of one launch or of two

// The ring: four warps, a row each, or in f32 two: slots of 32 KB or more. Slots of three rows lose 1 to 3 %,
// and so do twice as many slots of two rows for two teams (kernels/README.md).
template <class Element, StreamForm form>
using Ring = StreamKernel<Element, form.depth, form.column_blocks, 1, sizeof(Element) == 2 ? 4 : 2, 1,
                          held_steps(form.depth / 256)>;

// The ring of a long run: two teams of four warps. Its kernel has x in registers or in shared memory, not in
// both.
template <class Element, StreamForm form>
using LongRun = StreamKernel<Element, form.depth, form.column_blocks, 2, 4, 1,
                             form.depth <= 16 * 256 ? form.depth / 256 : 0>;

// The whole slice: each warp has its own slots of two rows that share x, or of one long f32 row. Six warps of
// two rows beat eight by 2.6 %, and in f32 eight of one row beat four by 1.5 %. Two blocks of at most 288
// threads leave a thread 112 registers, so x is held for short rows only.
template <class Element, StreamForm form>
using Whole = StreamKernel<Element, form.depth, form.column_blocks, sizeof(Element) == 2 ? 6 : 8, 1,
                           sizeof(Element) == 2 ? 2 : 1, form.depth <= 8 * 256 ? form.depth / 256 : 0>;

// With one slot the copies would wait for the sums, and memory for both.
constexpr int least_ring = 2;

struct Device {
  int multiprocessors, shared_per_multiprocessor, shared_per_block, reserved_per_block;

  Device() {
    int device = 0;
    census::check(cudaGetDevice(&device), "get the current device");
    const auto read = [&](int& value, cudaDeviceAttr attribute) {
      census::check(cudaDeviceGetAttribute(&value, attribute, device), "read a device attribute");
    };
    read(multiprocessors, cudaDevAttrMultiProcessorCount);
    read(shared_per_multiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    read(shared_per_block, cudaDevAttrMaxSharedMemoryPerBlockOptin);
    read(reserved_per_block, cudaDevAttrReservedSharedMemoryPerBlock);
  }
};

std::string describe(const StreamRing& ring) {
  const auto text = [](int number) { return std::to_string(number); };
  return text(ring.in_flight) + " of " + text(ring.slots) + " slots under way, at the start " +
         text(ring.at_start[0]) + " and " + text(ring.at_start[1]) + ", the first part has " +
         text(ring.first_part_slots);
}

// A kernel as launched on this device, with what follows the matrix among its arguments.
template <class Element, class Kernel, class... More>
std::function<void(const FloatGemvArguments<Element>&, census::Stream)> launcher(const char* name,
                                                                                 Kernel kernel,
                                                                                 const LaunchShape& shape,
                                                                                 const More&... more) {
  allow_shared_memory(name, kernel, shape);
  return [=](const FloatGemvArguments<Element>& arguments, census::Stream stream) {
    launch_kernel(name, kernel, shape, stream, arguments, more...);
  };
}

template <class S>
LaunchShape launch_shape(int grid, int slots) {
  return {.grid = grid,
          .block = S::threads,
          .shared_bytes = static_cast<std::size_t>(S::shared_bytes(slots)),
          .dependent = true};
}

template <class S>
FloatGemvLaunch<typename S::Element> plan_ring(const Device& device, int rows, StreamRing ring) {
  ring.bounds = slice_bounds(rows, device.multiprocessors);
  const LaunchShape shape = launch_shape<S>(blocks_per_sm * device.multiprocessors, ring.slots);
  const auto kernel = float_gemv_stream_kernel<S, blocks_per_sm>;
  return {launcher<typename S::Element>("float_gemv_stream_kernel", kernel, shape, ring), describe(ring)};
}

template <class S, int blocks>
FloatGemvLaunch<typename S::Element> plan_one_block(const Device& device, const OneBlockRing& ring) {
  const LaunchShape shape = launch_shape<S>(device.multiprocessors, ring.slots);
  const auto kernel = float_gemv_one_block_kernel<S, blocks>;
  return {launcher<typename S::Element>("float_gemv_one_block_kernel", kernel, shape, ring),
          std::to_string(ring.in_flight) + " of " + std::to_string(ring.slots) + " slots under way"};
}

// Slots that a block's slice takes.
template <class S>
int slice_slots(const Device& device, int rows) {
  const int slice = (rows + device.multiprocessors - 1) / device.multiprocessors;
  return (slice + S::slot_rows - 1) / S::slot_rows;
}

// Slots that fit into so many bytes beside x.
template <class S>
int ring_slots(int bytes) {
  const int slots = (bytes - S::x_bytes) / (S::shared_bytes(1) - S::x_bytes);
  if (slots < least_ring) {
    throw std::invalid_argument("float_gemv, arm stream: a ring of " + std::to_string(slots) + " slots of " +
                                std::to_string(S::slot_bytes) + " bytes is all that fits on this device");
  }
  return slots;
}

template <class Element, StreamForm form>
FloatGemvLaunch<Element> plan_form(const FloatGemvShape& shape) {
  const Device device;
  const int room = device.shared_per_multiprocessor / blocks_per_sm - device.reserved_per_block;
  using W = Whole<Element, form>;
  const int whole = slice_slots<W>(device, shape.rows);
  if (W::shared_bytes(whole) <= room) return plan_one_block<W, blocks_per_sm>(device, whole_slice(whole));
  using L = LongRun<Element, form>;
  if (slice_slots<L>(device, shape.rows) > long_run_slots) {
    return plan_one_block<L, 1>(device, long_run_ring(ring_slots<L>(device.shared_per_block)));
  }
  using R = Ring<Element, form>;
  return plan_ring<R>(device, shape.rows,
                      two_part_ring(ring_slots<R>(room), slice_slots<R>(device, shape.rows)));
}

template <class Element>
FloatGemvLaunch<Element> plan(const FloatGemvShape& shape) {
  FloatGemvLaunch<Element> result;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    ((matches(stream_forms<Element>[i], shape)
          ? void(result = plan_form<Element, stream_forms<Element>[i]>(shape))
          : void()),
     ...);
  }
  (std::make_index_sequence<stream_forms<Element>.size()>{});
  if (!result.on) {
    throw std::invalid_argument("no stream kernel for " + std::to_string(depth(shape)) + " columns in " +
                                std::to_string(shape.column_blocks) + " blocks");
  }
  return result;
}

}  // namespace

FloatGemvLaunch<std::uint16_t> plan_bf16_gemv_stream(const FloatGemvShape& shape) {
  return plan<std::uint16_t>(shape);
}
FloatGemvLaunch<float> plan_f32_gemv_stream(const FloatGemvShape& shape) {
  return plan<float>(shape);
}

}  // namespace kernels
