# SPDX-License-Identifier: MIT
# Results of an earlier run never make a run green that measured nothing.
include("${CMAKE_CURRENT_LIST_DIR}/case.cmake")

run_ctest(-L perf -L toy --no-tests=error)
expect("a green run to start from" status EQUAL 0)

# Without a baseline every row skips itself.
load_cache("${BUILD}" READ_WITH_PREFIX cached_ TOY_BASELINES)
file(RENAME "${cached_TOY_BASELINES}" "${cached_TOY_BASELINES}.away")
run_ctest(-L perf -L toy --no-tests=error --output-on-failure)
file(RENAME "${cached_TOY_BASELINES}.away" "${cached_TOY_BASELINES}")
expect("skipped rows" output MATCHES "perf.cpu.toy.sum.16384 [.]+[*]+Skipped")
expect("a red report" output MATCHES "census.report [.]+[*]+Failed")
expect("a red run" NOT status EQUAL 0)
