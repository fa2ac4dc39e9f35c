#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "market/api/serve.h"

namespace a2h::market {

/// Removes what has expired: files with their rows, logins, and messages of the history.
///
/// Errors:  those of database and folder; what was not removed is left for the next time.
Result<void> sweep(ApiParts& parts);

/// Removes files on disk without a row, left when a process ended between the two steps.
Result<void> remove_unknown_files(ApiParts& parts);

/// Sweeps once a minute on a thread of its own until it is destroyed.
class Sweeper {
  public:
    static constexpr std::chrono::minutes kInterval{1};

    /// `parts` must outlive it.
    explicit Sweeper(ApiParts& parts);

  private:
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

}  // namespace a2h::market
