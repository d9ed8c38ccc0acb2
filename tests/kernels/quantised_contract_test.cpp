// SPDX-License-Identifier: MIT
// Every kernel of the q8_0, NVFP4 and quantise rows at few rows: depths as in the census, so that the same
// kernels run, and so little work that ci/sanitize-gpu can afford them.
#include "contract.hpp"
#include "launch_empty/launch_empty.hpp"
#include "nvfp4_experts/nvfp4_experts.hpp"
#include "q8_0_gemv/q8_0_gemv.hpp"
#include "quantize/quantize.hpp"

namespace kernels {
namespace {

Row named(const std::string& id) {
  Row row;
  row.id = id;
  return row;
}

// Of q8_0 and NVFP4 a warp takes up to four rows at a time: as many as fill its lanes.
std::vector<KernelCase> few_rows() {
  std::vector<KernelCase> rows;
  for (const Backend backend : {Backend::cuda, Backend::cpu}) {
    rows.push_back(q8_0_gemv(backend, named("q8_0.4096x301"), {.rows = 301, .columns = 4096}));
    rows.push_back(q8_0_gemv(backend, named("q8_0.6144x37"), {.rows = 37, .columns = 6144}));
    rows.push_back(q8_0_gemv(backend, named("q8_0.1280x1404"), {.rows = 1404, .columns = 1280}));
    rows.push_back(
        nvfp4_experts(backend, named("nvfp4.4096x2x12"), {.matrices = 2, .rows = 12, .columns = 4096}));
    rows.push_back(nvfp4_experts(backend, named("nvfp4.640x44"),
                                 {.matrices = 1, .rows = 44, .columns = 640, .x_per_expert = true}));
    rows.push_back(nvfp4_experts(backend, named("nvfp4.1280x52"),
                                 {.matrices = 1, .rows = 52, .columns = 1280, .x_per_expert = true}));
    rows.push_back(quantize(backend, named("quantize.3x640"), {.rows = 3, .columns = 640}));
    rows.push_back(launch_empty(backend, named("launch.empty")));
  }
  return rows;
}

class QuantisedContract : public testing::TestWithParam<KernelCase> {};

TEST_P(QuantisedContract, EveryArmGivesTheBitsOfTheReference) {
  check_every_arm(GetParam());
}

INSTANTIATE_TEST_SUITE_P(FewRows, QuantisedContract, testing::ValuesIn(few_rows()), contract_name);

}  // namespace
}  // namespace kernels
