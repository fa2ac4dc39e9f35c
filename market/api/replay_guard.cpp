#include "market/api/replay_guard.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <atomic>
#include <mutex>
#include <string>

#include "market/api/sqlite.h"

namespace a2h::market {

struct ReplayGuard::Impl {
    virtual ~Impl() = default;
    virtual Result<bool> first_use(const std::string& actor, const std::string& nonce,
                                   UnixMs now_ms) = 0;
};

namespace {

constexpr UnixMs kPurgeEveryMs = 60 * 1000;

/// A timestamp may be one window in the future when it is used, and is refused one window later.
UnixMs useless_before(UnixMs now_ms) {
    return now_ms - 2 * ReplayGuard::kWindowMs;
}

class InFile final : public ReplayGuard::Impl {
  public:
    /// Throws the exceptions of SQLiteCpp.
    explicit InFile(const std::filesystem::path& file) : db_(open_sqlite(file, Durability::Crash)) {
        db_->exec(
            "create table if not exists nonce (actor text not null, value text not null,"
            " used_at_ms integer not null, primary key (actor, value)) strict, without rowid");
        db_->exec("create index if not exists nonce_age on nonce(used_at_ms)");
        insert_ = std::make_unique<SQLite::Statement>(
            *db_, "insert into nonce values (?, ?, ?) on conflict do nothing");
    }

    Result<bool> first_use(const std::string& actor, const std::string& nonce,
                           UnixMs now_ms) override {
        const std::lock_guard lock(mutex_);
        return guarded_sql([&]() -> Result<bool> {
            purge(now_ms);
            insert_->reset();
            SQLite::bind(*insert_, actor, nonce, now_ms);
            return insert_->exec() == 1;
        });
    }

  private:
    void purge(UnixMs now_ms) {
        if (now_ms - purged_at_ms_ < kPurgeEveryMs) return;
        purged_at_ms_ = now_ms;
        SQLite::Statement remove(*db_, "delete from nonce where used_at_ms < ?");
        remove.bind(1, useless_before(now_ms));
        remove.exec();
    }

    std::mutex mutex_;
    std::unique_ptr<SQLite::Database> db_;
    std::unique_ptr<SQLite::Statement> insert_;
    UnixMs purged_at_ms_ = 0;
};

class InTable final : public ReplayGuard::Impl {
  public:
    explicit InTable(db::Database& database) : database_(database) {}

    Result<bool> first_use(const std::string& actor, const std::string& nonce,
                           UnixMs now_ms) override {
        A2H_TRY(purge(now_ms));
        return database_.write_as<bool>([&](db::Transaction& transaction) -> Result<bool> {
            A2H_TRY(transaction.execute("set local synchronous_commit = off", {}));
            A2H_ASSIGN_OR_RETURN(
                const auto added,
                transaction.execute(
                    "insert into nonce (actor, value, used_at_ms) values ($1, $2, $3)"
                    " on conflict do nothing",
                    {actor, nonce, now_ms}));
            return added == 1;
        });
    }

  private:
    Result<void> purge(UnixMs now_ms) {
        UnixMs purged_at_ms = purged_at_ms_;
        // One of the threads that notice the end of the minute does it.
        if (now_ms - purged_at_ms < kPurgeEveryMs ||
            !purged_at_ms_.compare_exchange_strong(purged_at_ms, now_ms)) {
            return {};
        }
        return database_.write([&](db::Transaction& transaction) -> Result<void> {
            A2H_TRY(transaction.execute("delete from nonce where used_at_ms < $1",
                                        {useless_before(now_ms)}));
            return {};
        });
    }

    db::Database& database_;
    std::atomic<UnixMs> purged_at_ms_{0};
};

}  // namespace

ReplayGuard::ReplayGuard(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ReplayGuard::ReplayGuard(ReplayGuard&&) noexcept = default;
ReplayGuard::~ReplayGuard() = default;

Result<ReplayGuard> ReplayGuard::open(const std::filesystem::path& file) {
    return guarded_sql(
        [&]() -> Result<ReplayGuard> { return ReplayGuard(std::make_unique<InFile>(file)); });
}

ReplayGuard ReplayGuard::in_database(db::Database& database) {
    return ReplayGuard(std::make_unique<InTable>(database));
}

Result<bool> ReplayGuard::first_use(std::string_view actor, std::string_view nonce, UnixMs now_ms) {
    return impl_->first_use(std::string(actor), std::string(nonce), now_ms);
}

}  // namespace a2h::market
