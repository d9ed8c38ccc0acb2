# SPDX-License-Identifier: MIT
# JUnit of the last run, for CI systems: <build>/census-results/<gate>.xml.

include_guard(GLOBAL)

# census_write_junit(<build directory> <run ids of before the run>): one file for each gate that ran since.
function(census_write_junit build before)
  census_run_ids(now "${build}")
  list(REMOVE_ITEM now ${before})
  foreach(gate IN LISTS now)
    string(REGEX REPLACE "=[^=]*$" "" gate "${gate}")
    file(GLOB executables "${build}/${gate}" "${build}/*/${gate}" "${build}/*/*/${gate}")
    foreach(executable IN LISTS executables)
      if(NOT IS_DIRECTORY "${executable}")
        execute_process(
          COMMAND "${executable}" report "${build}/census-results/${gate}" --format junit -o "${build}/census-results/${gate}.xml"
          OUTPUT_QUIET
          ERROR_VARIABLE problem
          RESULT_VARIABLE status)
        if(NOT status EQUAL 0)
          message("No JUnit of ${gate}: ${problem}")
        endif()
        break()
      endif()
    endforeach()
  endforeach()
endfunction()
