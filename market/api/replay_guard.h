#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// Remembers the nonces of signed requests for as long as their timestamps are acceptable.
///
/// A lost nonce costs less than an fsync for every request, so entries survive the death of the
/// process, and a power cut may lose the last ones.
/// Thread: any.
class ReplayGuard {
  public:
    /// How far a request's timestamp may be from our clock, in both directions.
    static constexpr UnixMs kWindowMs = 5 * 60 * 1000;

    /// With a file of its own, for the market that keeps all else in SQLite.
    /// Errors: Corrupt, Unavailable.
    static Result<ReplayGuard> open(const std::filesystem::path& file);
    /// With a table of PostgreSQL, so that a request that one process accepted is refused by the
    /// others. `database` must outlive it.
    static ReplayGuard in_database(db::Database& database);

    ReplayGuard(ReplayGuard&&) noexcept;
    ~ReplayGuard();

    /// False when `actor` used `nonce` before. Call it after the signature was found good, so that
    /// strangers can neither use up nonces nor fill the disk.
    Result<bool> first_use(std::string_view actor, std::string_view nonce, UnixMs now_ms);

    struct Impl;

  private:
    explicit ReplayGuard(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::market
