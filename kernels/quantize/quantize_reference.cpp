// SPDX-License-Identifier: MIT
// The order contract for quantising as scalar code.
#include "formats/f32.hpp"
#include "formats/q8_1.hpp"
#include "quantize/quantize.hpp"

namespace kernels {

std::vector<float> quantize_reference(const std::string& id, const QuantizeShape& shape, int copy,
                                      std::uint64_t user_seed) {
  const Q8_1Activation x = random_q8_1(buffer_seed(id, "x", copy, user_seed), shape.rows * shape.columns);
  return quantize_output(x.codes, x.scales);
}

}  // namespace kernels
