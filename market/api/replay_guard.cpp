#include "market/api/replay_guard.h"

#include <atomic>
#include <mutex>

#include "market/db/sqlite_connection.h"
#include "market/store/nonce_store.h"

namespace a2h::market {

struct ReplayGuard::Impl {
    virtual ~Impl() = default;
    virtual Result<bool> first_use(std::string_view actor, std::string_view nonce,
                                   UnixMs now_ms) = 0;
};

namespace {

constexpr UnixMs kPurgeEveryMs = 60 * 1000;

/// A timestamp may be one window in the future when it is used, and is refused one window later.
UnixMs acceptable_since(UnixMs now_ms) {
    return now_ms - 2 * ReplayGuard::kWindowMs;
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
                A2H_TRY(store::forget_nonces(transaction, acceptable_since(now_ms)));
            }
            A2H_ASSIGN_OR_RETURN(is_new, store::add_nonce(transaction, actor, nonce, now_ms));
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
            A2H_TRY(database_.write_with(store::forget_nonces, acceptable_since(now_ms)));
        }
        return database_.write_as<bool>([&](db::Transaction& transaction) -> Result<bool> {
            A2H_TRY(transaction.execute("set local synchronous_commit = off", {}));
            return store::add_nonce(transaction, actor, nonce, now_ms);
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
    A2H_TRY(store::make_nonce_file(*connection));
    return ReplayGuard(std::make_unique<InFile>(std::move(connection)));
}

ReplayGuard ReplayGuard::in_database(db::Database& database) {
    return ReplayGuard(std::make_unique<InTable>(database));
}

Result<bool> ReplayGuard::first_use(std::string_view actor, std::string_view nonce, UnixMs now_ms) {
    return impl_->first_use(actor, nonce, now_ms);
}

}  // namespace a2h::market
