// SPDX-License-Identifier: MIT
// The CUDA instance of the float GEMV: buffers filled on the device, launches by the arm.
#include "float_gemv/float_gemv_cuda.cuh"
#include "formats/bf16.hpp"
#include "formats/f32.hpp"
#include "formats/fill_cuda.cuh"

#include <stdexcept>
#include <type_traits>

namespace kernels {
namespace {

using census::check;

template <class Weight>
FloatGemvLaunch<typename Weight::Element> plan(const std::string& arm, const FloatGemvShape& shape) {
  if (arm != "plain" && arm != "stream") throw std::invalid_argument("float GEMV has no CUDA arm " + arm);
  if constexpr (std::is_same_v<Weight, Bf16Weight>) {
    return arm == "plain" ? plan_bf16_gemv_plain(shape) : plan_bf16_gemv_stream(shape);
  } else {
    return arm == "plain" ? plan_f32_gemv_plain(shape) : plan_f32_gemv_stream(shape);
  }
}

template <class Weight>
class FloatGemvCuda final : public census::Instance {
  using Element = typename Weight::Element;

 public:
  FloatGemvCuda(const std::string& id, const FloatGemvShape& shape, const census::InstanceRequest& request)
      : id_(id),
        shape_(shape),
        seed_(request.seed),
        extra_(request.extra),
        launch_(plan<Weight>(request.arm, shape)) {
    const auto copies = static_cast<std::size_t>(request.copies);
    for (int b = 0; b < shape.column_blocks; ++b) weights_.emplace_back(copies * block_size());
    x_ = census::DeviceBuffer<float>(copies * static_cast<std::size_t>(depth(shape)));
    y_ = census::DeviceBuffer<float>(copies * static_cast<std::size_t>(shape.rows));
    for (int copy = 0; copy < request.copies; ++copy) fill_copy(copy);
    check(cudaMemset(y_.data(), 0xFF, y_.bytes()), "fill the output with NaN");
    check(cudaDeviceSynchronize(), "fill the inputs of " + id);
  }

  void launch(census::Stream stream, int copy) override {
    const auto c = static_cast<std::size_t>(copy);
    FloatGemvArguments<Element> arguments{};
    for (std::size_t b = 0; b < weights_.size(); ++b)
      arguments.weights[b] = weights_[b].data() + c * block_size();
    arguments.x = x_.data() + c * static_cast<std::size_t>(depth(shape_));
    arguments.y = y_.data() + c * static_cast<std::size_t>(shape_.rows);
    arguments.rows = shape_.rows;
    arguments.columns = shape_.columns;
    arguments.column_blocks = shape_.column_blocks;
    arguments.weights_read_again = x_.size() == static_cast<std::size_t>(depth(shape_));
    arguments.extra = census::extra_of(extra_, copy);
    launch_.on(arguments, stream);
  }

  std::string tuning() const override { return launch_.tuning; }

  std::vector<float> output(int copy) override {
    const auto rows = static_cast<std::size_t>(shape_.rows);
    return y_.to_host(static_cast<std::size_t>(copy) * rows, rows);
  }

  std::vector<float> reference(int copy) override {
    return float_gemv_reference<Weight>(id_, shape_, copy, seed_);
  }

 private:
  // Elements of one column block of one copy.
  [[nodiscard]] std::size_t block_size() const {
    return static_cast<std::size_t>(shape_.rows) * static_cast<std::size_t>(shape_.columns);
  }

  void fill_copy(int copy) {
    const auto c = static_cast<std::size_t>(copy);
    for (std::size_t b = 0; b < weights_.size(); ++b) {
      fill_on_device(Weight{}, weights_[b].data() + c * block_size(), block_size(),
                     buffer_seed(id_, "w" + std::to_string(b), copy, seed_));
    }
    const auto columns = static_cast<std::size_t>(depth(shape_));
    fill_on_device(F32Activation{}, x_.data() + c * columns, columns, buffer_seed(id_, "x", copy, seed_));
  }

  std::string id_;
  FloatGemvShape shape_;
  std::uint64_t seed_;
  const census::ExtraRead* extra_;
  FloatGemvLaunch<Element> launch_;
  std::vector<census::DeviceBuffer<Element>> weights_;  // by column block: [copies, rows, columns]
  census::DeviceBuffer<float> x_;                       // [copies, columns * column_blocks]
  census::DeviceBuffer<float> y_;                       // [copies, rows]
};

}  // namespace

template <class Weight>
std::unique_ptr<census::Instance> make_float_gemv_cuda(const std::string& id, const FloatGemvShape& shape,
                                                       const census::InstanceRequest& request) {
  return std::make_unique<FloatGemvCuda<Weight>>(id, shape, request);
}

template std::unique_ptr<census::Instance> make_float_gemv_cuda<Bf16Weight>(const std::string&,
                                                                            const FloatGemvShape&,
                                                                            const census::InstanceRequest&);
template std::unique_ptr<census::Instance> make_float_gemv_cuda<F32Weight>(const std::string&,
                                                                           const FloatGemvShape&,
                                                                           const census::InstanceRequest&);

}  // namespace kernels
