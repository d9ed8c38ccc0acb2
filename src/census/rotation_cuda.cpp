// SPDX-License-Identifier: MIT
#include <census/rotation_cuda.hpp>

#include <algorithm>
#include <cmath>

namespace census {
namespace {

// Ends a capture that an exception interrupts; the stream is unusable otherwise.
class Capture {
 public:
  // Thread-local: no call of another thread (a library's) can break it, and none of ours is made while it
  // lasts.
  explicit Capture(cudaStream_t stream) : stream_(stream) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  ~Capture() {
    if (ended_) return;
    cudaGraph_t unfinished = nullptr;
    (void)cudaStreamEndCapture(stream_, &unfinished);
    if (unfinished != nullptr) (void)cudaGraphDestroy(unfinished);
    (void)cudaGetLastError();
  }
  cudaGraph_t end() {
    ended_ = true;
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
    return graph;
  }

 private:
  cudaStream_t stream_;
  bool ended_ = false;
};

}  // namespace

CudaStopwatch::CudaStopwatch() {
  check(cudaEventCreate(&begin_), "cudaEventCreate");
  if (const cudaError_t status = cudaEventCreate(&end_); status != cudaSuccess) {
    cudaEventDestroy(begin_);
    check(status, "cudaEventCreate");
  }
}

CudaStopwatch::~CudaStopwatch() {
  if (begin_ != nullptr) cudaEventDestroy(begin_);
  if (end_ != nullptr) cudaEventDestroy(end_);
}

double CudaStopwatch::elapsed_us() const {
  float milliseconds = 0;
  check(cudaEventSynchronize(end_), "cudaEventSynchronize");
  check(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
  return 1e3 * static_cast<double>(milliseconds);
}

Rotation::Rotation(cudaStream_t stream, int launches, RotationLaunch launch, Mode mode)
    : stream_(stream), launches_(launches), launch_(std::move(launch)), mode_(mode) {
  Capture capture(stream_);
  for (int index = 0; index < launches_; ++index) launch_(stream_, index);
  graph_ = capture.end();
  if (mode_ == Mode::stream) return;
  if (const cudaError_t status = cudaGraphInstantiate(&executable_, graph_, 0); status != cudaSuccess) {
    (void)cudaGraphDestroy(graph_);
    check(status, "cudaGraphInstantiate");
  }
}

Rotation::Rotation(Rotation&& other) noexcept
    : stream_(other.stream_),
      launches_(other.launches_),
      launch_(std::move(other.launch_)),
      mode_(other.mode_),
      graph_(std::exchange(other.graph_, nullptr)),
      executable_(std::exchange(other.executable_, nullptr)) {}

Rotation::~Rotation() {
  if (executable_ != nullptr) (void)cudaGraphExecDestroy(executable_);
  if (graph_ != nullptr) (void)cudaGraphDestroy(graph_);
}

void Rotation::replay() {
  if (mode_ == Mode::graph) {
    check(cudaGraphLaunch(executable_, stream_), "cudaGraphLaunch");
    return;
  }
  for (int index = 0; index < launches_; ++index) launch_(stream_, index);
}

double time_replay_us(cudaStream_t stream, Rotation& rotation, int replays) {
  CudaStopwatch stopwatch;
  stopwatch.start(stream);
  for (int i = 0; i < replays; ++i) rotation.replay();
  stopwatch.stop(stream);
  return stopwatch.elapsed_us() / replays;
}

int replays_for(double replay_us, double least_us) {
  constexpr double most = 100'000;  // a launch that takes no measurable time must not spin for ever
  return static_cast<int>(std::clamp(std::ceil(least_us / std::max(replay_us, 1e-3)), 1.0, most));
}

void sample_round(cudaStream_t stream, Rotation& lead_in, std::span<TimedRotation*> series) {
  lead_in.replay();
  for (TimedRotation* timed : series) {
    timed->stopwatch.start(stream);
    for (int i = 0; i < timed->replays; ++i) timed->rotation->replay();
    timed->stopwatch.stop(stream);
  }
  for (TimedRotation* timed : series) {
    const double launches = static_cast<double>(timed->replays) * timed->rotation->launches();
    timed->samples_us.push_back(timed->stopwatch.elapsed_us() / launches);
  }
}

}  // namespace census
