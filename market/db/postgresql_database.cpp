#include <mutex>
#include <shared_mutex>

#include "core/base/clock.h"
#include "core/base/guarded.h"
#include "market/db/migrations.h"
#include "market/db/pool.h"
#include "market/db/postgresql_connection.h"

namespace a2h::market::db {
namespace {

using End = PostgresqlConnection::End;

constexpr int kRepeatsMax = 3;
constexpr const char* kBeginRead = "begin isolation level repeatable read read only";
constexpr const char* kBeginWrite = "begin isolation level serializable";
/// Read committed, so that each migration sees what the previous process has done.
constexpr const char* kBeginMigration = "begin isolation level read committed";
/// A number that no other program uses in this database.
constexpr const char* kLockMigrations = "select pg_advisory_xact_lock(4176001)";

class PostgresqlDatabase final : public Database {
  public:
    PostgresqlDatabase(std::string url, std::size_t connections_max)
        : url_(std::move(url)),
          pool_(connections_max, [this] { return PostgresqlConnection::open(url_); }) {}

    Result<void> read(const Work& work) override { return run(kBeginRead, work, false); }
    Result<void> write(const Work& work) override { return run(kBeginWrite, work, true); }
    Dialect dialect() const override { return Dialect::Postgresql; }
    Stats stats() const override;
    Result<void> migrate(Progress& progress);

  private:
    Result<void> run(const char* begin, const Work& work, bool writes);
    Result<PostgresqlConnection::Outcome> attempt(const char* begin, const Work& work);
    Result<PostgresqlConnection::Outcome> attempt_in_turn(const char* begin, const Work& work,
                                                          bool alone);
    void count(const PostgresqlConnection::Outcome& outcome, bool writes);

    const std::string url_;
    Pool<PostgresqlConnection> pool_;
    /// A write that conflicted with another one is repeated alone in this process, so that two
    /// writes do not use up their repeats on each other. It holds this mutex meanwhile, because
    /// otherwise a stream of other writes would prevent it for ever.
    std::mutex door_;
    std::shared_mutex writing_;
    Guarded<Stats> stats_;
};

Result<PostgresqlConnection::Outcome> PostgresqlDatabase::attempt(const char* begin,
                                                                  const Work& work) {
    A2H_ASSIGN_OR_RETURN(auto connection, pool_.take());
    auto outcome = connection->run(begin, work);
    if (outcome.end == End::Lost || outcome.end == End::InDoubt) {
        connection.drop();
        pool_.drop_idle();
    }
    return outcome;
}

Result<PostgresqlConnection::Outcome> PostgresqlDatabase::attempt_in_turn(const char* begin,
                                                                          const Work& work,
                                                                          bool alone) {
    std::unique_lock door(door_);
    if (alone) {
        const std::unique_lock turn(writing_);
        return attempt(begin, work);
    }
    const std::shared_lock turn(writing_);
    door.unlock();
    return attempt(begin, work);
}

Result<void> PostgresqlDatabase::run(const char* begin, const Work& work, bool writes) {
    for (int repeats = 0;; ++repeats) {
        A2H_ASSIGN_OR_RETURN(auto outcome, writes ? attempt_in_turn(begin, work, repeats > 0)
                                                  : attempt(begin, work));
        count(outcome, writes);
        const bool again = outcome.end == End::Repeat || outcome.end == End::Lost;
        if (!again || repeats == kRepeatsMax) return std::move(outcome.result);
        stats_.with([](Stats& stats) { ++stats.repeats; });
    }
}

void PostgresqlDatabase::count(const PostgresqlConnection::Outcome& outcome, bool writes) {
    if (!writes || outcome.end != End::Committed) return;
    stats_.with([&](Stats& stats) {
        ++stats.commits;
        ++stats.transactions;
        stats.commit_us += outcome.commit_us;
    });
}

Stats PostgresqlDatabase::stats() const {
    Stats stats = stats_.with([](const Stats& value) { return value; });
    stats.waiting = static_cast<std::int64_t>(pool_.waiting());
    return stats;
}

Result<void> apply(PostgresqlConnection& db, const Migration& migration) {
    const auto outcome = db.run(kBeginMigration, [&](Transaction&) -> Result<void> {
        A2H_TRY(db.script(kLockMigrations));
        A2H_ASSIGN_OR_RETURN(const auto present, db.query_one(sql::kNewestVersion, {}));
        // Another process may have applied it in the meantime.
        if (present->integer(0) >= migration.version) return {};
        A2H_TRY(db.script(migration.sql));
        auto row = db.execute(kInsertMigration, {std::int64_t{migration.version}, migration.name,
                                                 SystemClock().now_ms()});
        return row ? Result<void>() : fail(row.error());
    });
    if (outcome.result) return {};
    return fail(Error(outcome.result.error()).with_context(migration.name));
}

class PostgresqlTarget final : public sql::MigrationTarget {
  public:
    explicit PostgresqlTarget(PostgresqlConnection& db) : db_(db) {}

    Result<int> version() override {
        // `create table if not exists` fails if two processes do it at once.
        const auto created = db_.run(kBeginMigration, [&](Transaction&) -> Result<void> {
            A2H_TRY(db_.script(kLockMigrations));
            return db_.script(create_migration_table(Dialect::Postgresql));
        });
        A2H_TRY(created.result);
        std::int64_t present = 0;
        const auto asked = db_.run(kBeginRead, [&](Transaction& transaction) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(const auto newest, transaction.query_one(sql::kNewestVersion, {}));
            present = newest->integer(0);
            return {};
        });
        A2H_TRY(asked.result);
        return static_cast<int>(present);
    }
    std::string copy_before(int) const override { return {}; }
    Result<void> back_up(const std::string&) override { return {}; }
    Result<void> apply(const Migration& migration) override { return db::apply(db_, migration); }

  private:
    PostgresqlConnection& db_;
};

Result<void> PostgresqlDatabase::migrate(Progress& progress) {
    A2H_ASSIGN_OR_RETURN(auto db, pool_.take());
    PostgresqlTarget target(*db);
    A2H_TRY(sql::migrate(target, migrations(Dialect::Postgresql), "the database", progress));
    progress.end();
    return {};
}

}  // namespace

Result<std::unique_ptr<Database>> open_postgresql(const std::string& url, int connections_max,
                                                  Progress& progress) {
    auto database =
        std::make_unique<PostgresqlDatabase>(url, static_cast<std::size_t>(connections_max));
    A2H_TRY(database->migrate(progress));
    return std::unique_ptr<Database>(std::move(database));
}

}  // namespace a2h::market::db
