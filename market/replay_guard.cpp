#include "market/replay_guard.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <mutex>

#include "market/sqlite.h"

namespace a2h::market {
namespace {

constexpr UnixMs kPurgeEveryMs = 60 * 1000;

}  // namespace

struct ReplayGuard::Impl {
    std::mutex mutex;
    std::unique_ptr<SQLite::Database> db;
    std::unique_ptr<SQLite::Statement> insert;
    UnixMs purged_at_ms = 0;

    void purge(UnixMs now_ms) {
        if (now_ms - purged_at_ms < kPurgeEveryMs) return;
        purged_at_ms = now_ms;
        // A timestamp may be a window ahead when it is used and is refused a window later.
        SQLite::Statement remove(*db, "delete from nonce where used_at_ms < ?");
        remove.bind(1, now_ms - 2 * kWindowMs);
        remove.exec();
    }
};

ReplayGuard::ReplayGuard(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ReplayGuard::ReplayGuard(ReplayGuard&&) noexcept = default;
ReplayGuard::~ReplayGuard() = default;

Result<ReplayGuard> ReplayGuard::open(const std::filesystem::path& file) {
    return guarded_sql([&]() -> Result<ReplayGuard> {
        auto impl = std::make_unique<Impl>();
        impl->db = open_sqlite(file, Durability::Crash);
        impl->db->exec(
            "create table if not exists nonce (actor text not null, value text not null,"
            " used_at_ms integer not null, primary key (actor, value)) strict, without rowid");
        impl->db->exec("create index if not exists nonce_age on nonce(used_at_ms)");
        impl->insert = std::make_unique<SQLite::Statement>(
            *impl->db, "insert into nonce values (?, ?, ?) on conflict do nothing");
        return ReplayGuard(std::move(impl));
    });
}

Result<bool> ReplayGuard::first_use(std::string_view actor, std::string_view nonce, UnixMs now_ms) {
    const std::lock_guard lock(impl_->mutex);
    return guarded_sql([&]() -> Result<bool> {
        impl_->purge(now_ms);
        impl_->insert->reset();
        SQLite::bind(*impl_->insert, std::string(actor), std::string(nonce), now_ms);
        return impl_->insert->exec() == 1;
    });
}

}  // namespace a2h::market
