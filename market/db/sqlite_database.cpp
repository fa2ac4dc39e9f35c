#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "core/base/clock.h"
#include "core/base/fd.h"
#include "market/db/migrations.h"
#include "market/db/pool.h"
#include "market/db/sqlite_connection.h"

namespace a2h::market::db {
namespace {

/// More than there are threads, so that nobody waits; connections are opened when needed.
constexpr std::size_t kReadersMax = 300;
/// More than there are waiting threads; limits how long the first of a group waits.
constexpr std::size_t kGroupMax = 256;

Result<std::int64_t> present_version(SqliteConnection& db) {
    A2H_ASSIGN_OR_RETURN(
        auto table,
        db.query_one(
            "select count(*), count(*) filter (where name = 'schema_migration') from sqlite_schema",
            {}));
    if (table->integer(1) == 0) {
        if (table->integer(0) == 0) return 0;
        return fail(ErrorCode::Corrupt, "this is not a database of a2h-market");
    }
    A2H_ASSIGN_OR_RETURN(auto newest, db.query_one(sql::kNewestVersion, {}));
    return newest->integer(0);
}

Result<void> apply(SqliteConnection& db, const Migration& migration) {
    A2H_TRY(db.control("begin immediate"));
    const auto result = [&]() -> Result<void> {
        // Another process may have applied it in the meantime.
        A2H_ASSIGN_OR_RETURN(const auto present, present_version(db));
        if (present >= migration.version) return {};
        A2H_TRY(db.script(create_migration_table(Dialect::Sqlite)));
        A2H_TRY(db.script(migration.sql));
        auto row = db.execute(kInsertMigration, {std::int64_t{migration.version}, migration.name,
                                                 SystemClock().now_ms()});
        return row ? Result<void>() : fail(row.error());
    }();
    if (result) return db.control("commit");
    if (db.in_transaction()) A2H_TRY(db.control("rollback"));
    return fail(Error(result.error()).with_context(migration.name));
}

class SqliteTarget final : public sql::MigrationTarget {
  public:
    SqliteTarget(SqliteConnection& db, std::string file) : db_(db), file_(std::move(file)) {}

    Result<int> version() override {
        A2H_ASSIGN_OR_RETURN(const auto present, present_version(db_));
        return static_cast<int>(present);
    }
    std::string copy_before(int version) const override {
        return file_ + ".before-" + std::to_string(version);
    }
    Result<void> back_up(const std::string& copy) override { return db_.back_up(copy); }
    Result<void> apply(const Migration& migration) override { return db::apply(db_, migration); }

  private:
    SqliteConnection& db_;
    const std::string file_;
};

/// Held while the schema is checked and changed: another program that starts must not take a partly
/// migrated database for an old one and back it up.
class MigrationLock {
  public:
    static Result<MigrationLock> wait_for(const std::filesystem::path& file) {
        const std::string name = file.string() + ".migrating";
        Fd fd(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        if (!fd) return fail(ErrorCode::Unavailable, "cannot open " + name);
        int result = 0;
        do {
            result = ::flock(fd.get(), LOCK_EX);
        } while (result != 0 && errno == EINTR);
        if (result != 0) return fail(ErrorCode::Unavailable, "cannot lock " + name);
        return MigrationLock(std::move(fd));
    }

  private:
    explicit MigrationLock(Fd fd) : fd_(std::move(fd)) {}
    Fd fd_;
};

/// A write that waits for its group. It is on the stack of the waiting thread.
struct Job {
    const Database::Work& work;
    Result<void> result{};
    bool done = false;
};

class SqliteDatabase final : public Database {
  public:
    SqliteDatabase(std::filesystem::path file, std::unique_ptr<SqliteConnection> writer)
        : file_(std::move(file)), writer_(std::move(writer)) {}

    Result<void> read(const Work& work) override;
    Result<void> write(const Work& work) override;
    Dialect dialect() const override { return Dialect::Sqlite; }
    Stats stats() const override;

  private:
    void lead(std::unique_lock<std::mutex>& lock);
    void commit(const std::vector<Job*>& group);
    Result<void> run_alone(Job& job);
    Result<void> run_together(const std::vector<Job*>& group);

    const std::filesystem::path file_;
    std::unique_ptr<SqliteConnection> writer_;  ///< used only by the leader
    Pool<SqliteConnection> readers_{
        kReadersMax,
        [this] { return SqliteConnection::open(file_, SqliteConnection::Mode::ReadOnly); }};

