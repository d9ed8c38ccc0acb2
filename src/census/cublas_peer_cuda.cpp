// SPDX-License-Identifier: MIT
#include <census/cublas_peer_cuda.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace census {
namespace {

/// What cuBLAS's manual recommends as the user's workspace on Hopper; more than elsewhere.
constexpr std::size_t workspace_bytes = 32 << 20;
/// Values in the pattern: no power of two and no row's length, so that the rows of a matrix differ.
constexpr std::size_t pattern_length = 1'000'003;
constexpr int checked_rows = 8;

/// Random bf16 of moderate size: sign, exponent 120 to 126, 7 mantissa bits, as the rows' own weights.
std::vector<std::uint16_t> make_pattern() {
  std::vector<std::uint16_t> values(pattern_length);
  std::uint64_t state = 1;
  for (std::uint16_t& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's linear congruential generator
    const auto bits = static_cast<unsigned>(state >> 40);
    value = static_cast<std::uint16_t>((bits & 0x807f) | (120 + (bits >> 16) % 7) << 7);
  }
  return values;
}

double value_of(std::uint16_t bf16) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bf16) << 16));
}

/// Repeats the pattern over the whole buffer.
void fill(DeviceBuffer<std::uint16_t>& buffer, const std::vector<std::uint16_t>& pattern) {
  std::size_t filled = std::min(pattern.size(), buffer.size());
  check(cudaMemcpy(buffer.data(), pattern.data(), filled * sizeof(std::uint16_t), cudaMemcpyHostToDevice),
        "copy the weights of cuBLAS");
  while (filled < buffer.size()) {
    const std::size_t more = std::min(filled, buffer.size() - filled);
    check(cudaMemcpy(buffer.data() + filled, buffer.data(), more * sizeof(std::uint16_t),
                     cudaMemcpyDeviceToDevice),
          "copy the weights of cuBLAS");
    filled += more;
  }
}

}  // namespace

CublasPeer::CublasPeer(const CublasApi& api, const MatrixShape& shape, int copies, cudaStream_t stream)
    : api_(api),
      shape_(shape),
      copies_(copies),
      stream_(stream),
      pattern_(make_pattern()),
      weights_(static_cast<std::size_t>(copies) * static_cast<std::size_t>(shape.rows) *
               static_cast<std::size_t>(shape.columns)),
      x_(static_cast<std::size_t>(shape.columns)),
      y_(static_cast<std::size_t>(shape.rows)),
      workspace_(workspace_bytes) {
  fill(weights_, pattern_);
  fill(x_, pattern_);
  require(api_.create(&handle_), "cublasCreate");
  try {
    require(api_.set_stream(handle_, stream_), "cublasSetStream");
    // After the stream: setting that takes the workspace away.
    require(api_.set_workspace(handle_, workspace_.data(), workspace_bytes), "cublasSetWorkspace");
    check(cudaDeviceSynchronize(), "fill the buffers of cuBLAS");
  } catch (...) {
    (void)api_.destroy(handle_);
    throw;
  }
}

CublasPeer::~CublasPeer() {
  (void)api_.destroy(handle_);
}

void CublasPeer::require(int status, const std::string& what) const {
  if (status != 0) throw CudaError(what + ": " + api_.status_text(status));
}

CublasProduct CublasPeer::product(int copy) const {
  const auto matrix = static_cast<std::size_t>(shape_.rows) * static_cast<std::size_t>(shape_.columns);
  return {shape_, weights_.data() + static_cast<std::size_t>(copy) * matrix, x_.data(), y_.data()};
}

void CublasPeer::enqueue(const CublasCall& call, int copy) {
  require(call.enqueue(api_, handle_, product(copy)), call.name);
}

// A call with a wrong transposition would be timed as happily as the right one.
void CublasPeer::check_product(const CublasCall& call) {
  enqueue(call, 0);
  check(cudaStreamSynchronize(stream_), call.name);
  const std::vector<float> y = y_.to_host(0, y_.size());
  const auto* halves = reinterpret_cast<const std::uint16_t*>(y.data());
  const int rows = std::min(checked_rows, shape_.rows);
  for (int row = 0; row < rows; ++row) {
    double sum = 0, size = 0;
    for (int column = 0; column < shape_.columns; ++column) {
      const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(shape_.columns) +
                      static_cast<std::size_t>(column);
      const double term = value_of(pattern_[at % pattern_length]) *
                          value_of(pattern_[static_cast<std::size_t>(column) % pattern_length]);
      sum += term;
      size += std::abs(term);
    }
    const auto at = static_cast<std::size_t>(row);
    const double got = call.f32_output ? static_cast<double>(y[at]) : value_of(halves[at]);
    // Half a unit of bf16's last place, and room for another order of summation.
    if (!(std::abs(got - sum) <= size / 256))
      throw CudaError(std::string(call.name) + ": its product is wrong at row " + std::to_string(row));
  }
}

Rotation CublasPeer::rotation(const CublasCall& call, int launches, Rotation::Mode mode) {
  return {stream_, launches, [this, &call](cudaStream_t, int index) { enqueue(call, index % copies_); },
          mode};
}

Rotation CublasPeer::best(int launches, Rotation::Mode mode) {
  constexpr int trial_replays = 3;
  std::optional<Rotation> fastest;
  double fastest_us = 0;
  std::string last_failure = "cuBLAS offers no call";
  for (const CublasCall& call : cublas_calls()) {
    try {
      check_product(call);
      Rotation tried = rotation(call, launches, mode);
      tried.replay();  // uploads the graph
      const double us = time_replay_us(stream_, tried, trial_replays);
      if (fastest && us >= fastest_us) continue;
      fastest.reset();
      fastest.emplace(std::move(tried));
      fastest_us = us;
      call_ = call.name;
    } catch (const CudaError& error) {
      last_failure = error.what();
      (void)cudaGetLastError();
    }
  }
  if (!fastest) throw CudaError(last_failure);
  return std::move(*fastest);
}

std::string CublasPeer::call_text() const {
  int version = 0;
  require(api_.version(handle_, &version), "cublasGetVersion");
  return call_ + ", of cuBLAS " + cublas_version_text(version);
}

}  // namespace census
