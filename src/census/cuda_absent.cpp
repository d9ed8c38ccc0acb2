// SPDX-License-Identifier: MIT
// The CUDA backend of a build without CUDA: it has no devices and says how to get them.
#include <census/device.hpp>
#include <census/measure.hpp>

#include <stdexcept>

namespace census {
namespace {

constexpr const char* reason =
    "this build has no CUDA backend: configure with -DCENSUS_CUDA=ON and CUDA >= 12.8";

}  // namespace

std::variant<std::vector<Device>, NoDevice> find_cuda_devices(const std::string&) {
  return NoDevice{reason};
}

// Reached only with a device that find_cuda_devices() never gave.
std::unique_ptr<Measurer> make_cuda_measurer(const Device&) {
  throw std::logic_error(reason);
}

}  // namespace census
