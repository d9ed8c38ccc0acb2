// SPDX-License-Identifier: MIT
// The contract that every row of the census keeps, on every backend and arm.
#include "contract.hpp"

#include "census.hpp"

namespace kernels {
namespace {

class Contract : public testing::TestWithParam<KernelCase> {};

TEST_P(Contract, EveryArmGivesTheBitsOfTheReference) {
  check_every_arm(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Rows, Contract, testing::ValuesIn(decode_kernel_census().rows), contract_name);

}  // namespace
}  // namespace kernels
