// SPDX-License-Identifier: MIT
// THE TABLE: one entry per row, the source of each shape beside it.
#include "census.hpp"

#include "float_gemv/float_gemv.hpp"
#include "formats/bf16.hpp"
#include "formats/f32.hpp"
#include "launch_empty/launch_empty.hpp"
#include "nvfp4_experts/nvfp4_experts.hpp"
#include "q8_0_gemv/q8_0_gemv.hpp"
#include "quantize/quantize.hpp"

namespace kernels {
namespace {

using census::Backend;

// Plans: what one decoded token launches. The model has 45 layers: 12 with full and 33 with sliding-window
// attention, and 3 dense and 42 with experts. The seed took the full-attention shape and one shared expert
// for each of the 45.
constexpr const char* seed = "seed";
constexpr const char* bf16 = "step37_tp2.bf16";
constexpr const char* q8_0 = "step37_tp2.q8_0";

// Before every source below.
constexpr const char* model = "Step-3.5-like model, hidden 4096, on two cards: ";

enum class Where { everywhere, cuda_only };

template <class Shape>
struct Entry {
  Row row;
  Shape shape;
  Where where = Where::everywhere;
};
using FloatGemvRow = Entry<FloatGemvShape>;
using Q8_0GemvRow = Entry<Q8_0GemvShape>;
using QuantizeRow = Entry<QuantizeShape>;
using Nvfp4ExpertsRow = Entry<Nvfp4ExpertsShape>;

std::vector<FloatGemvRow> bf16_attention() {
  return {
      {.row = {.id = "bf16.qkvg_full.4096x5152",
               .shape = "4096 -> 5152 (q 4096, k 512, v 512, gate 32)",
               .source = "12 layers with full attention; the seed took them for all 45",
               .uses = {{seed, 45}, {bf16, 12}}},
       .shape = {.rows = 4096 + 512 + 512 + 32, .columns = 4096}},
      {.row = {.id = "bf16.qkvg_swa.4096x7216",
               .shape = "4096 -> 7216 (q 6144, k 512, v 512, gate 48)",
               .source = "33 layers with sliding-window attention",
               .uses = {{bf16, 33}}},
       .shape = {.rows = 6144 + 512 + 512 + 48, .columns = 4096}},
      {.row = {.id = "bf16.o_proj_full.4x1024x4096",
               .shape = "4 x 1024 -> 4096 (four column blocks, each a buffer)",
               .source = "output projection of 12 layers with full attention; the seed took it for all 45",
               .uses = {{seed, 45}, {bf16, 12}}},
       .shape = {.rows = 4096, .columns = 1024, .column_blocks = 4}},
      {.row = {.id = "bf16.o_proj_swa.4x1536x4096",
               .shape = "4 x 1536 -> 4096 (four column blocks, each a buffer)",
               .source = "output projection of 33 layers with sliding-window attention",
               .uses = {{bf16, 33}}},
       .shape = {.rows = 4096, .columns = 1536, .column_blocks = 4}},
  };
}

std::vector<FloatGemvRow> bf16_feed_forward_and_head() {
  return {
      {.row = {.id = "bf16.shared_gate_up.4096x2x1280",
               .shape = "4096 -> 2 x 1280 (gate, up)",
               .source = "shared expert of 42 layers",
               .uses = {{bf16, 42}}},
       .shape = {.rows = 2 * 1280, .columns = 4096}},
      {.row = {.id = "bf16.shared_down.1280x4096",
               .shape = "1280 -> 4096",
               .source = "shared expert of 42 layers; the seed took it for all 45",
               .uses = {{seed, 45}, {bf16, 42}}},
       .shape = {.rows = 4096, .columns = 1280}},
      {.row = {.id = "bf16.dense_gate_up.4096x2x5632",
               .shape = "4096 -> 2 x 5632 (gate, up)",
               .source = "3 dense layers, bf16 in both plans",
               .uses = {{bf16, 3}, {q8_0, 3}}},
       .shape = {.rows = 2 * 5632, .columns = 4096}},
      {.row = {.id = "bf16.dense_down.5632x4096",
               .shape = "5632 -> 4096",
               .source = "3 dense layers, bf16 in both plans",
               .uses = {{bf16, 3}, {q8_0, 3}}},
       .shape = {.rows = 4096, .columns = 5632}},
      // 528 MB: too much for a CPU row that must end within seconds.
      {.row = {.id = "bf16.head.4096x64448",
               .shape = "4096 -> 64448",
               .source = "output head, half of the vocabulary of 128896 on each card",
               .uses = {{seed, 1}, {bf16, 1}}},
       .shape = {.rows = 128896 / 2, .columns = 4096},
       .where = Where::cuda_only},
  };
}

std::vector<FloatGemvRow> f32_router() {
  return {
      {.row = {.id = "f32.router.4096x288",
               .shape = "4096 -> 288 (one logit for each expert)",
               .source = "router of 42 layers, f32 in both plans",
               .uses = {{bf16, 42}, {q8_0, 42}}},
       .shape = {.rows = 288, .columns = 4096}},
  };
}

// The seed's table lists q8_0 rows beside the bf16 rows that its sums count.
std::vector<Q8_0GemvRow> q8_0_attention() {
  return {
      {.row = {.id = "q8_0.qkvg_full.4096x5152",
               .shape = "4096 -> 5152 (q 4096, k 512, v 512, gate 32)",
               .source = "12 layers with full attention",
               .uses = {{seed, 45, false}, {q8_0, 12}}},
       .shape = {.rows = 4096 + 512 + 512 + 32, .columns = 4096}},
      {.row = {.id = "q8_0.qkvg_swa.4096x7216",
               .shape = "4096 -> 7216 (q 6144, k 512, v 512, gate 48)",
               .source = "33 layers with sliding-window attention",
               .uses = {{q8_0, 33}}},
       .shape = {.rows = 6144 + 512 + 512 + 48, .columns = 4096}},
      {.row = {.id = "q8_0.o_proj_full.4096x4096",
               .shape = "4096 -> 4096",
               .source = "output projection of 12 layers with full attention",
               .uses = {{seed, 45, false}, {q8_0, 12}}},
       .shape = {.rows = 4096, .columns = 4096}},
      {.row = {.id = "q8_0.o_proj_swa.6144x4096",
               .shape = "6144 -> 4096",
               .source = "output projection of 33 layers with sliding-window attention",
               .uses = {{q8_0, 33}}},
       .shape = {.rows = 4096, .columns = 6144}},
  };
}

std::vector<Q8_0GemvRow> q8_0_feed_forward_and_head() {
  return {
      {.row = {.id = "q8_0.shared_gate_up.4096x2x1280",
               .shape = "4096 -> 2 x 1280 (gate, up)",
               .source = "shared expert of 42 layers",
               .uses = {{q8_0, 42}}},
       .shape = {.rows = 2 * 1280, .columns = 4096}},
      {.row = {.id = "q8_0.shared_down.1280x4096",
               .shape = "1280 -> 4096",
               .source = "shared expert of 42 layers",
               .uses = {{seed, 45, false}, {q8_0, 42}}},
       .shape = {.rows = 4096, .columns = 1280}},
      // 280 MB: too much for a CPU row that must end within seconds.
      {.row = {.id = "q8_0.head.4096x64448",
               .shape = "4096 -> 64448",
               .source = "output head, half of the vocabulary of 128896 on each card",
               .uses = {{seed, 1, false}, {q8_0, 1}}},
       .shape = {.rows = 128896 / 2, .columns = 4096},
       .where = Where::cuda_only},
      {.row = {.id = "q8_0.experts_stacked.4096x20480",
               .shape = "4096 -> 20480 (8 experts x 2 x 1280 as one matrix)",
               .source = "the seed's bound for expert rows: their bytes without their gathering",
               .uses = {{seed, 45, false}}},
       .shape = {.rows = 8 * 2 * 1280, .columns = 4096},
       .where = Where::cuda_only},
  };
}

// What quantised weights need done to their inputs.
std::vector<QuantizeRow> quantize_rows() {
  return {
      {.row = {.id = "quantize.4096",
               .shape = "4096 f32 -> q8_1",
               .source =
                   "hidden state: for 42 expert layers; in the q8_0 plan also for 45 qkvg, 12 full-attention "
                   "output projections and the head, 42 + 45 + 12 + 1",
               .uses = {{bf16, 42}, {q8_0, 100}}},
       .shape = {.columns = 4096}},
      {.row = {.id = "quantize.6144",
               .shape = "6144 f32 -> q8_1",
               .source = "attention output of 33 layers with sliding-window attention",
               .uses = {{q8_0, 33}}},
       .shape = {.columns = 6144}},
      {.row = {.id = "quantize.1280",
               .shape = "1280 f32 -> q8_1",
               .source = "middle of the shared expert of 42 layers",
               .uses = {{q8_0, 42}}},
       .shape = {.columns = 1280}},
      {.row = {.id = "quantize.8x640",
               .shape = "8 x 640 f32 -> q8_1",
               .source = "middle of 8 chosen experts of 42 layers, half of each on each card",
               .uses = {{bf16, 42}, {q8_0, 42}}},
       .shape = {.rows = 8, .columns = 640}},
  };
}

std::vector<Nvfp4ExpertsRow> nvfp4_experts_rows() {
  return {
      {.row = {.id = "nvfp4.experts_gate_up.8of288.4096x2x640",
               .shape = "8 of 288 experts, 4096 -> 2 x 640 (gate, up)",
               .source = "42 expert layers, half of each expert on each card",
               .uses = {{bf16, 42}, {q8_0, 42}}},
       .shape = {.matrices = 2, .rows = 640, .columns = 4096}},
      {.row = {.id = "nvfp4.experts_down.8of288.640x4096",
               .shape = "8 of 288 experts, 640 -> 4096",
               .source = "42 expert layers, half of each expert on each card",
               .uses = {{bf16, 42}, {q8_0, 42}}},
       .shape = {.matrices = 1, .rows = 4096, .columns = 640, .x_per_expert = true}},
      {.row = {.id = "nvfp4.experts_gate_up.8of288.4096x2x1280",
               .shape = "8 of 288 experts, 4096 -> 2 x 1280 (gate, up)",
               .source = "the same unsplit, as on one card; in no plan",
               .uses = {}},
       .shape = {.matrices = 2, .rows = 1280, .columns = 4096},
       .where = Where::cuda_only},
      {.row = {.id = "nvfp4.experts_down.8of288.1280x4096",
               .shape = "8 of 288 experts, 1280 -> 4096",
               .source = "the same unsplit, as on one card; in no plan",
               .uses = {}},
       .shape = {.matrices = 1, .rows = 4096, .columns = 1280, .x_per_expert = true},
       .where = Where::cuda_only},
  };
}

// `make_case(backend, row, shape)` gives the KernelCase of an entry.
template <class Shape, class MakeCase>
void add(census::Census& census, Backend backend, const std::vector<Entry<Shape>>& entries,
         MakeCase make_case) {
  for (Entry<Shape> entry : entries) {
    if (backend == Backend::cpu && entry.where == Where::cuda_only) continue;
    entry.row.source = model + entry.row.source;
    census.rows.push_back(make_case(backend, entry.row, entry.shape));
  }
}

/// With the matrix that a library's product beside the row needs, see run --peers.
census::KernelCase bf16_gemv(Backend backend, const Row& row, const FloatGemvShape& shape) {
  census::KernelCase made = float_gemv<Bf16Weight>(backend, row, shape);
  made.bf16_matrix = {.rows = shape.rows, .columns = depth(shape), .buffers = shape.column_blocks};
  return made;
}

// In no sum, because the time of every row contains its own launch; shown times the launches of each plan.
void add_launch_empty(census::Census& census, Backend backend) {
  census.rows.push_back(launch_empty(
      backend,
      {.id = "launch.empty",
       .shape = "one launch without work",
       .source = "what one more kernel costs a token",
       .uses = {{"seed", 136, false}, {"step37_tp2.bf16", 391, false}, {"step37_tp2.q8_0", 524, false}}}));
}

}  // namespace

census::Census decode_kernel_census() {
  census::Census census;
  census.name = "decode-kernel-census";
  census.plans = {seed, bf16, q8_0};
  for (const Backend backend : {Backend::cuda, Backend::cpu}) {
    add(census, backend, bf16_attention(), bf16_gemv);
    add(census, backend, bf16_feed_forward_and_head(), bf16_gemv);
    add(census, backend, f32_router(), float_gemv<F32Weight>);
    add(census, backend, q8_0_attention(), q8_0_gemv);
    add(census, backend, q8_0_feed_forward_and_head(), q8_0_gemv);
    add(census, backend, quantize_rows(), quantize);
    add(census, backend, nvfp4_experts_rows(), nvfp4_experts);
    add_launch_empty(census, backend);
  }
  return census;
}

}  // namespace kernels
