// SPDX-License-Identifier: MIT
// Files as a whole: reading one, and replacing one so that no moment shows half of it.
#include <census/json_io.hpp>
#include <census/json_io_text.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>

namespace census {
namespace {

/// A result of a thousand runs of 300 samples has 20 MB. What is larger is something else, and reading it
/// could take all memory.
constexpr std::uintmax_t most_file_bytes = std::uintmax_t{256} << 20;

std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& step) {
  throw FileError(file.string() + ": cannot " + step + ": " + std::strerror(errno) +
                  "; the old file, if there was one, is as it was");
}

/// An open file of its own beside the one to be replaced; removed on destruction unless it was renamed.
class Temporary {
 public:
  explicit Temporary(const std::filesystem::path& target) : target_(target) {
    const auto directory = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
    name_ = (directory / ("." + target.filename().string() + ".XXXXXX")).string();
    descriptor_ = mkostemp(name_.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail(target, "make a temporary file beside it");
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!name_.empty()) unlink(name_.c_str());
  }

  void write_all(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t wrote = write(descriptor_, text.data() + done, text.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) fail(target_, "write it");
      done += static_cast<std::size_t>(wrote);
    }
    // mkostemp makes a file for its owner alone; a baseline is for everybody who can read the tree.
    if (fchmod(descriptor_, 0644) != 0) fail(target_, "set its mode");
    if (fsync(descriptor_) != 0) fail(target_, "write it to disk");
  }

  void replace_target() {
    if (rename(name_.c_str(), target_.c_str()) != 0) fail(target_, "replace it");
    name_.clear();
  }

 private:
  std::filesystem::path target_;
  std::string name_;
  int descriptor_ = -1;
};

/// Makes a rename in this directory survive a power cut. A file system that cannot do that is not an error.
void sync_directory(const std::filesystem::path& directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

FileError::FileError(const std::string& text) : std::runtime_error(one_line(text)) {}

std::string read_text(const std::filesystem::path& file) {
  std::error_code ignored;
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file, ignored)) {
    throw FileError(file.string() + ": cannot be read; check that it exists and is a readable file");
  }
  const auto bytes = std::filesystem::file_size(file, ignored);
  if (!ignored && bytes > most_file_bytes) {
    throw FileError(file.string() + ": has " + std::to_string(bytes) +
                    " bytes, more than any file of the gate; give the right file, or remove this one");
  }
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (stream.bad()) throw FileError(file.string() + ": reading stopped in the middle; try again");
  return text;
}

Baseline read_baseline(const std::filesystem::path& file) {
  return parse_baseline(read_text(file), file.string());
}

ResultFile read_result(const std::filesystem::path& file) {
  return parse_result(read_text(file), file.string());
}

std::string file_kind(const std::filesystem::path& file) {
  const json::Json tree = json::parse(read_text(file), {file.string(), "remove the file, or make it anew"});
  const auto kind = tree.find("kind");
  return kind != tree.end() && kind->is_string() ? kind->get<std::string>() : "";
}

void write_atomically(const std::filesystem::path& file, const std::string& text) {
  Temporary temporary(file);
  temporary.write_all(text);
  temporary.replace_target();
  sync_directory(file.has_parent_path() ? file.parent_path() : ".");
}

}  // namespace census
