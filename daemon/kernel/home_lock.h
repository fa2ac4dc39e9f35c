#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace a2h {

/// Reserves a home for one a2hd, by an flock on run/a2hd.pid, which also contains its process id.
/// The kernel releases the lock with the process, so a crash leaves nothing to clean up.
class HomeLock {
  public:
    /// Errors:  Conflict naming the other process; Unavailable if the file cannot be written.
    static Result<std::unique_ptr<HomeLock>> take(const std::filesystem::path& lock_file);
    ~HomeLock();

    /// Process id of the last holder, for messages; "unknown" if the file does not contain it.
    static std::string owner(const std::filesystem::path& lock_file);

    HomeLock(const HomeLock&) = delete;
    HomeLock& operator=(const HomeLock&) = delete;

  private:
    explicit HomeLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

}  // namespace a2h
