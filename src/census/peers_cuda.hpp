// SPDX-License-Identifier: MIT
// The other implementations of a row, made beside it and measured in the same rounds: cuBLAS, and the row's
// other arms.
#pragma once

#include <census/device.hpp>
#include <census/measure.hpp>
#include <census/rotation_cuda.hpp>

#include <memory>
#include <vector>

namespace census {

/// The peers of one row. One that cannot be made or differs from the row is recorded with the reason: a peer
/// never spoils the row's own measurement.
class RowPeers {
 public:
  /// `run` is the row's, checked; its copies are the peers'. The stream outlives the object.
  RowPeers(const KernelCase& row, const RowRun& run, const MeasureOptions& options, cudaStream_t stream);
  RowPeers(RowPeers&&) noexcept;
  RowPeers& operator=(RowPeers&&) = delete;
  ~RowPeers();

  /// Captures `launches` launches of each.
  void make(int launches, Rotation::Mode mode);
  /// Those that can be timed, each with replays that last about `least_us`. Valid as long as this object.
  [[nodiscard]] std::vector<TimedRotation*> series(double least_us);
  /// What was measured since, and what could not be.
  [[nodiscard]] std::vector<PeerRun> finish();

 private:
  struct Peer;
  void make_cublas(Peer& peer, int launches, Rotation::Mode mode);
  void make_arm(Peer& peer, int launches, Rotation::Mode mode);

  const KernelCase& row_;
  const RowRun& run_;
  const MeasureOptions& options_;
  cudaStream_t stream_;
  std::vector<std::unique_ptr<Peer>> peers_;
};

}  // namespace census
