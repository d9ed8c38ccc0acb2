# SPDX-License-Identifier: MIT
# Read by ctest when it starts: one slot for each GPU of this machine, so that two rows never share one.
#
# In: census_gate_executable, census_resource_spec_file. Without a resource spec ctest ignores RESOURCE_GROUPS and runs every row at once; where no GPU can
# be found the spec has one pseudo GPU, and the rows skip themselves one after the other. A spec that the user set is kept.

if(NOT CTEST_RESOURCE_SPEC_FILE)
  execute_process(
    COMMAND "${census_gate_executable}" resource-spec
    OUTPUT_VARIABLE census_resource_spec
    ERROR_VARIABLE census_resource_spec_errors
    RESULT_VARIABLE census_resource_spec_status
    TIMEOUT 60)
  string(JSON census_gpus ERROR_VARIABLE census_problem LENGTH "${census_resource_spec}" local 0 gpus)
  if(NOT census_resource_spec_status EQUAL 0 OR census_problem OR census_gpus EQUAL 0)
    set(census_resource_spec [[{"version": {"major": 1, "minor": 0}, "local": [{"gpus": [{"id": "none", "slots": 1}]}]}]])
  endif()
  file(CONFIGURE OUTPUT "${census_resource_spec_file}" CONTENT "${census_resource_spec}" @ONLY) # only when it changes
  set(CTEST_RESOURCE_SPEC_FILE "${census_resource_spec_file}")
endif()
