#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/fd.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// Decides which of several market processes uses the broker, because two with one client id would
/// disconnect each other. Processes of one data folder use a file lock; those of one PostgreSQL
/// database also use a row that expires when its holder has ended.
///
/// Thread:  one.
class RelayLease {
  public:
    /// Creates `dir/relay.lock`, which also contains the name under which the row is taken, so that
    /// a restarted process has its own row back at once. `database` and `clock` must outlive it.
    ///
    /// Errors:  Unavailable if the file cannot be created.
    static Result<RelayLease> open(db::Database& database, const Clock& clock,
                                   const std::filesystem::path& dir);

    /// True while this process holds the lease; asks the database every few seconds. Call often.
    bool hold();
    void release();

  private:
    RelayLease(db::Database& database, const Clock& clock, Fd file, std::string holder)
        : database_(database), clock_(clock), file_(std::move(file)), holder_(std::move(holder)) {}

    bool renew();

    db::Database& database_;
    const Clock& clock_;
    Fd file_;
    std::string holder_;
    bool locked_ = false;
    bool held_ = false;  ///< the row
    std::optional<std::chrono::steady_clock::time_point> asked_at_;
    std::chrono::steady_clock::time_point held_until_;
};

}  // namespace a2h::market
