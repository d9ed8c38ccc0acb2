// SPDX-License-Identifier: MIT
// float-gemv-timeline ROWS COLUMNS [COLUMN_BLOCKS]: a chain of cold launches of one bf16 matrix through the
// two-block ring, as the census launches them, and when their blocks passed their events. Markdown. Marks
// cost a little: compare shapes of a timeline, not its total with the census's.
//
// Exit: 0 printed, 2 an error, 77 no device of compute capability 9.0 or more.
#include "float_gemv/float_gemv_stream.cu"  // its kernels, compiled with marks into this unit
#include "float_gemv/float_gemv_timeline.hpp"
#include "formats/bf16.hpp"
#include "formats/f32.hpp"
#include "formats/fill_cuda.cuh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace kernels {
namespace {

using census::check;
using census::DeviceBuffer;

constexpr std::int64_t cold_bytes = 1'100'000'000;  // of all copies: 18 times an H200's L2
constexpr int warm_replays = 3, marked_replays = 7;

int number(const char* text) {
  int value = 0;
  const std::string word(text);
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc{} || end != word.data() + word.size() || value < 1 || value > 1'000'000)
    throw std::invalid_argument("\"" + word + "\": expected a number from 1 to 1000000");
  return value;
}

FloatGemvShape shape_of(int argc, char** argv) {
  if (argc < 3 || argc > 4)
    throw std::invalid_argument("usage: float-gemv-timeline ROWS COLUMNS [COLUMN_BLOCKS]");
  FloatGemvShape shape{.rows = number(argv[1]), .columns = number(argv[2])};
  if (argc == 4) shape.column_blocks = number(argv[3]);
  check_shape("float-gemv-timeline", shape);
  if (!has_stream_arm<Bf16>(shape))
    throw std::invalid_argument("arm stream has no kernel for " + std::to_string(shape.columns) +
                                " columns in " + std::to_string(shape.column_blocks) +
                                " blocks; see stream_forms");
  return shape;
}

/// The chain: as many copies as keep every launch cold, a launch for each, in one graph.
class Chain {
 public:
  explicit Chain(const FloatGemvShape& shape) : shape_(shape), launch_(plan_bf16_gemv_stream(shape)) {
    const std::int64_t bytes = std::int64_t{2} * shape.rows * depth(shape);
    launches_ = static_cast<int>(std::max<std::int64_t>(3, (cold_bytes + bytes - 1) / bytes));
    const auto copies = static_cast<std::size_t>(launches_);
    for (int b = 0; b < shape.column_blocks; ++b) weights_.emplace_back(copies * block_size());
    x_ = DeviceBuffer<float>(copies * static_cast<std::size_t>(depth(shape)));
    y_ = DeviceBuffer<float>(copies * static_cast<std::size_t>(shape.rows));
    for (auto& block : weights_) fill_on_device(Bf16Weight{}, block.data(), block.size(), 1);
    fill_on_device(F32Activation{}, x_.data(), x_.size(), 2);
    int device = 0;
    check(cudaGetDevice(&device), "get the current device");
    check(cudaDeviceGetAttribute(&slices_, cudaDevAttrMultiProcessorCount, device), "count multiprocessors");
    times_ = DeviceBuffer<timeline::BlockTimes>(copies * static_cast<std::size_t>(blocks_per_sm * slices_));
    const stream::MarkSheet sheet{times_.data(), y_.data(), shape.rows};
    check(cudaMemcpyToSymbol(stream::mark_sheet, &sheet, sizeof sheet), "set where the marks go");
    capture();
  }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;
  ~Chain() {
    cudaGraphExecDestroy(executable_);
    cudaStreamDestroy(stream_);
  }

  timeline::Timeline replay() {
    check(cudaMemset(times_.data(), 0, times_.bytes()), "clear the marks");
    check(cudaDeviceSynchronize(), "clear the marks");
    check(cudaGraphLaunch(executable_, stream_), "launch the chain");
    check(cudaStreamSynchronize(stream_), "run the chain");
    return timeline::mean_timeline(times_.to_host(0, times_.size()), launches_, blocks_per_sm);
  }

