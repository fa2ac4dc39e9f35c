#include "core/store/database.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/store/migrate.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

// In WAL mode a reader waits only while another process recovers the WAL, and must not delay the
// loop longer than this. The writer's wait stays below the 2 s within which a received message has
// to be committed.
constexpr int kReaderBusyMs = 50;
constexpr int kWriterBusyMs = 1'000;

/// Settings of the process. SQLite counts its memory under a lock that every allocation of every
/// connection takes; the count is not needed. Must be called before SQLite's first use.
void set_process_options() {
    static const int status = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    static_cast<void>(status);
}

/// All settings of a connection; they are set nowhere else.
void set_pragmas(SQLite::Database& database, Database::Mode mode) {
    if (mode == Database::Mode::ReadWrite) {
        database.exec("pragma journal_mode = wal");
        // One fdatasync for each commit, before it is reported as stored.
        database.exec("pragma synchronous = full");
        database.exec("pragma foreign_keys = on");
        // The Writer checkpoints between commits when nobody waits, not inside a commit.
        database.exec("pragma wal_autocheckpoint = 0");
        // More than the size to which the Writer lets the WAL grow. A file that is overwritten in
        // place needs no new blocks: its fdatasync took 170 us here, against 350 us for a growing
        // file.
        database.exec("pragma journal_size_limit = 33554432");
        database.exec("pragma cache_size = -4096");
    } else {
        database.exec("pragma query_only = on");
        database.exec("pragma cache_size = -2048");
    }
    database.exec("pragma temp_store = memory");
    database.exec("pragma mmap_size = 0");
}

/// SQLite gives its other files the mode of the first one. Only the owner may read the mail.
Result<void> create_private(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) {
        const ErrorCode code = errno == ENOSPC || errno == EDQUOT ? ErrorCode::ResourceExhausted
                                                                  : ErrorCode::Unavailable;
        return fail(code, "cannot open " + path.string() + ": " + std::strerror(errno));
    }
    ::close(fd);
    return {};
}

int note_wal_pages(void* impl, sqlite3*, const char*, int pages) {
    static_cast<Database::Impl*>(impl)->wal_pages = pages;
    return SQLITE_OK;
}

Result<void> check_readable(SQLite::Database& database, const std::filesystem::path& path) {
    A2H_ASSIGN_OR_RETURN(const auto version, schema_version(database));
    if (version == Database::schema_version_newest()) return {};
    return fail(ErrorCode::Unsupported, path.string() + " has schema " + std::to_string(version) +
                                            ", not " +
                                            std::to_string(Database::schema_version_newest()));
}

}  // namespace

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() {
    impl_->statements.clear();
}

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& path, Mode mode,
                                                 Progress& progress) {
    set_process_options();
    const bool writes = mode == Mode::ReadWrite;
    if (writes) A2H_TRY(create_private(path));
    try {
        // By contract one thread uses it at a time, so SQLite needs no locks of its own.
        const int flags = (writes ? SQLite::OPEN_READWRITE : SQLite::OPEN_READONLY);
        auto impl = std::make_unique<Impl>(std::make_unique<SQLite::Database>(
            path.string(), flags | SQLite::OPEN_NOMUTEX, writes ? kWriterBusyMs : kReaderBusyMs));
        // Checked before any PRAGMA, because a newer program's file must not be changed.
        if (writes)
            A2H_TRY(migrate(*impl->sqlite, path, embedded_migrations(), progress));
        else
            A2H_TRY(check_readable(*impl->sqlite, path));
        set_pragmas(*impl->sqlite, mode);
        sqlite3_wal_hook(impl->sqlite->getHandle(), note_wal_pages, impl.get());
        return std::unique_ptr<Database>(new Database(std::move(impl)));
    } catch (const SQLite::Exception& exception) {
        return fail(sqlite_error(nullptr, exception.getErrorCode(), "opening " + path.string()));
    }
}

int Database::schema_version_newest() {
    static const int newest = embedded_migrations().back().version;
    return newest;
}

Statement& Database::statement(const char* sql) {
    auto& cached = impl_->statements[sql];
    if (!cached) cached = std::make_unique<Statement>(*impl_, sql);
    return *cached;
}

Result<void> Database::savepoint(const std::function<Result<void>()>& work) {
    static constexpr const char* kSavepoint = "savepoint work";
    static constexpr const char* kRelease = "release work";
    static constexpr const char* kRollback = "rollback to work";
    A2H_TRY(statement(kSavepoint).run());
    auto result = work();
    if (result) return statement(kRelease).run();
    // On a full disk SQLite may roll back the whole transaction by itself; then there is nothing to
    // undo.
    if (!in_transaction()) return result;
    A2H_TRY(statement(kRollback).run());
    A2H_TRY(statement(kRelease).run());
    return result;
}

bool Database::in_transaction() const {
    return sqlite3_get_autocommit(impl_->sqlite->getHandle()) == 0;
}

Result<void> Database::begin() {
    static constexpr const char* kBegin = "begin immediate";
    return statement(kBegin).run();
}

Result<void> Database::commit() {
    static constexpr const char* kCommit = "commit";
    auto result = statement(kCommit).run();
    if (!result) rollback();
    return result;
}

void Database::rollback() {
    static constexpr const char* kRollback = "rollback";
    if (!in_transaction()) return;
    const auto result = statement(kRollback).run();
    // SQLite can always roll back.
    A2H_CHECK(result.has_value() || !in_transaction());
}

int Database::wal_pages() const {
    return impl_->wal_pages;
}

void Database::checkpoint() {
    // Pages that cannot be written back now stay in the WAL until the next commit.
    sqlite3_wal_checkpoint_v2(impl_->sqlite->getHandle(), nullptr, SQLITE_CHECKPOINT_PASSIVE,
                              nullptr, nullptr);
}

}  // namespace a2h::store
