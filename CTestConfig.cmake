# SPDX-License-Identifier: MIT
# Where ctest submits to. Read by include(CTest) when the build is configured and by ctest_start() in a script.
#
# CENSUS_CDASH_URL, a variable or else of the environment, is the whole submit URL of a CDash project:
# https://cdash.example.org/submit.php?project=engine. Unset, nothing is submitted and nothing else changes.

set(CTEST_PROJECT_NAME "kernel-census")
set(CTEST_NIGHTLY_START_TIME "01:00:00 UTC")

if(NOT DEFINED CENSUS_CDASH_URL AND DEFINED ENV{CENSUS_CDASH_URL})
  set(CENSUS_CDASH_URL "$ENV{CENSUS_CDASH_URL}")
endif()
# A script may have chosen already: ctest_start() reads this file after it.
if(NOT DEFINED CTEST_SUBMIT_URL AND NOT "${CENSUS_CDASH_URL}" STREQUAL "")
  set(CTEST_SUBMIT_URL "${CENSUS_CDASH_URL}")
endif()
