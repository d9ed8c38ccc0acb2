# SPDX-License-Identifier: MIT
# The paired gate as ctest cases: the rows of the scripted executable, compared with itself and with a slower one.
# cmake -DCTEST=... -DEXECUTABLE=... -DDISCOVER=.../CensusDiscover.cmake -DWORK=... -P ab_ctest.cmake

function(expect what)
  if(NOT (${ARGN}))
    message(FATAL_ERROR "expected ${what}\n${output}")
  endif()
endfunction()

# discover(<base>): the tests of a build that has CENSUS_AB_BASE=<base>
function(discover base)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DEXECUTABLE=${EXECUTABLE}" -DTARGET=fake_gate -DQUALIFIER= "-DBASELINES=${WORK}/baselines"
      "-DRESULTS=${WORK}/results" -DLABELS= -DTIMEOUT=60 -DFOOTPRINT= "-DAB_BASE=${base}" "-DOUTPUT=${WORK}/rows.cmake" -P
      "${DISCOVER}" COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE "${WORK}/CTestTestfile.cmake" "include(rows.cmake)\n")
endfunction()

# run_ctest(<argument>...): sets output and status
function(run_ctest)
  execute_process(COMMAND "${CTEST}" --test-dir "${WORK}" ${ARGN} OUTPUT_VARIABLE out ERROR_VARIABLE out RESULT_VARIABLE code)
  set(output "${out}" PARENT_SCOPE)
  set(status "${code}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
set(ENV{CENSUS_LOCK_DIR} "${WORK}/locks")

discover("")
run_ctest(-N)
expect("no case of ab without a base" NOT output MATCHES "ab[.]")

discover("${EXECUTABLE}")
run_ctest(-N -L perf)
expect("no case of ab among those of perf" NOT output MATCHES " ab[.]")
run_ctest(-L ab)
expect("equal builds to pass" status EQUAL 0)
expect("a case for each row" output MATCHES "ab[.]cuda[.]fake[.]one [.]+ +Passed")
expect("rows of the other backend to be skipped" output MATCHES "ab[.]cpu[.]fake[.]three [.]+[*]+Skipped")
expect("one comparison and its report" output MATCHES "ab[.]begin [.]+ +Passed.*ab[.]report [.]+ +Passed")

# A faster base is a slower head.
file(WRITE "${WORK}/script" "fake.one * us=9.5\n")
file(WRITE "${WORK}/base" "#!/bin/sh\nFAKE_SCRIPT='${WORK}/script' exec '${EXECUTABLE}' \"$@\"\n")
file(CHMOD "${WORK}/base" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
discover("${WORK}/base")
run_ctest(-L ab)
expect("a slow row to fail" status EQUAL 8)
expect("that row" output MATCHES "ab[.]cuda[.]fake[.]one [.]+[*]+Failed")
expect("no other" output MATCHES "ab[.]cuda[.]fake[.]two [.]+ +Passed")
