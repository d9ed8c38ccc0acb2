// SPDX-License-Identifier: MIT
// The code digest of kernels that a device linker put together, see kernel_code_linked.cu.
#include <census/loaded_code.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

std::string digest(const std::string& name) {
  const KernelCode code = loaded_kernel_code(name, TEST_ARCHITECTURE);
  return code.sha256.value_or(name + ": " + code.reason);
}

TEST(LinkedKernelCode, IsEqualWhereTheCalledFunctionsAre) {
  EXPECT_EQ(digest("linked").size(), 64U) << digest("linked");
  EXPECT_EQ(digest("linked"), digest("linked_again"));
}

TEST(LinkedKernelCode, DiffersWithAFunctionOutsideTheKernel) {
  EXPECT_NE(digest("linked"), digest("linked_other"));
}

}  // namespace
}  // namespace census
