// SPDX-License-Identifier: MIT
// The order contract for bf16 and f32 weights as scalar code: no vectors, no blocking, nothing shared with
// the kernels but the formats.
#include "float_gemv/float_gemv.hpp"
#include "formats/bf16.hpp"
#include "formats/f32.hpp"
#include "formats/halve.hpp"

#include <array>
#include <cmath>

namespace kernels {
namespace {

std::vector<float> make_x(const std::string& id, int columns, int copy, std::uint64_t user_seed) {
  const std::uint64_t seed = buffer_seed(id, "x", copy, user_seed);
  std::vector<float> x(static_cast<std::size_t>(columns));
  for (std::size_t c = 0; c < x.size(); ++c) x[c] = F32Activation{}(element_bits(seed, c));
  return x;
}

float reduce(std::array<float, 256>& p) {
  std::array<float, 32> groups;
  for (std::size_t g = 0; g < 32; ++g) groups[g] = halve(std::span(p).subspan(8 * g, 8));
  return halve(groups);
}

}  // namespace

template <class Weight>
std::vector<float> float_gemv_reference(const std::string& id, const FloatGemvShape& shape, int copy,
                                        std::uint64_t user_seed) {
  const std::vector<float> x = make_x(id, depth(shape), copy, user_seed);
  std::vector<std::uint64_t> seeds;
  for (int b = 0; b < shape.column_blocks; ++b) {
    seeds.push_back(buffer_seed(id, "w" + std::to_string(b), copy, user_seed));
  }
  const auto columns = static_cast<std::size_t>(shape.columns);
  std::vector<float> y(static_cast<std::size_t>(shape.rows));
#pragma omp parallel for
  for (std::size_t r = 0; r < y.size(); ++r) {
    std::array<float, 256> p{};
    for (std::size_t c = 0; c < x.size(); ++c) {
      const std::uint64_t u = element_bits(seeds[c / columns], r * columns + c % columns);
      p[c % 256] = std::fma(widen(Weight{}(u)), x[c], p[c % 256]);
    }
    y[r] = reduce(p);
  }
  return y;
}

template std::vector<float> float_gemv_reference<Bf16Weight>(const std::string&, const FloatGemvShape&, int,
                                                             std::uint64_t);
template std::vector<float> float_gemv_reference<F32Weight>(const std::string&, const FloatGemvShape&, int,
                                                            std::uint64_t);

}  // namespace kernels
