// SPDX-License-Identifier: MIT
#define CODE_NAME(x) x##_one
#define CODE_STEP 1.0f
#define CODE_ADDED 3.0f
#include "kernel_code_kernels.cuh"
