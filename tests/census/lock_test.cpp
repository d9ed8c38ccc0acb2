// SPDX-License-Identifier: MIT
#include <census/lock.hpp>

#include <gmock/gmock.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

namespace census {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
namespace fs = std::filesystem;

/// A child process that runs `body` and then says so; it lives until it is killed.
class Child {
 public:
  explicit Child(const std::function<void()>& body) {
    int ready[2];
    if (pipe(ready) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      body();
      const bool written = write(ready[1], "x", 1) == 1;
      for (; written;) pause();
      _exit(0);
    }
    close(ready[1]);
    char byte = 0;
    said_ready_ = read(ready[0], &byte, 1) == 1;
    close(ready[0]);
  }
  ~Child() { end(); }

  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] bool said_ready() const { return said_ready_; }

 private:
  pid_t pid_ = 0;
  bool said_ready_ = false;
};

/// Every case has a lock directory of its own.
class Lock : public ::testing::Test {
 protected:
  Lock() : directory_(fs::path(::testing::TempDir()) / ("lock." + std::to_string(getpid()))) {
    fs::remove_all(directory_);
    setenv("CENSUS_LOCK_DIR", directory_.c_str(), 1);
  }
  ~Lock() override {
    unsetenv("CENSUS_LOCK_DIR");
    fs::remove_all(directory_);
  }

  [[nodiscard]] fs::path file() const { return directory_ / "GPU-1.lock"; }
  static std::optional<DeviceLock> acquire(std::string* holder = nullptr) {
    return DeviceLock::acquire("GPU-1", milliseconds(0), holder);
  }
  /// Permission bits with the sticky bit.
  static unsigned mode(const fs::path& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777u : 0;
  }

  fs::path directory_;
};

TEST_F(Lock, IsHeldOnlyOnce) {
  const auto first = acquire();
  EXPECT_TRUE(first.has_value());
  EXPECT_FALSE(acquire().has_value());
}

TEST_F(Lock, IsFreeAgainAfterItsOwnerIsGone) {
  acquire();
  EXPECT_TRUE(acquire().has_value());
}

TEST_F(Lock, OfAnotherDeviceIsAnotherLock) {
  const auto first = acquire();
  EXPECT_TRUE(DeviceLock::acquire("GPU-2", milliseconds(0), nullptr).has_value());
}

TEST_F(Lock, OfAnotherProcessNamesItsPidAndCommand) {
  const Child other([] { new DeviceLock(*acquire()); });
  ASSERT_TRUE(other.said_ready());
  std::string holder;
  EXPECT_FALSE(acquire(&holder).has_value());
  EXPECT_THAT(holder,
              AllOf(HasSubstr("GPU-1 is locked by process " + std::to_string(other.pid()) + " (lock_test)"),
                    HasSubstr(file().string())));
}

TEST_F(Lock, OfAKilledProcessIsFree) {
  Child other([] { new DeviceLock(*acquire()); });
  ASSERT_FALSE(acquire().has_value());
  other.end();
  EXPECT_TRUE(acquire().has_value());
}

TEST_F(Lock, IsHeldByAChildThatInheritedIt) {
  auto lock = acquire();
  ASSERT_TRUE(lock.has_value());
  const Child heir([&] { (void)DeviceLock::inherit("GPU-1", lock->descriptor()); });
  ASSERT_TRUE(heir.said_ready());
  lock.reset();
  std::string holder;
  EXPECT_FALSE(acquire(&holder).has_value());
  EXPECT_THAT(holder, HasSubstr("process " + std::to_string(getpid())));
}

TEST_F(Lock, IsNotReleasedByTheEndOfAnHeir) {
  const auto lock = acquire();
  ASSERT_TRUE(lock.has_value());
  { const DeviceLock heir = DeviceLock::inherit("GPU-1", lock->descriptor()); }
  EXPECT_FALSE(acquire().has_value());
}

TEST_F(Lock, RefusesToInheritAFileThatIsNotTheLock) {
  const auto lock = acquire();
  EXPECT_THAT([] { (void)DeviceLock::inherit("GPU-1", STDERR_FILENO); },
              ThrowsMessage<std::runtime_error>(HasSubstr("descriptor 2 is not the lock of GPU-1")));
}

