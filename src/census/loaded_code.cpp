// SPDX-License-Identifier: MIT
#include <census/loaded_code.hpp>

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace census {
namespace {

/// The executable first; it may have been replaced on disk since, but /proc still has what runs.
std::vector<std::string> loaded_files() {
  std::vector<std::string> files{"/proc/self/exe"};
  const auto append = [](dl_phdr_info* object, std::size_t, void* into) {
    if (object->dlpi_name != nullptr && object->dlpi_name[0] == '/')
      static_cast<std::vector<std::string>*>(into)->emplace_back(object->dlpi_name);
    return 0;
  };
  (void)dl_iterate_phdr(append, &files);
  return files;
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw MalformedCode(path + " cannot be opened");
  struct stat status {};
  const bool known = ::fstat(descriptor, &status) == 0 && status.st_size > 0;
  const auto size = known ? static_cast<std::size_t>(status.st_size) : 0;
  void* data = known ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
  ::close(descriptor);
  if (data == MAP_FAILED) throw MalformedCode(path + " cannot be mapped");
  bytes_ = CodeBytes({static_cast<const std::byte*>(data), size});
}

MappedFile::~MappedFile() {
  ::munmap(const_cast<std::byte*>(bytes_.span().data()), bytes_.size());
}

CodeBytes fatbinaries_of(CodeBytes host_file) {
  const std::vector<ElfSection> sections = elf_sections(host_file);
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [](const ElfSection& section) { return section.name == ".nv_fatbin"; });
  return found == sections.end() ? CodeBytes() : found->bytes;
}

KernelCode loaded_kernel_code(const std::string& name, int architecture) {
  // With either set the driver compiles PTX although there is machine code for the device.
  for (const char* variable : {"CUDA_FORCE_PTX_JIT", "CUDA_FORCE_JIT"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && std::string(value) != "0" && std::string(value) != "")
      return {std::nullopt, std::string(variable) + " is set, so the driver compiled PTX"};
  }
  KernelCode first;
  for (const std::string& file : loaded_files()) {
    try {
      const MappedFile mapped(file);
      const CodeBytes fatbinaries = fatbinaries_of(mapped.bytes());
      if (fatbinaries.size() == 0) continue;
      KernelCode code = kernel_code(fatbinaries, name, architecture);
      if (code.sha256) return code;
      if (first.reason.empty()) first = code;
    } catch (const MalformedCode& error) {
      if (first.reason.empty()) first.reason = std::string("the loaded code cannot be read: ") + error.what();
    }
  }
  if (first.reason.empty()) first.reason = "nothing that this process has loaded holds GPU code";
  return first;
}

}  // namespace census
