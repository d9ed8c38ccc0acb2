# SPDX-License-Identifier: MIT
# A run in which every row is skipped has measured nothing: red, whether the backend is required or not.
include("${CMAKE_CURRENT_LIST_DIR}/case.cmake")

run_ctest(-L perf -L blind --no-tests=error --output-on-failure)
expect("a red run" NOT status EQUAL 0)
expect("skipped rows" output MATCHES "perf.blind_gate.cuda.toy.sum.16384 [.]+[*]+Skipped")
expect("a red report" output MATCHES "census.report.blind_gate [.]+[*]+Failed")

set(ENV{CENSUS_REQUIRE} cuda)
run_ctest(-L perf -L blind --no-tests=error --output-on-failure)
expect("a red run" NOT status EQUAL 0)
expect("red rows" output MATCHES "perf.blind_gate.cuda.toy.sum.16384 [.]+[*]+Failed")
expect("a red report" output MATCHES "census.report.blind_gate [.]+[*]+Failed")