  [[nodiscard]] int launches() const { return launches_; }
  [[nodiscard]] const std::string& tuning() const { return launch_.tuning; }

 private:
  [[nodiscard]] std::size_t block_size() const {
    return static_cast<std::size_t>(shape_.rows) * static_cast<std::size_t>(shape_.columns);
  }

  void launch(int copy) {
    const auto c = static_cast<std::size_t>(copy);
    FloatGemvArguments<Bf16> arguments{};
    for (std::size_t b = 0; b < weights_.size(); ++b)
      arguments.weights[b] = weights_[b].data() + c * block_size();
    arguments.x = x_.data() + c * static_cast<std::size_t>(depth(shape_));
    arguments.y = y_.data() + c * static_cast<std::size_t>(shape_.rows);
    arguments.rows = shape_.rows;
    arguments.columns = shape_.columns;
    arguments.column_blocks = shape_.column_blocks;
    launch_.on(arguments, stream_);
  }

  void capture() {
    check(cudaDeviceSynchronize(), "fill the inputs");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream");
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "begin to capture the chain");
    for (int copy = 0; copy < launches_; ++copy) launch(copy);
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream_, &graph), "capture the chain");
    const cudaError_t made = cudaGraphInstantiate(&executable_, graph, 0);
    cudaGraphDestroy(graph);
    check(made, "instantiate the chain");
  }

  FloatGemvShape shape_;
  FloatGemvLaunch<Bf16> launch_;
  int launches_ = 0, slices_ = 0;
  std::vector<DeviceBuffer<Bf16>> weights_;   // by column block: [launches, rows, columns]
  DeviceBuffer<float> x_, y_;                 // [launches, columns * column_blocks], [launches, rows]
  DeviceBuffer<timeline::BlockTimes> times_;  // [launches, blocks]
  census::Stream stream_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

void print(const FloatGemvShape& shape, const char* device, const Chain& chain,
           const timeline::Timeline& mean) {
  constexpr const char* names[timeline::events] = {"starts", "its wait for the predecessor is over",
                                                   "x is staged", "its last weights have come",
                                                   "its last sum is stored"};
  std::printf(
      "bf16, %d rows of %d x %d columns, %s; %.2f us a launch with marks, %d launches in a graph, %d "
      "replays;\n%s. Means, ns after the last sum of the predecessor's last block:\n\n",
      shape.rows, shape.column_blocks, shape.columns, device, mean.launch_ns / 1000, chain.launches(),
      marked_replays, chain.tuning().c_str());
  std::printf("| event | first block | second block |\n|---|---|---|\n");
  for (std::size_t event = 0; event < timeline::events; ++event) {
    std::printf("| %s | %.0f | %.0f |\n", names[event], mean.parts.at(0)[event], mean.parts.at(1)[event]);
  }
}

int run(int argc, char** argv) {
  const FloatGemvShape shape = shape_of(argc, argv);
  cudaDeviceProp properties{};
  const cudaError_t found = cudaGetDeviceProperties(&properties, 0);
  if (found != cudaSuccess || properties.major < 9) {
    std::printf("no device of compute capability 9.0 or more: %s\n",
                found != cudaSuccess ? cudaGetErrorString(found) : properties.name);
    return 77;
  }
  Chain chain(shape);
  for (int i = 0; i < warm_replays; ++i) (void)chain.replay();
  std::vector<timeline::Timeline> replays;
  for (int i = 0; i < marked_replays; ++i) replays.push_back(chain.replay());
  print(shape, properties.name, chain, timeline::mean_timeline(replays));
  return 0;
}

}  // namespace
}  // namespace kernels

int main(int argc, char** argv) {
  try {
    return kernels::run(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "float-gemv-timeline: %s\n", problem.what());
    return 2;
  }
}
