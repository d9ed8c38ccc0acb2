# SPDX-License-Identifier: MIT
# ctest -S script: configures, builds, runs the performance rows, and submits them to CDash.
#
#   ctest -S ci/dashboard.cmake -V [-DNAME=VALUE...]
#
# CENSUS_MODEL              Experimental (default), Continuous or Nightly
# CENSUS_CDASH_URL          submit URL, a variable or of the environment; unset: nothing is submitted, and a line says so
# CENSUS_CONFIGURE_OPTIONS  list of further arguments for cmake
# CTEST_SOURCE_DIRECTORY    default: this repository
# CTEST_BINARY_DIRECTORY    default: build/dashboard
# CTEST_SITE                default: host name
# CTEST_BUILD_NAME          default: device, toolchain, build type. No commit in it: CDash draws a trend for each build name.
#
# Environment: CENSUS_CDASH_TOKEN, the project's bearer token where the server wants one.
# Ends with an error when configuring or building failed or a row is red, after submitting; a failed submit is a notice.

cmake_minimum_required(VERSION 3.25)

# Not inherited by the rows: a token must not reach a test's environment or its output.
set(token "$ENV{CENSUS_CDASH_TOKEN}")
unset(ENV{CENSUS_CDASH_TOKEN})

if(NOT DEFINED CENSUS_MODEL)
  set(CENSUS_MODEL Experimental)
endif()
if(NOT CENSUS_MODEL MATCHES "^(Experimental|Continuous|Nightly)$")
  message(FATAL_ERROR "CENSUS_MODEL ${CENSUS_MODEL}: expected Experimental, Continuous or Nightly")
endif()
if(NOT DEFINED CTEST_SOURCE_DIRECTORY)
  cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH CTEST_SOURCE_DIRECTORY)
endif()
if(NOT DEFINED CTEST_BINARY_DIRECTORY)
  set(CTEST_BINARY_DIRECTORY "${CTEST_SOURCE_DIRECTORY}/build/dashboard")
endif()
if(NOT DEFINED CTEST_SITE)
  cmake_host_system_information(RESULT CTEST_SITE QUERY HOSTNAME)
endif()
set(CTEST_CMAKE_GENERATOR Ninja)
set(CTEST_CONFIGURATION_TYPE Release)
set(CTEST_USE_LAUNCHERS OFF)

# first_match(<variable> <regular expression with one group> <fallback> <command>...)
function(first_match variable expression fallback)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_QUIET)
  set(value "${fallback}")
  if(output MATCHES "${expression}")
    set(value "${CMAKE_MATCH_1}")
  endif()
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

if(NOT DEFINED CTEST_BUILD_NAME)
  first_match(device "^([^\n]+)" "cpu" nvidia-smi --query-gpu=name --format=csv,noheader)
  first_match(compiler "^([0-9]+)" "" c++ -dumpversion)
  first_match(cuda "release ([0-9.]+)" "" nvcc --version)
  string(TOLOWER "${device}" device)
  string(REGEX REPLACE "[^a-z0-9]+" "-" device "${device}")
  set(CTEST_BUILD_NAME "${device}-cxx${compiler}")
  if(cuda)
    string(APPEND CTEST_BUILD_NAME "-cuda${cuda}")
  endif()
  string(APPEND CTEST_BUILD_NAME "-${CTEST_CONFIGURATION_TYPE}")
endif()

ctest_start(${CENSUS_MODEL})
set(failed "")

ctest_configure(OPTIONS "-DCMAKE_BUILD_TYPE=${CTEST_CONFIGURATION_TYPE};${CENSUS_CONFIGURE_OPTIONS}" RETURN_VALUE status CAPTURE_CMAKE_ERROR error)
if(NOT status EQUAL 0 OR NOT error EQUAL 0)
  set(failed "cmake failed")
endif()
if(NOT failed)
  ctest_build(RETURN_VALUE status CAPTURE_CMAKE_ERROR error)
  if(NOT status EQUAL 0 OR NOT error EQUAL 0)
    set(failed "the build failed")
  endif()
endif()
if(NOT failed)
  ctest_read_custom_files("${CTEST_BINARY_DIRECTORY}")
  ctest_test(INCLUDE_LABEL perf RETURN_VALUE status CAPTURE_CMAKE_ERROR error)
  if(NOT status EQUAL 0 OR NOT error EQUAL 0)
    set(failed "rows are red, or none ran")
  endif()
endif()

if(NOT "${CENSUS_CDASH_URL}" STREQUAL "")
  set(url "${CENSUS_CDASH_URL}")
else()
  set(url "$ENV{CENSUS_CDASH_URL}")
endif()
if(url)
  set(header "")
  if(token)
    set(header HTTPHEADER "Authorization: Bearer ${token}")
  endif()
  ctest_submit(
    SUBMIT_URL "${url}" ${header}
    RETRY_COUNT 3
    RETRY_DELAY 5
    BUILD_ID build_id
    RETURN_VALUE status
    CAPTURE_CMAKE_ERROR error)
  # The status is 0 for any answer with HTTP code 200, an error page too; only CDash itself gives a build id.
  if(status EQUAL 0 AND build_id)
    message("Submitted: CDash build ${build_id} of site ${CTEST_SITE}, build name ${CTEST_BUILD_NAME}")
  else()
    message("NOT SUBMITTED: the server gave no build id. The results are in ${CTEST_BINARY_DIRECTORY}/Testing")
  endif()
else()
  message("Not submitted: CENSUS_CDASH_URL is not set. The results are in ${CTEST_BINARY_DIRECTORY}/Testing")
endif()

if(failed)
  message(FATAL_ERROR "${failed}: see above and ${CTEST_BINARY_DIRECTORY}/Testing")
endif()
