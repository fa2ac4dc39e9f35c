#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// Which of several market processes speaks to the broker: two with one client id would throw each
/// other out. Processes of one data folder agree by a lock on a file, those of one PostgreSQL by a
/// row besides, which expires when its holder is gone.
/// Thread: one.
class RelayLease {
  public:
    /// Makes `dir/relay.lock`, which also holds the name under which the row is taken, so that a
    /// restarted process has its own row back at once. `database` and `clock` must outlive it.
    /// Errors: Unavailable when the file cannot be made.
    static Result<RelayLease> open(db::Database& database, const Clock& clock,
                                   const std::filesystem::path& dir);
    RelayLease(RelayLease&& other) noexcept;
    ~RelayLease();

    /// True while we are the one; asks the database every few seconds. To be called often.
    bool hold();
    void release();

  private:
    RelayLease(db::Database& database, const Clock& clock, int file, std::string holder)
        : database_(database), clock_(clock), file_(file), holder_(std::move(holder)) {}

    bool renew();

    db::Database& database_;
    const Clock& clock_;
    int file_ = -1;
    std::string holder_;
    bool locked_ = false;
    bool held_ = false;  ///< the row
    std::optional<std::chrono::steady_clock::time_point> asked_at_;
    std::chrono::steady_clock::time_point held_until_;
};

}  // namespace a2h::market
