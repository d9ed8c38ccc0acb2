# SPDX-License-Identifier: MIT
# The installed package: the library, its public headers, and census_add_gate.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/kernel-census")
install(TARGETS census EXPORT kernel-census-targets FILE_SET HEADERS)
install(EXPORT kernel-census-targets NAMESPACE kernel-census:: DESTINATION "${package_dir}")

configure_package_config_file(
  src/cmake/kernel-census-config.cmake.in "${PROJECT_BINARY_DIR}/kernel-census-config.cmake" INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a minor version may change an interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/kernel-census-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/kernel-census-config.cmake"
        "${PROJECT_BINARY_DIR}/kernel-census-config-version.cmake"
        src/cmake/CensusAddGate.cmake
        src/cmake/CensusBuildInfo.cmake
        src/cmake/CensusDiscover.cmake
        src/cmake/CensusResourceSpec.cmake
        src/cmake/CensusTests.cmake.in
  DESTINATION "${package_dir}")
