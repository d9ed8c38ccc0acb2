# SPDX-License-Identifier: MIT
# What the scripts in this directory share. Each runs ctest on a built consumer project and checks what it did.
#
# In: BUILD, the consumer's build directory; CTEST, the ctest to use.

cmake_minimum_required(VERSION 3.25)

# run_ctest(<argument>...): sets status and output in the caller.
function(run_ctest)
  execute_process(
    COMMAND "${CTEST}" --test-dir "${BUILD}" ${ARGN}
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
    RESULT_VARIABLE status)
  set(output "${output}" PARENT_SCOPE)
  set(status "${status}" PARENT_SCOPE)
endfunction()

# expect(<what> <condition>...): fails the script, showing what ctest printed, unless the condition holds.
macro(expect what)
  if(NOT (${ARGN}))
    message(FATAL_ERROR "expected ${what}\nctest ended with ${status} and printed:\n${output}")
  endif()
endmacro()
