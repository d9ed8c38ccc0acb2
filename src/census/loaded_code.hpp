// SPDX-License-Identifier: MIT
// The fatbinaries of this process: of its executable and of the shared libraries it has loaded.
#pragma once

#include <census/kernel_code.hpp>

#include <string>

namespace census {

/// Maps a file for reading as long as it lives.
class MappedFile {
 public:
  /// Throws MalformedCode naming the file where it cannot be read.
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();
  [[nodiscard]] CodeBytes bytes() const { return bytes_; }

 private:
  CodeBytes bytes_;
};

/// The contents of the `.nv_fatbin` section of a host ELF file; empty where it has none. Throws
/// MalformedCode.
[[nodiscard]] CodeBytes fatbinaries_of(CodeBytes host_file);

/// kernel_code() over what this process has loaded, the executable first. Never throws.
[[nodiscard]] KernelCode loaded_kernel_code(const std::string& name, int architecture);

}  // namespace census
