#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// Remembers the nonces of signed requests as long as their timestamps are acceptable.
///
/// Losing a nonce is less harmful than one fsync for every request, so entries survive the end of
/// the process, but a power failure may lose the last ones.
///
/// Thread:  any.
class ReplayGuard {
  public:
    /// How much a request's timestamp may differ from our clock in either direction.
    static constexpr UnixMs kWindowMs = 5 * 60 * 1000;

    /// With a file of its own, for a market whose database is SQLite.
    ///
    /// Errors:  Corrupt, Unavailable.
    static Result<ReplayGuard> open(const std::filesystem::path& file);
    /// With a table in PostgreSQL, so that a request that one process accepted is refused by the
    /// others. `database` must outlive it.
    static ReplayGuard in_database(db::Database& database);

    ReplayGuard(ReplayGuard&&) noexcept;
    ~ReplayGuard();

    /// False if `actor` has used `nonce` before. Call it after the signature was verified, so that
    /// strangers can neither use up nonces nor fill the disk.
    Result<bool> first_use(std::string_view actor, std::string_view nonce, UnixMs now_ms);

    struct Impl;

  private:
    explicit ReplayGuard(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::market
