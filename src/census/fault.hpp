// SPDX-License-Identifier: MIT
// Faults planted on purpose, so that the gate can show that it finds them: `measure --fault NAME`. A record
// names its fault, and refresh refuses it.
#pragma once

#include <census/kernel_case.hpp>

#include <string>
#include <vector>

namespace census {

/// What a fault does to a row's instance. They are what a wrong kernel or a wrong census would do, and
/// nothing in measuring or judging knows of them.
///   flip-output   the lowest bit of one output element is flipped
///   nan           one output element is not a number
///   one-buffer    every launch takes copy 0: the row reads the cache
///   kill          the process is killed at the first launch of the row
///   comma-locale  no change of the row: the process formats numbers by a locale with a decimal comma
[[nodiscard]] std::vector<std::string> fault_names();

/// The row with the fault; the row itself for "" and comma-locale. Throws UsageError for an unknown one.
[[nodiscard]] KernelCase with_fault(const KernelCase& row, const std::string& fault);

inline constexpr const char* comma_locale_fault = "comma-locale";

/// A decimal comma and a full stop between thousands in C++ streams, and in C's printf where such a locale is
/// installed. Restores both on destruction.
class CommaLocale {
 public:
  CommaLocale();
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;
  ~CommaLocale();

 private:
  std::string c_locale_;
};

}  // namespace census
