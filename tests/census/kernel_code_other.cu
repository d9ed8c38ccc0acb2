// SPDX-License-Identifier: MIT
#define CODE_NAME(x) x##_other
#define CODE_STEP 2.0f
#define CODE_ADDED 3.0f
#include "kernel_code_kernels.cuh"
