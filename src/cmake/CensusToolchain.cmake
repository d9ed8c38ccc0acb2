# Languages and warnings of this project: CUDA where there is a new enough toolkit, and one private target for warnings.

include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  set(census_cuda_found ON)
else()
  set(census_cuda_found OFF)
endif()
option(CENSUS_CUDA "Build the CUDA backend; needs CUDA >= 12.8 (default: ON where nvcc is found)" ${census_cuda_found})

if(CENSUS_CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "CENSUS_CUDA is ON but no CUDA compiler was found: install CUDA >= 12.8 and put nvcc on the PATH, or configure with -DCENSUS_CUDA=OFF")
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # What the kernels were written for: A100, H100/H200, B200, RTX 50. Never "native": that needs a GPU to configure.
    set(CMAKE_CUDA_ARCHITECTURES "80;90;100;120" CACHE STRING "CUDA architectures")
  endif()
  enable_language(CUDA)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.8)
    message(FATAL_ERROR "CUDA ${CMAKE_CUDA_COMPILER_VERSION} is too old: kernel-census needs CUDA >= 12.8, or configure with -DCENSUS_CUDA=OFF")
  endif()
  find_package(CUDAToolkit REQUIRED)
endif()

# Warnings and language level of our own sources; linked PRIVATE, never installed.
add_library(census-internal INTERFACE)
target_compile_options(
  census-internal
  INTERFACE
    # Missing field initializers: a designated initialiser leaves the other fields at their defaults on purpose.
    $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion;-Wno-missing-field-initializers>
    # g++ 12 at -O3 sees an overlap in `"text" + std::string` that is not there (GCC bug 105329).
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${CENSUS_WERROR}>>:-Werror>
    # CMake 3.25 knows no CUDA20.
    $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;-Xcompiler=-Wall,-Wextra>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Xcompiler=-Wno-restrict>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${CENSUS_WERROR}>>:-Werror=all-warnings>)
target_compile_features(census-internal INTERFACE cxx_std_20)
if(CENSUS_PORTABLE)
  target_link_options(census-internal INTERFACE -static-libstdc++ -static-libgcc)
endif()
