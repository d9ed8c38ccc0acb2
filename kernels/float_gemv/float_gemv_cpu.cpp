// SPDX-License-Identifier: MIT
// y = W x on the CPU: every thread takes a contiguous part of the rows.
#include "extra_read_cpu.hpp"
#include "float_gemv/float_gemv.hpp"
#include "float_gemv/float_gemv_cpu_rows.hpp"
#include "formats/bf16.hpp"
#include "formats/f32.hpp"
#include "formats/fill_cpu.hpp"
#include "host_buffer.hpp"

#include <omp.h>

#include <cstring>

namespace kernels {
namespace {

template <class Element>
using RowsFunction = void (*)(const FloatGemvView<Element>&, std::int64_t, std::int64_t);

template <class Element>
RowsFunction<Element> rows_of([[maybe_unused]] const std::string& arm) {
#ifdef CENSUS_HAVE_AVX2
  if (arm == "avx2") return avx2::float_gemv_rows;
#endif
  return portable::float_gemv_rows;
}

template <class Weight>
class FloatGemvCpu final : public census::Instance {
  using Element = typename Weight::Element;

 public:
  FloatGemvCpu(const std::string& id, const FloatGemvShape& shape, const census::InstanceRequest& request)
      : id_(id),
        shape_(shape),
        seed_(request.seed),
        extra_(request.extra),
        rows_(rows_of<Element>(request.arm)) {
    const auto copies = static_cast<std::size_t>(request.copies);
    for (int b = 0; b < shape.column_blocks; ++b) weights_.emplace_back(copies * block_size());
    x_ = HostBuffer<float>(copies * static_cast<std::size_t>(depth(shape)));
    y_ = HostBuffer<float>(copies * static_cast<std::size_t>(shape.rows));
    for (int copy = 0; copy < request.copies; ++copy) fill_copy(copy);
    std::memset(y_.data(), 0xFF, y_.size() * sizeof(float));  // NaN
  }

  void launch(census::Stream, int copy) override {
    const FloatGemvView<Element> view = view_of(copy);
#pragma omp parallel
    {
      const std::int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
      rows_(view, shape_.rows * thread / threads, shape_.rows * (thread + 1) / threads);
      read_extra(extra_, copy, static_cast<int>(thread), static_cast<int>(threads));
    }
  }

  std::vector<float> output(int copy) override {
    const float* y = view_of(copy).y;
    return {y, y + shape_.rows};
  }

  std::vector<float> reference(int copy) override {
    return float_gemv_reference<Weight>(id_, shape_, copy, seed_);
  }

 private:
  // Elements of one column block of one copy.
  [[nodiscard]] std::size_t block_size() const {
    return static_cast<std::size_t>(shape_.rows) * static_cast<std::size_t>(shape_.columns);
  }

  [[nodiscard]] FloatGemvView<Element> view_of(int copy) const {
    const auto c = static_cast<std::size_t>(copy);
    FloatGemvView<Element> view{};
    for (std::size_t b = 0; b < weights_.size(); ++b) view.weights[b] = weights_[b].data() + c * block_size();
    view.x = x_.data() + c * static_cast<std::size_t>(depth(shape_));
    view.y = y_.data() + c * static_cast<std::size_t>(shape_.rows);
    view.columns = shape_.columns;
    view.column_blocks = shape_.column_blocks;
    return view;
  }

  void fill_copy(int copy) {
    const auto c = static_cast<std::size_t>(copy);
    for (std::size_t b = 0; b < weights_.size(); ++b) {
      fill(Weight{}, weights_[b].data() + c * block_size(), block_size(),
           buffer_seed(id_, "w" + std::to_string(b), copy, seed_));
    }
    const auto columns = static_cast<std::size_t>(depth(shape_));
    fill(F32Activation{}, x_.data() + c * columns, columns, buffer_seed(id_, "x", copy, seed_));
  }

  std::string id_;
  FloatGemvShape shape_;
  std::uint64_t seed_;
  const census::ExtraRead* extra_;
  RowsFunction<Element> rows_;
  std::vector<HostBuffer<Element>> weights_;  // by column block: [copies, rows, columns]
  HostBuffer<float> x_;                       // [copies, columns * column_blocks]
  HostBuffer<float> y_;                       // [copies, rows]
};

}  // namespace

template <class Weight>
std::unique_ptr<census::Instance> make_float_gemv_cpu(const std::string& id, const FloatGemvShape& shape,
                                                      const census::InstanceRequest& request) {
  return std::make_unique<FloatGemvCpu<Weight>>(id, shape, request);
}

template std::unique_ptr<census::Instance> make_float_gemv_cpu<Bf16Weight>(const std::string&,
                                                                           const FloatGemvShape&,
                                                                           const census::InstanceRequest&);
template std::unique_ptr<census::Instance> make_float_gemv_cpu<F32Weight>(const std::string&,
                                                                          const FloatGemvShape&,
                                                                          const census::InstanceRequest&);

}  // namespace kernels
