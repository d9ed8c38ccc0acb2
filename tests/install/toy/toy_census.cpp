// SPDX-License-Identifier: MIT
// A census of tiny CPU rows, written against the public headers only, as another project's would be.
//
// With TOY_LOG=FILE every instance appends a line when it is made and one when it goes, so that a test can
// tell whether two rows ever ran at once.

#include <census/run.hpp>

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <numeric>

namespace {

/// Appends "<event> <pid>" to the file that TOY_LOG names, in one write.
void log_event(const std::string& event) {
  if (const char* path = std::getenv("TOY_LOG")) {
    std::ofstream(path, std::ios::app) << event + " " + std::to_string(getpid()) + "\n";
  }
}

/// Sums `count` small integers: exact in float whatever the order.
class Sum : public census::Instance {
 public:
  Sum(std::size_t count, const census::InstanceRequest& request)
      : count_(count),
        extra_(request.extra),
        data_(count * static_cast<std::size_t>(request.copies)),
        sums_(static_cast<std::size_t>(request.copies), std::numeric_limits<float>::quiet_NaN()) {
    for (std::size_t i = 0; i < data_.size(); ++i) data_[i] = value(i);
    log_event("begin");
  }
  ~Sum() override { log_event("end"); }

  void launch(census::Stream, int copy) override {
    const auto first = data_.begin() + copy * static_cast<std::ptrdiff_t>(count_);
    read_extra(copy);
    sums_[static_cast<std::size_t>(copy)] =
        std::accumulate(first, first + static_cast<std::ptrdiff_t>(count_), 0.0F);
  }
  std::vector<float> output(int copy) override { return {sums_[static_cast<std::size_t>(copy)]}; }
  std::vector<float> reference(int copy) override {
    float sum = 0;
    for (std::size_t i = 0; i < count_; ++i) sum += value(static_cast<std::size_t>(copy) * count_ + i);
    return {sum};
  }

 private:
  static float value(std::size_t index) { return static_cast<float>(index * 7 % 16); }

  void read_extra(int copy) {
    if (extra_ == nullptr) return;
    const auto* words =
        static_cast<const std::uint32_t*>(extra_->data) + copy * (extra_->bytes_per_launch / 4);
    for (std::int64_t i = 0; i < extra_->bytes_per_launch / 4; ++i) sink_ = words[i];
  }

  std::size_t count_;
  const census::ExtraRead* extra_;
  std::vector<float> data_;
  std::vector<float> sums_;
  volatile std::uint32_t sink_ = 0;
};

census::KernelCase sum_row(std::size_t count) {
  census::KernelCase row;
  row.id = "toy.sum." + std::to_string(count);
  row.backend = census::Backend::cpu;
  row.op = "sum";
  row.shape = std::to_string(count) + " floats";
  row.source = "made up";
  row.cold_bytes = census::Bytes{static_cast<std::int64_t>(count * sizeof(float))};
  row.other_bytes = census::Bytes{sizeof(float)};
  row.flops = static_cast<double>(count);
  row.arms.push_back({.name = "plain"});
  row.make = [count](const census::InstanceRequest& request) {
    return std::make_unique<Sum>(count, request);
  };
  return row;
}

/// A row whose backend this build lacks.
[[maybe_unused]] census::KernelCase absent_row(std::size_t count) {
  auto row = sum_row(count);
  row.backend = census::Backend::cuda;
  row.make = nullptr;
  return row;
}

}  // namespace

int main(int count, char** arguments) {
  census::Census toy;
  toy.name = TOY_NAME;
  for (const std::size_t size : {16384U, 32768U, 65536U}) toy.rows.push_back(TOY_ROW(size));
  return census::run(count, arguments, toy);
}
