// SPDX-License-Identifier: MIT
// libFuzzer's entry: a text that breaks the rule of check_file() ends the process, and is kept by the fuzzer.
#include "check_file.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  census_fuzz::check_file({reinterpret_cast<const char*>(data), size});
  return 0;
}
