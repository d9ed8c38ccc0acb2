// SPDX-License-Identifier: MIT
#include <census/json_io.hpp>

#include <gmock/gmock.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace census {
namespace {

using testing::HasSubstr;

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// A directory of its own with one old file in it.
class WriteAtomically : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "census-write-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory = name;
    file = directory / "x.json";
    write_atomically(file, "old");
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  /// The status of a child that writes a megabyte with room for 100 bytes; `ignore` turns the killing signal
  /// into an error.
  int write_without_room(bool ignore) const {
    const pid_t child = fork();
    if (child == 0) {
      const rlimit room{100, 100};
      const rlimit no_core{0, 0};
      setrlimit(RLIMIT_FSIZE, &room);
      setrlimit(RLIMIT_CORE, &no_core);
      std::signal(SIGXFSZ, ignore ? SIG_IGN : SIG_DFL);
      try {
        write_atomically(file, std::string(1 << 20, 'n'));
        _exit(0);
      } catch (const FileError&) {
        _exit(42);
      }
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  [[nodiscard]] std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(directory),
                         std::filesystem::directory_iterator());
  }

  std::filesystem::path directory, file;
};

TEST_F(WriteAtomically, ReplacesTheWholeFile) {
  write_atomically(file, "the new text");
  EXPECT_EQ(content(file), "the new text");
  EXPECT_EQ(files(), 1);
}

TEST_F(WriteAtomically, LeavesAFileThatOthersCanRead) {
  struct stat status {};
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0644U);
}

TEST_F(WriteAtomically, KilledInTheMiddleOfWritingLeavesTheOldFile) {
  const int status = write_without_room(false);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGXFSZ);
  EXPECT_EQ(content(file), "old");
}

TEST_F(WriteAtomically, WithoutRoomThrowsAndLeavesTheOldFileAndNothingElse) {
  const int status = write_without_room(true);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_EQ(content(file), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(WriteAtomically, IntoADirectoryThatIsNotThereNamesTheFile) {
  try {
    write_atomically(directory / "missing" / "x.json", "text");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), HasSubstr("missing/x.json: cannot make a temporary file"));
  }
}

TEST_F(WriteAtomically, IntoAReadOnlyDirectoryThrows) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser writes anywhere";
  chmod(directory.c_str(), 0555);
  EXPECT_THROW(write_atomically(file, "new"), FileError);
  chmod(directory.c_str(), 0755);
  EXPECT_EQ(content(file), "old");
}

TEST_F(WriteAtomically, OntoADirectoryThrowsAndLeavesNothingBehind) {
  std::filesystem::create_directory(directory / "d");
  EXPECT_THROW(write_atomically(directory / "d", "new"), FileError);
  EXPECT_EQ(files(), 2);
}

}  // namespace
}  // namespace census
