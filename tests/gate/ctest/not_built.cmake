# SPDX-License-Identifier: MIT
# Before the first build the rows are not known, and that is red. In: SOURCE, PREFIX, GENERATOR besides.
include("${CMAKE_CURRENT_LIST_DIR}/case.cmake")

file(REMOVE_RECURSE "${BUILD}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BUILD}" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${PREFIX}"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

run_ctest(-L perf --no-tests=error --output-on-failure)
expect("a red run" NOT status EQUAL 0)
expect("the reason" output MATCHES "toy_gate is not built yet")
