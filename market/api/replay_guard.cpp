#include "market/api/replay_guard.h"

#include <atomic>
#include <mutex>

#include "market/db/sqlite_connection.h"

namespace a2h::market {

struct ReplayGuard::Impl {
    virtual ~Impl() = default;
    virtual Result<bool> first_use(std::string_view actor, std::string_view nonce,
                                   UnixMs now_ms) = 0;
};

namespace {

constexpr UnixMs kPurgeEveryMs = 60 * 1000;

/// A timestamp may be one window in the future when it is used, and is refused one window later.
Result<void> purge(db::Transaction& transaction, UnixMs now_ms) {
    return transaction.statement("delete from nonce where used_at_ms < $1")
        .run(now_ms - 2 * ReplayGuard::kWindowMs);
}

Result<bool> add(db::Transaction& transaction, std::string_view actor, std::string_view nonce,
                 UnixMs now_ms) {
    return transaction
        .statement(
            "insert into nonce (actor, value, used_at_ms) values ($1, $2, $3)"
            " on conflict do nothing")
        .changes_a_row(actor, nonce, now_ms);
}

class InFile final : public ReplayGuard::Impl {
  public:
    explicit InFile(std::unique_ptr<db::SqliteConnection> file) : file_(std::move(file)) {}

    Result<bool> first_use(std::string_view actor, std::string_view nonce, UnixMs now_ms) override {
        const std::lock_guard lock(mutex_);
        bool is_new = false;
        const auto work = [&](db::Transaction& transaction) -> Result<void> {
            if (now_ms - purged_at_ms_ >= kPurgeEveryMs) {
                purged_at_ms_ = now_ms;
                A2H_TRY(purge(transaction, now_ms));
            }
            A2H_ASSIGN_OR_RETURN(is_new, add(transaction, actor, nonce, now_ms));
            return {};
        };
        A2H_TRY(file_->run(work));
        return is_new;
    }

  private:
    std::mutex mutex_;
    std::unique_ptr<db::SqliteConnection> file_;
    UnixMs purged_at_ms_ = 0;
};

class InTable final : public ReplayGuard::Impl {
  public:
    explicit InTable(db::Database& database) : database_(database) {}

    Result<bool> first_use(std::string_view actor, std::string_view nonce, UnixMs now_ms) override {
        UnixMs purged_at_ms = purged_at_ms_;
        // One of the threads that notice the end of the minute does it.
        if (now_ms - purged_at_ms >= kPurgeEveryMs &&
            purged_at_ms_.compare_exchange_strong(purged_at_ms, now_ms)) {
            A2H_TRY(database_.write(
                [&](db::Transaction& transaction) { return purge(transaction, now_ms); }));
        }
        return database_.write_as<bool>([&](db::Transaction& transaction) -> Result<bool> {
            A2H_TRY(transaction.execute("set local synchronous_commit = off", {}));
            return add(transaction, actor, nonce, now_ms);
        });
    }

  private:
    db::Database& database_;
    std::atomic<UnixMs> purged_at_ms_{0};
};

}  // namespace

ReplayGuard::ReplayGuard(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ReplayGuard::ReplayGuard(ReplayGuard&&) noexcept = default;
ReplayGuard::~ReplayGuard() = default;

Result<ReplayGuard> ReplayGuard::open(const std::filesystem::path& file) {
    A2H_ASSIGN_OR_RETURN(auto connection,
                         db::SqliteConnection::open(file, db::SqliteConnection::Mode::ReadWrite));
    A2H_TRY(connection->script(
        "pragma synchronous = normal; pragma cache_size = -2048;"
        " create table if not exists nonce (actor text not null, value text not null,"
        " used_at_ms integer not null, primary key (actor, value)) strict, without rowid;"
        " create index if not exists nonce_age on nonce(used_at_ms)"));
    return ReplayGuard(std::make_unique<InFile>(std::move(connection)));
}

ReplayGuard ReplayGuard::in_database(db::Database& database) {
    return ReplayGuard(std::make_unique<InTable>(database));
}

Result<bool> ReplayGuard::first_use(std::string_view actor, std::string_view nonce, UnixMs now_ms) {
    return impl_->first_use(actor, nonce, now_ms);
}

}  // namespace a2h::market
