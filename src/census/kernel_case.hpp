// SPDX-License-Identifier: MIT
// What a kernel gives the census: one row, and how to make an instance of it that can be launched and
// checked.
#pragma once

#include <census/units.hpp>

#include <climits>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct CUstream_st;  // the type behind cudaStream_t, so that this header needs no CUDA include

namespace census {

enum class Backend { cuda, cpu };

/// "cuda" or "cpu".
[[nodiscard]] const char* to_string(Backend backend);

/// The stream a launch goes to; null on the CPU.
using Stream = CUstream_st*;

/// How often one decoded token of `plan` launches the row.
struct Use {
  std::string plan;
  int calls_per_token = 0;
  bool in_sums = true;  ///< false: listed in the plan's table, counted in none of its sums
};

/// Extra cold bytes that a planted slowdown makes a launch read. The launch of copy `c` reads
/// [data + c * bytes_per_launch, data + (c + 1) * bytes_per_launch), spread over the kernel's own blocks or
/// threads. bytes_per_launch is a multiple of 16; 0 plants nothing. The memory is owned by the census and
/// outlives the instance.
struct ExtraRead {
  const void* data = nullptr;
  std::int64_t bytes_per_launch = 0;
};

/// What an instance is made from.
struct InstanceRequest {
  int copies = 2;          ///< distinct inputs; every buffer of every copy is allocated and filled by make
  std::uint64_t seed = 0;  ///< the user seed of the data contract
  std::string arm;         ///< one of KernelCase::arms that the device can run
  const ExtraRead* extra = nullptr;  ///< read afresh by every launch() call; null on the usual path
};

/// One row's buffers and launches. Owns its buffers. Outputs are filled with NaN by make, so that an element
/// that no launch wrote can be told. Not thread-safe.
class Instance {
 public:
  virtual ~Instance() = default;

  /// Launches the kernel on copy `copy` (0 <= copy < copies). On CUDA asynchronous and on `stream` only, so
  /// that it can be captured into a graph; on the CPU it returns when the output is written. Throws on a
  /// failed launch.
  virtual void launch(Stream stream, int copy) = 0;

  /// The output of `copy` as it now stands, in output order; the caller has synchronised the stream. Elements
  /// that no launch has written are NaN. Integer outputs are converted to float exactly.
  [[nodiscard]] virtual std::vector<float> output(int copy) = 0;

  /// The output that the order contract prescribes for `copy`, computed on the CPU from independently made
  /// inputs.
  [[nodiscard]] virtual std::vector<float> reference(int copy) = 0;

  /// In words, the numbers that the host steers the kernels with and that do not show in their launch, such
  /// as how much a kernel asks for at once: a part of the code digest, so that changing them is seen as a
  /// change of code.
  [[nodiscard]] virtual std::string tuning() const { return {}; }
};

/// One implementation of a row. The first arm of a row that the device can run is its default.
struct Arm {
  std::string name;            ///< "plain", "stream", "avx2"
  int minimum_capability = 0;  ///< CUDA: 10 * major + minor; CPU: 1 where AVX2, FMA and F16C exist, else 0
  int maximum_capability = INT_MAX;
  std::string needs;      ///< in words, for the error of a forced arm: "sm_90 (Hopper)"
  int weight_layout = 1;  ///< raised when this arm lays its weights out in another way; in the code digest
};

/// A dense matrix [rows, columns], row-major.
struct MatrixShape {
  int rows = 0;
  int columns = 0;
  int buffers = 1;  ///< that the row keeps it in, by columns
};

/// One kernel at one serving shape on one backend: a row of the census.
struct KernelCase {
  std::string id;  ///< "bf16.qkvg_full.4096x5152": lower case letters, digits, '_', '.', 'x'
  Backend backend = Backend::cuda;
  std::string op;         ///< "bf16 GEMV"
  std::string shape;      ///< for people: "4096 -> 5152 (q 4096, k 512, v 512, gate 32)"
  std::string source;     ///< where the shape comes from
  Bytes cold_bytes;       ///< what one launch must read from memory: the weights
  Bytes other_bytes;      ///< activations and outputs of one launch
  double flops = 0;       ///< floating-point operations of one launch, a multiply-add counted as two
  bool resident = false;  ///< input was just written by the previous kernel: judged in us, no TB/s, no floor
  std::vector<Use> uses;
  std::vector<Arm> arms;
  std::optional<MatrixShape>
      bf16_matrix;  ///< where a launch is y = W x with bf16 W: for --peers, the same by a library
  /// Empty when this build has no such backend. Throws std::exception when buffers cannot be made.
  std::function<std::unique_ptr<Instance>(const InstanceRequest&)> make;
};

}  // namespace census
