# SPDX-License-Identifier: MIT
# Script: writes a C++ source with the identity of the build that is being made. Run by census_add_gate in each build.
#
# In: GIT (or empty), SOURCE_DIR, COMPILER, CUDA, OUTPUT. The file is only touched when its content changes.

cmake_minimum_required(VERSION 3.25)

set(commit "")
set(dirty false)
if(GIT)
  execute_process(
    COMMAND "${GIT}" -C "${SOURCE_DIR}" rev-parse --verify HEAD
    OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
endif()
if(commit)
  # Baselines are judged against, not compiled: a refresh must not make the next build dirty. Untracked files cannot be in the
  # build unless a tracked one names them.
  execute_process(
    COMMAND "${GIT}" -C "${SOURCE_DIR}" status --porcelain --untracked-files=no -- ":(top)" ":(top,exclude,glob)**/baselines/*.json"
    OUTPUT_VARIABLE changes
    RESULT_VARIABLE status)
  if(changes OR NOT status EQUAL 0)
    set(dirty true)
  endif()
endif()

file(
  CONFIGURE
  OUTPUT "${OUTPUT}"
  CONTENT
    [[// Written by each build.
#include <census/build.hpp>

namespace census {

Build this_build() {
  return {CENSUS_VERSION, "@commit@", @dirty@, "@COMPILER@", "@CUDA@", CENSUS_BUILD_TYPE};
}

}  // namespace census
]]
  @ONLY)
