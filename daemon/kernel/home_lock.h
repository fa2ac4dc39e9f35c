#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/fd.h"
#include "core/base/result.h"

namespace a2h {

/// Reserves a home for one a2hd, by an flock on run/a2hd.pid, which also contains its process id.
/// The kernel releases the lock with the process, so a crash leaves nothing to clean up.
///
/// Thread:  any.
class HomeLock {
  public:
    /// Takes the lock without waiting. Destroying the result releases it.
    ///
    /// Errors:  Conflict naming the other process; Unavailable if the file cannot be opened.
    static Result<std::unique_ptr<HomeLock>> take(const std::filesystem::path& lock_file);

    /// Process id of the last holder, for messages; "unknown" if the file does not contain it.
    static std::string owner(const std::filesystem::path& lock_file);

  private:
    explicit HomeLock(Fd file) : file_(std::move(file)) {}
    Fd file_;
};

}  // namespace a2h
