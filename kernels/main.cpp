// SPDX-License-Identifier: MIT
#include "census.hpp"
#include <census/run.hpp>

int main(int argc, char** argv) {
  return census::run(argc, argv, kernels::decode_kernel_census());
}