TEST_F(Lock, RefusesToInheritAnotherDevicesLock) {
  const auto lock = acquire();
  const auto other = DeviceLock::acquire("GPU-2", milliseconds(0), nullptr);
  EXPECT_THROW((void)DeviceLock::inherit("GPU-1", other->descriptor()), std::runtime_error);
}

TEST_F(Lock, RefusesToInheritAFileThatAnotherProcessHasLocked) {
  const Child other([] { new DeviceLock(*acquire()); });
  const int descriptor = open(file().c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_THROW((void)DeviceLock::inherit("GPU-1", descriptor), std::runtime_error);
  close(descriptor);
}

TEST_F(Lock, IsClosedOnExecUntilMadeInheritable) {
  auto lock = acquire();
  ASSERT_TRUE(lock.has_value());
  EXPECT_EQ(fcntl(lock->descriptor(), F_GETFD), FD_CLOEXEC);
  lock->make_inheritable();
  EXPECT_EQ(fcntl(lock->descriptor(), F_GETFD), 0);
}

TEST_F(Lock, IsUsableByEveryUserWhateverTheUmask) {
  const mode_t before = umask(0077);
  acquire();
  umask(before);
  EXPECT_EQ(mode(directory_), 01777u);
  EXPECT_EQ(mode(file()), 0666u);
}

TEST_F(Lock, OpensAFileThatItMayOnlyRead) {
  acquire();
  fs::permissions(file(), fs::perms::owner_read);
  EXPECT_TRUE(acquire().has_value());
}

TEST_F(Lock, DoesNotFollowASymbolicLink) {
  fs::create_directory(directory_);
  const fs::path victim = directory_ / "victim";
  std::ofstream(victim) << "untouched";
  fs::create_symlink(victim, file());
  EXPECT_THAT([] { acquire(); }, ThrowsMessage<std::runtime_error>(HasSubstr("it is a symbolic link")));
}

TEST_F(Lock, DoesNotMakeTheTargetOfADanglingLink) {
  fs::create_directory(directory_);
  fs::create_symlink(directory_ / "victim", file());
  EXPECT_THROW(acquire(), std::runtime_error);
  EXPECT_FALSE(fs::exists(directory_ / "victim"));
}

TEST_F(Lock, RefusesADirectoryThatIsALink) {
  fs::create_directory_symlink("/nonexistent", directory_);
  EXPECT_THAT([] { acquire(); }, ThrowsMessage<std::runtime_error>(HasSubstr("make lock directory")));
}

TEST_F(Lock, DoesNotWaitOnAFifo) {
  fs::create_directory(directory_);
  ASSERT_EQ(mkfifo(file().c_str(), 0666), 0);
  EXPECT_THAT([] { acquire(); }, ThrowsMessage<std::runtime_error>(HasSubstr("not a regular file")));
}

TEST_F(Lock, WithoutADirectoryNamesThePathAndTheWayOut) {
  setenv("CENSUS_LOCK_DIR", (directory_ / "missing" / "locks").c_str(), 1);
  EXPECT_THAT([] { acquire(); },
              ThrowsMessage<std::runtime_error>(AllOf(HasSubstr((directory_ / "missing/locks").string()),
                                                      HasSubstr("No such file or directory"),
                                                      HasSubstr("set CENSUS_LOCK_DIR"))));
}

TEST_F(Lock, InADirectoryThatCannotBeWrittenNamesThePathAndTheWayOut) {
  setenv("CENSUS_LOCK_DIR", "/proc", 1);  // not even root can make a file there
  EXPECT_THAT([] { acquire(); }, ThrowsMessage<std::runtime_error>(
                                     AllOf(HasSubstr("/proc/GPU-1.lock"), HasSubstr("set CENSUS_LOCK_DIR"))));
}

TEST_F(Lock, OfADeviceWithASlashInItsNameStaysInTheDirectory) {
  const auto lock = DeviceLock::acquire("../evil host", milliseconds(0), nullptr);
  EXPECT_TRUE(fs::exists(directory_ / ".._evil_host.lock"));
}

TEST(LockDirectory, IsNotTheUsersOwnTemporaryDirectory) {
  setenv("TMPDIR", "/somewhere", 1);
  EXPECT_THAT(lock_directory(), ::testing::AnyOf("/run/lock/kernel-census", "/tmp/kernel-census"));
  unsetenv("TMPDIR");
}

}  // namespace
}  // namespace census
