// SPDX-License-Identifier: MIT
// Measures rows on one device in this process: check, warm up, time, record.
#pragma once

#include <census/device.hpp>
#include <census/kernel_case.hpp>
#include <census/result.hpp>

#include <memory>
#include <optional>
#include <string>

namespace census {

struct MeasureOptions {
  std::string arm;                          ///< "" = the row's default on this device
  bool check_reference = true;              ///< bit-compare copy 0 with the CPU reference; false: digest only
  bool hot = false;                         ///< --cache hot: one copy launched over and over
  bool stream_launch = false;               ///< --launch stream
  std::optional<Bytes> footprint_override;  ///< --footprint
  double plant_percent = 0;                 ///< 0 = no plant
  std::int64_t plant_bytes = 0;             ///< PlantRequest::bytes
  bool peers = false;                       ///< other implementations beside the row: RowRun::peers
  int min_samples = 20;
  std::uint64_t seed = 0;
};

/// Copies of a row, or why it cannot be measured cold. `free` is the memory that can be had.
struct CopyPlan {
  int copies = 0;
  bool invalid = false;
  std::string reason;  ///< of invalid
  std::string notice;  ///< fewer copies than wanted
};
/// copies = clamp(ceil(max(1 GiB, 4 x cache) / cold), 2, 256), as the design has it. Resident rows: 16. Pure.
/// A copy takes its cold and its other bytes; the probe's own buffer of `cold * copies` is counted too. Hot
/// cache: 1 copy.
[[nodiscard]] CopyPlan plan_copies(const KernelCase& row, const Device& device, Bytes free,
                                   const MeasureOptions& options);

/// The arm that `wanted` ("" = default) means on this device. Throws std::invalid_argument naming what a
/// forced arm needs, or the arms there are.
[[nodiscard]] const Arm& choose_arm(const KernelCase& row, const Device& device, const std::string& wanted);

/// FNV-1a 64 over the little-endian bits of the outputs, 16 hex digits.
[[nodiscard]] std::string output_digest(const std::vector<float>& output);

/// Measures rows on one device, one after another; buffers that rows share (the probe's) are kept between
/// calls.
class Measurer {
 public:
  virtual ~Measurer() = default;
  /// Never throws for what belongs to the row: that becomes status and reason. Throws UsageError for a bad
  /// arm.
  [[nodiscard]] virtual RowRun measure(const KernelCase& row, const MeasureOptions& options) = 0;
};

[[nodiscard]] std::unique_ptr<Measurer> make_cuda_measurer(const Device& device);
[[nodiscard]] std::unique_ptr<Measurer> make_cpu_measurer(const Device& device);

}  // namespace census
