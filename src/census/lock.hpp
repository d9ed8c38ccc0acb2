// SPDX-License-Identifier: MIT
// The exclusive lock of a device over processes and checkouts: flock on a file named by the device's UUID.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace census {

/// An exclusive lock, held until destruction. The kernel releases it when the process dies, however it dies.
class DeviceLock {
 public:
  /// Waits at most `wait`. On failure returns nullopt and sets `holder` to a sentence naming who holds it.
  /// Throws std::runtime_error naming the path where no lock file can be made or opened, and CENSUS_LOCK_DIR
  /// as the way out.
  static std::optional<DeviceLock> acquire(const std::string& uuid, std::chrono::milliseconds wait,
                                           std::string* holder);
  /// Takes over a descriptor inherited from the parent that already holds the lock. Throws std::runtime_error
  /// when it is not an open lock file of that device.
  static DeviceLock inherit(const std::string& uuid, int descriptor);

  DeviceLock(DeviceLock&&) noexcept;
  DeviceLock& operator=(DeviceLock&&) noexcept;
  ~DeviceLock();

  /// The descriptor, to be passed to children (it is close-on-exec until marked inheritable).
  [[nodiscard]] int descriptor() const;
  void make_inheritable();

 private:
  explicit DeviceLock(int descriptor, bool owned);
  int descriptor_ = -1;
  bool owned_ = false;
};

/// The directory of the lock files: CENSUS_LOCK_DIR, or "kernel-census" under /run/lock, or under the
/// temporary directory.
[[nodiscard]] std::string lock_directory();

}  // namespace census
