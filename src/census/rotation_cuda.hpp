// SPDX-License-Identifier: MIT
// Timing on a CUDA stream: a rotation is a fixed sequence of launches, replayed as one graph or launched one
// by one.
#pragma once

#include <census/cuda.hpp>

#include <cuda_runtime.h>

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace census {

/// A stream of its own that does not wait for the default stream.
class CudaStream {
 public:
  CudaStream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  CudaStream(CudaStream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  CudaStream& operator=(CudaStream&&) = delete;
  ~CudaStream() {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }
  [[nodiscard]] cudaStream_t get() const { return stream_; }
  void synchronize() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A pair of events around a stretch of work.
class CudaStopwatch {
 public:
  CudaStopwatch();
  CudaStopwatch(CudaStopwatch&& other) noexcept
      : begin_(std::exchange(other.begin_, nullptr)), end_(std::exchange(other.end_, nullptr)) {}
  CudaStopwatch& operator=(CudaStopwatch&&) = delete;
  ~CudaStopwatch();

  void start(cudaStream_t stream) { check(cudaEventRecord(begin_, stream), "cudaEventRecord"); }
  void stop(cudaStream_t stream) { check(cudaEventRecord(end_, stream), "cudaEventRecord"); }
  /// Waits for the end of the stretch; microseconds between the two.
  [[nodiscard]] double elapsed_us() const;

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

/// Enqueues launch number `index` of a rotation.
using RotationLaunch = std::function<void(cudaStream_t stream, int index)>;

/// A sequence of launches on a stream. What the launches use must outlive the rotation.
class Rotation {
 public:
  enum class Mode { graph, stream };

  /// Captures `launches` launches (in stream mode too, so that graph() can be looked at).
  Rotation(cudaStream_t stream, int launches, RotationLaunch launch, Mode mode);
  Rotation(Rotation&& other) noexcept;
  Rotation& operator=(Rotation&&) = delete;
  ~Rotation();

  /// Enqueues all launches once.
  void replay();
  [[nodiscard]] int launches() const { return launches_; }
  [[nodiscard]] cudaGraph_t graph() const { return graph_; }

 private:
  cudaStream_t stream_;
  int launches_;
  RotationLaunch launch_;
  Mode mode_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

/// Microseconds of one replay, measured over `replays` of them.
[[nodiscard]] double time_replay_us(cudaStream_t stream, Rotation& rotation, int replays);

/// How many replays of `replay_us` each make at least `least_us`.
[[nodiscard]] int replays_for(double replay_us, double least_us);

/// One of the series that are measured side by side. Samples are microseconds per launch.
struct TimedRotation {
  Rotation* rotation = nullptr;
  int replays = 1;
  std::vector<double> samples_us;
  CudaStopwatch stopwatch{};
};

/// One sample of each series, one directly after the other, after a replay of `lead_in` that keeps the device
/// busy while the host gets ahead of it: else the first sample would contain the host's launch time.
void sample_round(cudaStream_t stream, Rotation& lead_in, std::span<TimedRotation*> series);

}  // namespace census
