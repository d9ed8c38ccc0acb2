// SPDX-License-Identifier: MIT
#include <census/cublas_peer_cuda.hpp>
#include <census/kernel_info_cuda.hpp>
#include <census/measure_common.hpp>
#include <census/peers_cuda.hpp>

#include <exception>
#include <optional>
#include <string>

namespace census {

struct RowPeers::Peer {
  PeerRun record;
  std::string arm;  ///< "": cuBLAS
  // Rotations use what is above them.
  std::unique_ptr<CublasPeer> cublas;
  std::unique_ptr<Instance> instance;
  std::optional<Rotation> rotation;
  std::optional<TimedRotation> timed;
};

RowPeers::RowPeers(const KernelCase& row, const RowRun& run, const MeasureOptions& options,
                   cudaStream_t stream)
    : row_(row), run_(run), options_(options), stream_(stream) {
  if (row.bf16_matrix) {
    peers_.push_back(std::make_unique<Peer>());
    peers_.back()->record.name = "cuBLAS";
  }
  for (const Arm& arm : row.arms) {
    const int capability = run.device.capability;
    if (arm.name == run.arm || capability < arm.minimum_capability || capability > arm.maximum_capability)
      continue;
    peers_.push_back(std::make_unique<Peer>());
    peers_.back()->arm = arm.name;
    peers_.back()->record.name = "arm " + arm.name;
  }
}

RowPeers::RowPeers(RowPeers&&) noexcept = default;
RowPeers::~RowPeers() = default;

void RowPeers::make_cublas(Peer& peer, int launches, Rotation::Mode mode) {
  const CublasLibrary library = open_cublas();
  if (!library.api) {
    peer.record.reason = library.reason;
    return;
  }
  peer.cublas = std::make_unique<CublasPeer>(*library.api, *row_.bf16_matrix, run_.copies, stream_);
  peer.rotation.emplace(peer.cublas->best(launches, mode));
  peer.record.call = peer.cublas->call_text();
  const int buffers = row_.bf16_matrix->buffers;
  if (buffers > 1)
    peer.record.call += "; one matrix where the row has " + std::to_string(buffers) + " buffers";
}

void RowPeers::make_arm(Peer& peer, int launches, Rotation::Mode mode) {
  peer.instance = row_.make({run_.copies, options_.seed, peer.arm, nullptr});
  check(cudaDeviceSynchronize(), "make the buffers of arm " + peer.arm);
  for (int copy = 0; copy < run_.copies; ++copy) peer.instance->launch(stream_, copy);
  check(cudaStreamSynchronize(stream_), "arm " + peer.arm);
  if (output_digest(peer.instance->output(0)) != run_.output_digest)
    throw std::runtime_error("its output differs from that of arm " + run_.arm);
  Instance* instance = peer.instance.get();
  const int copies = run_.copies;
  peer.rotation.emplace(
      stream_, launches,
      [instance, copies](cudaStream_t stream, int index) { instance->launch(stream, index % copies); }, mode);
  peer.record.call = "the row's own kernel";
  peer.record.kernels = launched_kernels(peer.rotation->graph(), launches);
}

void RowPeers::make(int launches, Rotation::Mode mode) {
  for (const auto& peer : peers_) {
    try {
      if (options_.hot) {
        peer->record.reason = "measured cold only";
      } else if (peer->arm.empty()) {
        make_cublas(*peer, launches, mode);
      } else {
        make_arm(*peer, launches, mode);
      }
    } catch (const std::exception& error) {
      (void)cudaGetLastError();
      peer->rotation.reset();
      peer->cublas.reset();
      peer->instance.reset();
      peer->record.reason = error.what();
    }
  }
}

std::vector<TimedRotation*> RowPeers::series(double least_us) {
  std::vector<TimedRotation*> series;
  for (const auto& peer : peers_) {
    if (!peer->rotation) continue;
    peer->rotation->replay();  // uploads the graph
    peer->timed.emplace(TimedRotation{&*peer->rotation, 1, {}});
    peer->timed->replays = replays_for(time_replay_us(stream_, *peer->rotation, 2), least_us);
    series.push_back(&*peer->timed);
  }
  return series;
}

std::vector<PeerRun> RowPeers::finish() {
  std::vector<PeerRun> records;
  for (const auto& peer : peers_) {
    if (peer->timed && !peer->timed->samples_us.empty())
      peer->record.series = series_of(std::move(peer->timed->samples_us));
    records.push_back(std::move(peer->record));
  }
  return records;
}

}  // namespace census
