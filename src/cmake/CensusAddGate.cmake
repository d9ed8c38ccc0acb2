# SPDX-License-Identifier: MIT
# census_add_gate: ctest cases from the list of rows that a gate executable prints after each build.

include_guard(GLOBAL)

# census_add_gate(<target> [BASELINES <dir>] [LABELS <label>...] [TIMEOUT <seconds>] [FOOTPRINT <bytes>])
#
# <target>   an executable whose main() returns census::run(); call this in the directory that adds it, with testing enabled.
# BASELINES  directory of the baseline files (default: baselines/ beside the calling CMakeLists.txt).
# LABELS     more labels for the rows, beside "perf" and the backend.
# TIMEOUT    seconds for one row (default 600: 3 processes, confirmed by 3 more, and a wait for the device before them).
#
# Makes these tests. A row that was not built yet is one failing placeholder that says so.
#   perf.<backend>.<row id>   labels perf and <backend>; exit 77 is Skipped
#   census.begin              fixture, label setup: a new run id and the roster
#   census.report             fixture, label report: the summary; fails when nothing was measured
# The first gate of a build has these names. Every further gate puts its target's name behind "perf", "census.begin" and
# "census.report" (and "ab"), so that no two tests of a build share a name. Results: <build>/census-results/<target>.
#
# With CENSUS_AB_BASE set, the executable of another build of the gate, the paired comparison with it is there too, as tests
# of the label "ab" (never pulled in by "perf"):
#   ab.<backend>.<row id>     exit code of the row's comparison; Skipped for rows of the backend that was not compared
#   ab.begin                  fixture: compares all rows of one backend, cuda where there is a GPU
#   ab.report                 fixture: the report; fails when nothing was compared
#
# Also adds the commit, the compiler and the build type to the target, taken anew at each build.
function(census_add_gate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BASELINES;FOOTPRINT;TIMEOUT" "LABELS")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "census_add_gate(${target}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(DEFINED arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "census_add_gate(${target}): no value for ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT DEFINED arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  elseif(NOT arg_TIMEOUT MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "census_add_gate(${target}): TIMEOUT ${arg_TIMEOUT} is not a positive number of seconds")
  endif()
  if(NOT DEFINED arg_BASELINES)
    set(arg_BASELINES baselines)
  endif()
  cmake_path(ABSOLUTE_PATH arg_BASELINES NORMALIZE)
  _census_check_gate_target(${target})

  _census_add_build_info(${target})
  _census_add_discovery(${target})
endfunction()

function(_census_check_gate_target target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "census_add_gate(${target}): no such target; call add_executable(${target} ...) before it")
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(directory ${target} SOURCE_DIR)
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "census_add_gate(${target}): a gate is an executable, this target is a ${type}")
  endif()
  # A POST_BUILD command can only be added where the target is.
  if(NOT directory STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "census_add_gate(${target}): call it in ${directory}, where the target is added")
  endif()
endfunction()

# The build's identity, as a source of the target: it takes the place of the library's own this_build(). The commit is that of
# the repository the gate is in, because its kernels are what is measured.
function(_census_add_build_info target)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/census/${target}-build_info.cpp")
  find_package(Git QUIET)
  if(NOT Git_FOUND)
    set(GIT_EXECUTABLE "")
  endif()
  add_custom_target(
    ${target}-build-info
    COMMAND
      "${CMAKE_COMMAND}" "-DGIT=${GIT_EXECUTABLE}" "-DSOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR}"
      "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" "-DCUDA=${CMAKE_CUDA_COMPILER_VERSION}" "-DOUTPUT=${source}"
      -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CensusBuildInfo.cmake"
    BYPRODUCTS "${source}"
    COMMENT "Commit of ${target}"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
  set_source_files_properties("${source}" PROPERTIES GENERATED TRUE COMPILE_DEFINITIONS "CENSUS_BUILD_TYPE=\"$<CONFIG>\"")
  add_dependencies(${target} ${target}-build-info)
endfunction()

# After each build the target's own list becomes a file of tests, one for each configuration; ctest reads the file when it starts.
function(_census_add_discovery target)
  get_property(gates GLOBAL PROPERTY census_gates)
  set(qualifier "")
  if(gates)
    set(qualifier ".${target}")
  endif()
  set_property(GLOBAL APPEND PROPERTY census_gates ${target})

  set(rows "${CMAKE_CURRENT_BINARY_DIR}/census/${target}-rows")
  add_custom_command(
    TARGET ${target}
    POST_BUILD
    COMMAND
      "${CMAKE_COMMAND}" "-DEXECUTABLE=$<TARGET_FILE:${target}>" "-DTARGET=${target}" "-DQUALIFIER=${qualifier}" "-DBASELINES=${arg_BASELINES}"
      "-DRESULTS=${CMAKE_BINARY_DIR}/census-results/${target}" "-DLABELS=${arg_LABELS}" "-DTIMEOUT=${arg_TIMEOUT}" "-DFOOTPRINT=${arg_FOOTPRINT}"
      "-DAB_BASE=${CENSUS_AB_BASE}" "-DOUTPUT=${rows}-$<CONFIG>.cmake" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CensusDiscover.cmake"
    BYPRODUCTS "${rows}-$<CONFIG>.cmake"
    COMMENT "Rows of ${target}"
    VERBATIM)

  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  set(config "${CMAKE_BUILD_TYPE}")
  if(multi_config)
    set(config [[${CTEST_CONFIGURATION_TYPE}]])
  endif()
  set(include_file "${CMAKE_CURRENT_BINARY_DIR}/census/${target}-tests.cmake")
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CensusTests.cmake.in" "${include_file}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include_file}")
endfunction()
