// SPDX-License-Identifier: MIT
// Quantises blocks on one CPU thread; built once per arm (CENSUS_CPU_ARM). Plain loops: a row is a few
// microseconds, less than starting the threads.
#include "quantize/quantize_cpu_rows.hpp"

#include "formats/q8_1.hpp"

namespace kernels::CENSUS_CPU_ARM {

void quantize_blocks(const QuantizeView& view, std::int64_t first, std::int64_t end) {
  for (std::int64_t b = first; b < end; ++b) {
    const float* x = view.x + b * q8_1_columns;
    std::int8_t* codes = view.codes + b * q8_1_columns;
    float largest = 0.0F;
    for (int i = 0; i < q8_1_columns; ++i) {
      const float magnitude = __builtin_fabsf(x[i]);
      largest = magnitude > largest ? magnitude : largest;
    }
    const float scale = q8_1_scale(largest);
    view.scales[b] = scale;
    for (int i = 0; i < q8_1_columns; ++i) codes[i] = q8_1_code(x[i], scale);
  }
}

}  // namespace kernels::CENSUS_CPU_ARM