    mutable std::mutex mutex_;
    std::condition_variable done_;
    std::vector<Job*> waiting_;
    bool has_leader_ = false;
    Stats stats_;
};

Result<void> SqliteDatabase::read(const Work& work) {
    A2H_ASSIGN_OR_RETURN(auto reader, readers_.take());
    A2H_TRY(reader->begin_or_keep_snapshot());
    auto result = reader->run(work);
    if (!result) reader->end_snapshot();
    return result;
}

/// The first thread becomes the leader: it runs all waiting writes, commits them together, and
/// passes the role on to the next waiting one. So one fsync serves all writes that arrived during
/// the previous one.
Result<void> SqliteDatabase::write(const Work& work) {
    Job job{work};
    std::unique_lock lock(mutex_);
    waiting_.push_back(&job);
    while (!job.done) {
        done_.wait(lock, [&] { return job.done || !has_leader_; });
        if (!job.done) lead(lock);
    }
    return std::move(job.result);
}

void SqliteDatabase::lead(std::unique_lock<std::mutex>& lock) {
    has_leader_ = true;
    const auto count = static_cast<std::ptrdiff_t>(std::min(waiting_.size(), kGroupMax));
    const std::vector<Job*> group(waiting_.begin(), waiting_.begin() + count);
    waiting_.erase(waiting_.begin(), waiting_.begin() + count);
    lock.unlock();
    const auto begin = std::chrono::steady_clock::now();
    commit(group);
    const auto took = std::chrono::steady_clock::now() - begin;
    // Nobody will use the older snapshots, and they prevent the log from being reset.
    readers_.for_each_idle([](SqliteConnection& reader) { reader.end_snapshot(); });
    lock.lock();
    has_leader_ = false;
    for (Job* each : group)
        each->done = true;
    stats_.commits += 1;
    stats_.transactions += group.size();
    stats_.commit_us += std::chrono::duration_cast<std::chrono::microseconds>(took).count();
    done_.notify_all();
}

void SqliteDatabase::commit(const std::vector<Job*>& group) {
    auto result = writer_->control("begin immediate");
    if (result) result = group.size() == 1 ? run_alone(*group[0]) : run_together(group);
    if (result && writer_->in_transaction()) result = writer_->control("commit");
    if (writer_->in_transaction()) {
        // SQLite can always roll back.
        const auto rolled_back = writer_->control("rollback");
        A2H_CHECK(rolled_back || !writer_->in_transaction());
    }
    if (result) return;
    for (Job* job : group) {
        if (job->result) job->result = result;
    }
}

Result<void> SqliteDatabase::run_alone(Job& job) {
    job.result = writer_->run(job.work);
    return job.result;
}

/// An error of one write undoes only that one. On a full disk SQLite rolls back the transaction of
/// all.
Result<void> SqliteDatabase::run_together(const std::vector<Job*>& group) {
    for (Job* job : group) {
        A2H_TRY(writer_->control("savepoint job"));
        job->result = writer_->run(job->work);
        if (!writer_->in_transaction()) {
            return job->result ? fail(ErrorCode::Unavailable, "the transaction was given up")
                               : job->result;
        }
        if (!job->result) A2H_TRY(writer_->control("rollback to job"));
        A2H_TRY(writer_->control("release job"));
    }
    return {};
}

Stats SqliteDatabase::stats() const {
    const std::lock_guard lock(mutex_);
    Stats stats = stats_;
    stats.waiting = static_cast<std::int64_t>(waiting_.size() + readers_.waiting());
    return stats;
}

}  // namespace

Result<std::unique_ptr<Database>> open_sqlite(const std::filesystem::path& file,
                                              Progress& progress) {
    A2H_ASSIGN_OR_RETURN(const auto lock, MigrationLock::wait_for(file));
    A2H_ASSIGN_OR_RETURN(auto writer,
                         SqliteConnection::open(file, SqliteConnection::Mode::ReadWrite));
    SqliteTarget target(*writer, file.string());
    A2H_TRY(sql::migrate(target, migrations(Dialect::Sqlite), "the database", progress));
    progress.end();
    return std::unique_ptr<Database>(std::make_unique<SqliteDatabase>(file, std::move(writer)));
}

}  // namespace a2h::market::db
