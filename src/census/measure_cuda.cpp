// SPDX-License-Identifier: MIT
// The measurer of a CUDA device: makes the context at the first row, and keeps a failed row from spoiling the
// next.
#include <census/cuda.hpp>
#include <census/device_select.hpp>
#include <census/error.hpp>
#include <census/measure.hpp>
#include <census/measure_common.hpp>
#include <census/probe.hpp>
#include <census/quiet.hpp>
#include <census/row_cuda.hpp>
#include <census/telemetry.hpp>

#include <memory>
#include <new>
#include <optional>
#include <string>

namespace census {
namespace {

class CudaMeasurer : public Measurer {
 public:
  explicit CudaMeasurer(const Device& device) : device_(device), telemetry_(open_cuda_telemetry(device)) {}

  RowRun measure(const KernelCase& row, const MeasureOptions& options) override {
    RowRun run = begin_run(row, device_, options);
    run.probe_version = probe_version;
    if (!choose(row, options, run)) return run;
    PhaseClock phases(run);
    phases.begin("open");
    try {
      run.before = telemetry_->read();  // before the context: only others can be at work
      open();
      if (session_) {
        look_before(run.before);
        measure_row(row, options, *session_, *telemetry_, run, phases);
      } else {
        run.status = unable_.empty() ? RunStatus::error : RunStatus::no_device;
        run.reason = unable_.empty() ? broken_ : unable_;
      }
    } catch (const std::bad_alloc&) {
      fail(run, "out of host memory");
    } catch (const std::exception& error) {
      fail(run, error.what());
    }
    phases.finish();
    return run;
  }

 private:
  // False, with status and reason, where nothing of this row runs here. A forced arm's error is the caller's.
  bool choose(const KernelCase& row, const MeasureOptions& options, RowRun& run) const {
    run.status = RunStatus::no_device;
    run.reason = "this build has no CUDA kernel of the row";
    if (!row.make) return false;
    try {
      run.arm = choose_arm(row, device_, options.arm).name;
    } catch (const UsageError& error) {
      if (!options.arm.empty()) throw;
      run.reason = error.what();
      return false;
    }
    run.status = RunStatus::error;
    run.reason.clear();
    return true;
  }

  // The context, at the first row. Leaves session_ null when the device cannot be used, and says why.
  void open() {
    if (session_ || !unable_.empty() || !broken_.empty()) return;
    check(cudaSetDevice(device_.index), "cudaSetDevice(" + std::to_string(device_.index) + ")");
    if (able()) session_ = std::make_unique<CudaSession>(device_);
  }

  // What the device did before we came: at later rows utilisation and memory are our own.
  void look_before(Snapshot& before) {
    session_->complete(before);
    if (!first_look_) {
      before.utilisation_percent = wait_until_quiet(*telemetry_, before.utilisation_percent);
      first_look_ = before;
    }
    before.utilisation_percent = first_look_->utilisation_percent;
    before.memory_used = first_look_->memory_used;
  }

  bool able() {
    const cudaError_t status = probe_kernel_status();
    if (status == cudaSuccess) return true;
    if (status != cudaErrorNoKernelImageForDevice && status != cudaErrorInvalidDeviceFunction &&
        status != cudaErrorUnsupportedPtxVersion) {
      check(status, "make a CUDA context on " + device_.name);
    }
    const std::string capability = std::to_string(device_.capability);
    unable_ = device_.name + " is present but unable: built for " +
              format_architectures(CENSUS_CUDA_ARCHITECTURES) + ", device is sm_" + capability + " (" +
              cudaGetErrorName(status) + "): configure with -DCMAKE_CUDA_ARCHITECTURES=" + capability;
    return false;
  }

  // After an illegal access or a timeout every further call fails: the rows to come are told why.
  void fail(RowRun& run, const std::string& what) {
    run.status = RunStatus::error;
    run.reason = what;
    (void)cudaGetLastError();
    if (!session_) return;
    const cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess) return;
    broken_ = "the CUDA context is unusable since row " + run.row + " failed (" + what +
              "): measure the row in a process of its own";
    run.reason += "; the context is lost (" + std::string(cudaGetErrorName(status)) + ")";
    session_.reset();
  }

  Device device_;
  std::unique_ptr<Telemetry> telemetry_;
  std::unique_ptr<CudaSession> session_;
  std::optional<Snapshot> first_look_;
  std::string unable_, broken_;  ///< why there is no session
};

}  // namespace

std::unique_ptr<Measurer> make_cuda_measurer(const Device& device) {
  return std::make_unique<CudaMeasurer>(device);
}

}  // namespace census
