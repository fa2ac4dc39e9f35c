#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace a2h {

/// Holds a home for one a2hd: an flock on run/a2hd.pid, which also says whose it is. The kernel
/// drops it with the process, so a crash leaves nothing to clean up.
class HomeLock {
  public:
    /// Errors: Conflict naming the other process; Unavailable when the file cannot be written.
    static Result<std::unique_ptr<HomeLock>> take(const std::filesystem::path& lock_file);
    ~HomeLock();

    /// Process id of who took it last, for messages; "unknown" when the file does not say.
    static std::string owner(const std::filesystem::path& lock_file);

    HomeLock(const HomeLock&) = delete;
    HomeLock& operator=(const HomeLock&) = delete;

  private:
    explicit HomeLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

}  // namespace a2h
