# SPDX-License-Identifier: MIT
# ctest -S script: configures, builds, runs the performance rows, and submits them to CDash. ci/dashboard calls it and turns its
# outcome into an exit code; by itself:
#
#   ctest -S ci/dashboard.cmake -V [-DNAME=VALUE...]
#
# CENSUS_MODEL              Experimental (default), Continuous, Nightly or PreMerge
# CENSUS_CHANGE_ID          the change that is tested; needed by PreMerge
# CENSUS_CDASH_URL          submit URL, a variable or of the environment; unset: nothing is submitted, and a line says so
# CENSUS_SPOOL              where builds wait that CDash has not acknowledged (default: <build directory>/cdash-spool)
# CENSUS_SUBMIT_ONLY        ON: no new run, submit the last one of the build directory
# CENSUS_CONFIGURE_OPTIONS  list of further arguments for cmake
# CTEST_SOURCE_DIRECTORY    default: this repository
# CTEST_BINARY_DIRECTORY    default: build/dashboard
# CTEST_SITE                default: host name
# CTEST_BUILD_NAME          default: device, toolchain, build type. No commit in it: CDash draws a trend for each build name.
#
# Environment: CENSUS_CDASH_TOKEN, the project's bearer token where the server wants one.
# Leaves <build directory>/dashboard.txt: verdict=0 to 3, submit=sent, failed or off, and lines why=. Ends with an error unless the
# verdict is 0; a failed submit is a notice.

cmake_minimum_required(VERSION 3.25)
set(CTEST_RUN_CURRENT_SCRIPT OFF) # all that is to be done is called here
include("${CMAKE_CURRENT_LIST_DIR}/cdash/junit.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/cdash/notes.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/cdash/submit.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/cdash/verdict.cmake")

# Not inherited by the rows: a token must not reach a test's environment or its output.
set(token "$ENV{CENSUS_CDASH_TOKEN}")
unset(ENV{CENSUS_CDASH_TOKEN})

if("${CENSUS_MODEL}" STREQUAL "")
  set(CENSUS_MODEL Experimental)
endif()
if(NOT CENSUS_MODEL MATCHES "^(Experimental|Continuous|Nightly|PreMerge)$")
  message(FATAL_ERROR "CENSUS_MODEL ${CENSUS_MODEL}: expected Experimental, Continuous, Nightly or PreMerge")
endif()
if(CENSUS_MODEL STREQUAL "PreMerge" AND "${CENSUS_CHANGE_ID}" STREQUAL "")
  message(FATAL_ERROR "CENSUS_MODEL PreMerge: CENSUS_CHANGE_ID is not set")
endif()
if(NOT DEFINED CTEST_SOURCE_DIRECTORY)
  cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH CTEST_SOURCE_DIRECTORY)
endif()
if(NOT DEFINED CTEST_BINARY_DIRECTORY)
  set(CTEST_BINARY_DIRECTORY "${CTEST_SOURCE_DIRECTORY}/build/dashboard")
endif()
if("${CENSUS_SPOOL}" STREQUAL "")
  set(CENSUS_SPOOL "${CTEST_BINARY_DIRECTORY}/cdash-spool")
endif()
if("${CENSUS_CDASH_URL}" STREQUAL "")
  set(CENSUS_CDASH_URL "$ENV{CENSUS_CDASH_URL}")
endif()

set(testing "${CTEST_BINARY_DIRECTORY}/Testing")
if(NOT CENSUS_SUBMIT_ONLY)
  include("${CMAKE_CURRENT_LIST_DIR}/cdash/run.cmake")
elseif(NOT EXISTS "${testing}/TAG")
  message(FATAL_ERROR "${testing}: no run to submit")
endif()

file(STRINGS "${testing}/TAG" tag LIMIT_COUNT 1)
set(build_file "${testing}/${tag}/build.txt")
if(NOT EXISTS "${build_file}")
  message(FATAL_ERROR "${build_file}: not there, so the last run did not come to its end")
endif()
census_field(verdict "${build_file}" verdict)
census_submit(submit "${CTEST_BINARY_DIRECTORY}" "${tag}" "${CENSUS_CDASH_URL}" "${token}" "${CENSUS_SPOOL}")

file(READ "${build_file}" text)
file(WRITE "${CTEST_BINARY_DIRECTORY}/dashboard.txt" "${text}submit=${submit}\n")
if(NOT verdict EQUAL 0)
  message(FATAL_ERROR "verdict ${verdict}: see above and ${testing}")
endif()
