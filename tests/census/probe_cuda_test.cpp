// SPDX-License-Identifier: MIT
// The probes on a real GPU: every strategy runs, and its figures are printed and recorded. Nothing here
// asserts on a time.
#include <census/floors_cuda.hpp>

#include <gmock/gmock.h>

#include <iostream>

namespace census {
namespace {

class ProbeCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto found = find_cuda_devices("");
    if (const auto* none = std::get_if<NoDevice>(&found)) GTEST_SKIP() << none->reason;
    device_ = std::get<std::vector<Device>>(found).front();
    check(cudaSetDevice(device_.index), "cudaSetDevice");
    ASSERT_EQ(probe_kernel_status(), cudaSuccess) << "no machine code for " << device_.name;
    stream_.emplace();
    probe_.emplace(device_, stream_->get());
  }

  Device device_;
  std::optional<CudaStream> stream_;
  std::optional<DeviceProbe> probe_;
};

void show(const char* what, const std::vector<StrategyTrial>& trials, Bytes bytes) {
  std::cout << what << ": " << describe(trials, bytes) << "\n";
}

TEST_F(ProbeCuda, ReadsTheCeilingByEveryStrategy) {
  probe_->reserve(1, Bytes{ceiling_bytes});
  Rotation& ceiling = probe_->ceiling();
  EXPECT_EQ(probe_->ceiling_trials().size(), ceiling_strategies(device_).size());
  const double us = time_replay_us(stream_->get(), ceiling, 5) / ceiling.launches();
  show("ceiling, two launches", probe_->ceiling_trials(), Bytes{2 * ceiling_bytes});
  std::cout << "ceiling, " << ceiling.launches() << " launches: "
            << format_fixed(bandwidth(probe_->ceiling_launch_bytes(), Microseconds{us}).value, 3)
            << " TB/s\n";
  EXPECT_GT(us, 0);
}

TEST_F(ProbeCuda, ReadsFloorsOfRowSizesByEveryStrategy) {
  // Router, shared_down, o_proj, qkvg and head of a decode model in bf16.
  for (const std::int64_t cold : {4'718'592LL, 10'485'760LL, 33'554'432LL, 42'205'184LL, 527'958'016LL}) {
    const int copies = static_cast<int>(std::clamp<std::int64_t>((ceiling_bytes + cold - 1) / cold, 2, 256));
    probe_->reserve(copies, Bytes{cold});
    const ChosenRotation floor = probe_->floor(copies, Bytes{cold}, Rotation::Mode::graph);
    const ChosenRotation dependent =
        probe_->dependent_floor(copies, Bytes{cold}, Bytes{16'384 + 20'608}, 5152, Rotation::Mode::graph);
    const std::string size = format_traffic(Bytes{cold});
    show(("floor of " + size).c_str(), floor.trials, Bytes{cold * copies});
    show(("dependent floor of " + size).c_str(), dependent.trials, Bytes{cold * copies});
    EXPECT_EQ(floor.trials.size(), floor_strategies(device_).size());
    EXPECT_EQ(floor.rotation.launches(), copies);
  }
}

TEST_F(ProbeCuda, ReadsSizesThatAreNoMultipleOfAPiece) {
  for (const std::int64_t cold : {16LL, 48LL, 16'400LL, 2'162'704LL}) {
    probe_->reserve(3, Bytes{cold});
    (void)probe_->floor(3, Bytes{cold}, Rotation::Mode::graph);
    (void)probe_->dependent_floor(3, Bytes{cold}, Bytes{64}, 7, Rotation::Mode::stream);
    stream_->synchronize();
  }
}

}  // namespace
}  // namespace census
