// SPDX-License-Identifier: MIT
#include <census/lock.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace census {
namespace {

/// How often a held lock is tried again: short beside any measurement, long beside a system call.
constexpr std::chrono::milliseconds retry_interval{50};

[[noreturn]] void fail(const std::string& what, const std::string& path, const std::string& why) {
  throw std::runtime_error(what + " " + path + ": " + why +
                           "; set CENSUS_LOCK_DIR to a directory that every user of the device can write");
}

std::string lock_path(const std::string& uuid) {
  std::string name = uuid;
  for (char& c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (!plain && c != '.') c = '_';
  }
  return lock_directory() + "/" + name + ".lock";
}

/// Makes the directory for everybody, like /tmp: whoever comes first must not lock out the others.
void make_directory(const std::string& directory) {
  if (mkdir(directory.c_str(), 0777) == 0) {
    if (chmod(directory.c_str(), 01777) != 0)
      fail("set the mode of lock directory", directory, std::strerror(errno));
    return;
  }
  const int reason = errno;
  struct stat status {};
  if (reason == EEXIST && lstat(directory.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return;
  fail("make lock directory", directory,
       reason == EEXIST ? "there is something else of that name" : std::strerror(reason));
}

/// Never through a symbolic link, and never waiting for the other end of a FIFO that somebody put there.
constexpr int open_flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

int create(const std::string& path) {
  const int descriptor = open(path.c_str(), open_flags | O_CREAT | O_EXCL, 0666);
  // The umask took bits away that other users need.
  if (descriptor >= 0 && fchmod(descriptor, 0666) != 0) {
    const int reason = errno;
    close(descriptor);
    fail("set the mode of lock file", path, std::strerror(reason));
  }
  return descriptor;
}

int open_lock_file(const std::string& path) {
  // Read-only first: in a sticky directory Linux refuses O_CREAT on another user's file
  // (fs.protected_regular).
  int descriptor = open(path.c_str(), open_flags);
  if (descriptor < 0 && errno == ENOENT) {
    make_directory(lock_directory());
    descriptor = create(path);
    if (descriptor < 0 && errno == EEXIST)
      descriptor = open(path.c_str(), open_flags);  // another process was faster
  }
  if (descriptor < 0)
    fail("open lock file", path, errno == ELOOP ? "it is a symbolic link" : std::strerror(errno));
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor);
    fail("open lock file", path, "it is not a regular file");
  }
  return descriptor;
}

/// True when the lock is held now, false when somebody else holds it.
bool try_lock(int descriptor, const std::string& path) {
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) fail("lock", path, std::strerror(errno));
  }
  return true;
}

/// The process that took the lock, from /proc/locks, or 0: a line reads "1: FLOCK  ADVISORY  WRITE 4242
/// fe:00:1234 0 EOF", device numbers in hexadecimal; a waiter has "->" after the number.
long holder_pid(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return 0;
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream fields(line);
    std::string number, kind, mode, access, file;
    long pid = 0;
    if (!(fields >> number >> kind >> mode >> access >> pid >> file) || kind != "FLOCK") continue;
    unsigned major_number = 0, minor_number = 0;
    unsigned long inode = 0;
    if (std::sscanf(file.c_str(), "%x:%x:%lu", &major_number, &minor_number, &inode) != 3) continue;
    if (inode == status.st_ino && makedev(major_number, minor_number) == status.st_dev) return pid;
  }
  return 0;
}

std::string describe_holder(int descriptor, const std::string& uuid, const std::string& path) {
  const long pid = holder_pid(descriptor);
  // /proc/locks shows no process of another PID namespace.
  if (pid <= 0)
    return uuid + " is locked by a process that cannot be seen from here (another container?), through " +
           path;
  std::ifstream comm("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  std::getline(comm, name);
  if (name.empty()) name = "ended, but a process it started still holds the lock";
  return uuid + " is locked by process " + std::to_string(pid) + " (" + name + "), through " + path;
}

}  // namespace

std::string lock_directory() {
  if (const char* given = std::getenv("CENSUS_LOCK_DIR"); given != nullptr && given[0] != '\0') return given;
  // The choice must be the same for every user of the machine, so it asks who may write, not whether this
  // user can, and takes no TMPDIR.
  struct stat status {};
  const bool shared =
      stat("/run/lock", &status) == 0 && S_ISDIR(status.st_mode) && (status.st_mode & S_IWOTH) != 0;
  return shared ? "/run/lock/kernel-census" : "/tmp/kernel-census";
}

std::optional<DeviceLock> DeviceLock::acquire(const std::string& uuid, std::chrono::milliseconds wait,
                                              std::string* holder) {
  const std::string path = lock_path(uuid);
  DeviceLock lock(open_lock_file(path), true);
  const auto deadline = std::chrono::steady_clock::now() + wait;
  while (!try_lock(lock.descriptor_, path)) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      if (holder != nullptr) *holder = describe_holder(lock.descriptor_, uuid, path);
      return std::nullopt;
    }
    std::this_thread::sleep_for(std::min(left, retry_interval));
  }
  return lock;
}

DeviceLock DeviceLock::inherit(const std::string& uuid, int descriptor) {
  const std::string path = lock_path(uuid);
  struct stat here {
  }, there{};
  const bool same = fstat(descriptor, &here) == 0 && lstat(path.c_str(), &there) == 0 &&
                    here.st_dev == there.st_dev && here.st_ino == there.st_ino;
  // Locking again through the parent's own open file succeeds; it fails where the lock is somebody else's.
  if (!same || !try_lock(descriptor, path)) {
    throw std::runtime_error("descriptor " + std::to_string(descriptor) + " is not the lock of " + uuid +
                             " (" + path +
                             "): a lock is passed on by the gate that starts this process, not by hand");
  }
  return DeviceLock(descriptor, false);
}

DeviceLock::DeviceLock(int descriptor, bool owned) : descriptor_(descriptor), owned_(owned) {}

DeviceLock::DeviceLock(DeviceLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), owned_(std::exchange(other.owned_, false)) {}

DeviceLock& DeviceLock::operator=(DeviceLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(owned_, other.owned_);
  return *this;
}

DeviceLock::~DeviceLock() {
  if (owned_) close(descriptor_);
}

int DeviceLock::descriptor() const {
  return descriptor_;
}

void DeviceLock::make_inheritable() {
  if (fcntl(descriptor_, F_SETFD, 0) != 0) {
    throw std::runtime_error(std::string("make the device lock inheritable: ") + std::strerror(errno));
  }
}

}  // namespace census
