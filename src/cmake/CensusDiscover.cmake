# SPDX-License-Identifier: MIT
# Script: writes the ctest cases of one gate executable from its own list. Run by census_add_gate after each build.
#
# In: EXECUTABLE TARGET QUALIFIER BASELINES RESULTS LABELS TIMEOUT FOOTPRINT AB_BASE OUTPUT, see CensusAddGate.cmake.
#
# Asked of the executable, here and by the tests:
#   list --format json    {"rows": [{"id": "...", "backend": "cuda" | "cpu", ...}, ...], ...}
#   resource-spec         a ctest resource spec with one slot of the kind "gpus" for each usable GPU
#   gate --begin DIR | --row ID --backend BACKEND --results DIR --time-limit SECONDS [--footprint BYTES] | --end DIR, each with
#   --baselines DIR;
#   whatever the verdict on a row, its record is DIR/<backend>.<id>.json when the row's process ends
#   ab --base EXECUTABLE --begin DIR [--footprint BYTES] | --row ID --backend BACKEND --results DIR | --end DIR

cmake_minimum_required(VERSION 3.25)

execute_process(
  COMMAND "${EXECUTABLE}" list --format json
  OUTPUT_VARIABLE list
  ERROR_VARIABLE errors
  RESULT_VARIABLE status
  TIMEOUT 60)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${EXECUTABLE} list --format json: ended with ${status}\n${errors}")
endif()
string(JSON row_count ERROR_VARIABLE problem LENGTH "${list}" rows)
if(problem OR row_count EQUAL 0)
  message(FATAL_ERROR "${EXECUTABLE} list --format json: no rows in its output ${problem}\n${list}")
endif()

set(script "# The rows of ${TARGET}. Written after each build.\n")

# add_case(<name> <subcommand and arguments as a list> <properties as text>)
function(add_case name arguments properties)
  list(JOIN arguments "]==] [==[" quoted)
  string(APPEND script "add_test([==[${name}]==] [==[${EXECUTABLE}]==] [==[${quoted}]==])\n")
  string(APPEND script "set_tests_properties([==[${name}]==] PROPERTIES ${properties})\n")
  set(script "${script}" PARENT_SCOPE)
endfunction()

set(fixture "census.${TARGET}")
set(begin "census.begin${QUALIFIER}")
set(report "census.report${QUALIFIER}")
add_case("${begin}" "gate;--begin;${RESULTS};--baselines;${BASELINES}" "FIXTURES_SETUP [==[${fixture}]==] LABELS setup TIMEOUT 120")

set(has_cuda OFF)
math(EXPR last "${row_count} - 1")
foreach(i RANGE ${last})
  string(JSON id GET "${list}" rows ${i} id)
  string(JSON backend GET "${list}" rows ${i} backend)
  set(labels perf ${backend} ${LABELS})
  set(properties
    "LABELS [==[${labels}]==] FIXTURES_REQUIRED [==[${fixture}]==] SKIP_RETURN_CODE 77 TIMEOUT ${TIMEOUT} ATTACHED_FILES [==[${RESULTS}/${backend}.${id}.json]==]")
  if(backend STREQUAL "cuda")
    set(has_cuda ON)
    string(APPEND properties " RESOURCE_GROUPS gpus:1")
  else()
    # A row's threads are the whole machine, and memory bandwidth is shared.
    string(APPEND properties " RUN_SERIAL TRUE")
  endif()
  set(arguments gate --row ${id} --backend ${backend} --baselines "${BASELINES}" --results "${RESULTS}" --time-limit ${TIMEOUT})
  if(FOOTPRINT)
    list(APPEND arguments --footprint ${FOOTPRINT})
  endif()
  add_case("perf${QUALIFIER}.${backend}.${id}" "${arguments}" "${properties}")
endforeach()

add_case("${report}" "gate;--end;${RESULTS};--baselines;${BASELINES}" "FIXTURES_CLEANUP [==[${fixture}]==] LABELS report TIMEOUT 120")

if(AB_BASE)
  set(ab_fixture "${fixture}.ab")
  set(ab_results "${RESULTS}-ab")
  set(footprint "")
  if(FOOTPRINT)
    set(footprint ";--footprint;${FOOTPRINT}")
  endif()
  # All rows in 18 to 36 processes: minutes on a GPU, longer where a CPU computes the references. RUN_SERIAL, because a
  # neighbour moves the null control.
  add_case(
    "ab${QUALIFIER}.begin"
    "ab;--base;${AB_BASE};--begin;${ab_results}${footprint}"
    "FIXTURES_SETUP [==[${ab_fixture}]==] LABELS setup RUN_SERIAL TRUE TIMEOUT 3600")
  foreach(i RANGE ${last})
    string(JSON id GET "${list}" rows ${i} id)
    string(JSON backend GET "${list}" rows ${i} backend)
    add_case(
      "ab${QUALIFIER}.${backend}.${id}"
      "ab;--row;${id};--backend;${backend};--results;${ab_results}"
      "LABELS [==[ab;${backend}]==] FIXTURES_REQUIRED [==[${ab_fixture}]==] SKIP_RETURN_CODE 77 TIMEOUT 60")
  endforeach()
  add_case(
    "ab${QUALIFIER}.report"
    "ab;--end;${ab_results}"
    "FIXTURES_CLEANUP [==[${ab_fixture}]==] LABELS report TIMEOUT 60")
endif()

if(has_cuda)
  cmake_path(REPLACE_EXTENSION OUTPUT LAST_ONLY json OUTPUT_VARIABLE spec)
  string(APPEND script "set(census_gate_executable [==[${EXECUTABLE}]==])\n")
  string(APPEND script "set(census_resource_spec_file [==[${spec}]==])\n")
  string(APPEND script "include([==[${CMAKE_CURRENT_LIST_DIR}/CensusResourceSpec.cmake]==])\n")
endif()
file(WRITE "${OUTPUT}.new" "${script}")
file(RENAME "${OUTPUT}.new" "${OUTPUT}") # a ctest that starts now reads the old list or the new one
