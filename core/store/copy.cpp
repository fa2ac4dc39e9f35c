#include "core/store/copy.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

#include "core/base/fd.h"
#include "core/store/database.h"
#include "core/store/migrate.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

/// Steps between two checks whether to continue; about a hundred thousand steps are made in a
/// second.
constexpr int kStepsBetweenChecks = 1'000;
/// How often another commit may happen between the two connections.
constexpr int kSnapshotTries = 500;
constexpr int kCopyBusyMs = 5'000;

class CopySource {
  public:
    explicit CopySource(const std::filesystem::path& file)
        : sqlite_(file.string(), SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX, kCopyBusyMs) {
        sqlite_.exec("pragma temp_store = memory");
    }
    SQLite::Database& sqlite() { return sqlite_; }

    /// Changes exactly with each new snapshot that this connection reads.
    unsigned int snapshot_number() {
        unsigned int number = 0;
        sqlite3_file_control(sqlite_.getHandle(), "main", SQLITE_FCNTL_DATA_VERSION, &number);
        return number;
    }
    void read_newest() { sqlite_.execAndGet("select count(*) from sqlite_schema"); }

  private:
    SQLite::Database sqlite_;
};

std::map<std::string, std::int64_t> count_rows(SQLite::Database& database) {
    std::map<std::string, std::int64_t> rows;
    SQLite::Statement tables(database,
                             "select name from sqlite_schema where type = 'table' "
                             "and name not like 'sqlite\\_%' escape '\\' order by name");
    while (tables.executeStep()) {
        const std::string name = tables.getColumn(0).getString();
        rows[name] = database.execAndGet("select count(*) from \"" + name + "\"").getInt64();
    }
    return rows;
}

/// Checks while SQLite copies; a copy of a different snapshot than the held one is abandoned.
struct CopyWatch {
    CopySource& source;
    unsigned int wanted = 0;
    std::stop_token stop;
    Progress& progress;
    const std::filesystem::path& target;
    std::uint64_t total = 0;

    static int check(void* self) {
        auto& watch = *static_cast<CopyWatch*>(self);
        std::error_code ignored;
        const auto done = std::filesystem::file_size(watch.target, ignored);
        if (!ignored) watch.progress.show("progress.backup", done, watch.total);
        return watch.stop.stop_requested() || watch.source.snapshot_number() != watch.wanted;
    }
};

int is_stopped(void* stop) {
    return static_cast<const std::stop_token*>(stop)->stop_requested();
}

Result<void> empty_file(const std::filesystem::path& file) {
    const Fd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (fd) return {};
    return fail(
        errno == ENOSPC || errno == EDQUOT ? ErrorCode::ResourceExhausted : ErrorCode::Unavailable,
        "cannot write " + file.string() + ": " + std::strerror(errno));
}

Result<void> flush_file(const std::filesystem::path& file) {
    const Fd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd && ::fsync(fd.get()) == 0) return {};
    return fail(
        errno == ENOSPC || errno == EDQUOT ? ErrorCode::ResourceExhausted : ErrorCode::Unavailable,
        "cannot flush " + file.string() + ": " + std::strerror(errno));
}

/// The rows of the copied snapshot; nullopt if another commit happened in between.
std::optional<std::map<std::string, std::int64_t>> try_copy(const std::filesystem::path& source,
                                                            const std::filesystem::path& target,
                                                            Progress& progress,
                                                            std::stop_token stop) {
    CopySource copier(source);
    CopySource holder(source);
    copier.read_newest();
    const unsigned int wanted = copier.snapshot_number();
    // From here on the holder keeps a snapshot. If the copier reads nothing newer, both are the
    // same.
    holder.sqlite().exec("begin");
    holder.read_newest();
    CopyWatch watch{copier, wanted, stop, progress, target, 0};
    watch.total =
        static_cast<std::uint64_t>(holder.sqlite().execAndGet("pragma page_count").getInt64() *
                                   holder.sqlite().execAndGet("pragma page_size").getInt64());
    SQLite::Statement vacuum(copier.sqlite(), "vacuum into ?");
    vacuum.bind(1, target.string());
    sqlite3_progress_handler(copier.sqlite().getHandle(), kStepsBetweenChecks, CopyWatch::check,
                             &watch);
    try {
        vacuum.exec();
    } catch (const SQLite::Exception& exception) {
        const bool is_other = exception.getErrorCode() == SQLITE_INTERRUPT;
        if (is_other && !stop.stop_requested()) return std::nullopt;
        throw;
    }
    if (copier.snapshot_number() != wanted) return std::nullopt;
    progress.show("progress.check", 0, 0);
    return count_rows(holder.sqlite());
}

Error copy_error(const SQLite::Exception& exception, std::string_view doing) {
    if (exception.getErrorCode() == SQLITE_INTERRUPT)
        return {ErrorCode::Timeout, std::string(doing) + " was stopped"};
    Error error = sqlite_error(nullptr, exception.getErrorCode(), doing);
    error.message += std::string(" (") + exception.what() + ")";
    return error;
}

Result<void> find_faults(SQLite::Database& database, const std::filesystem::path& file) {
    SQLite::Statement integrity(database, "pragma integrity_check(1)");
    integrity.executeStep();
    const std::string answer = integrity.getColumn(0).getString();
    if (answer != "ok") return fail(ErrorCode::Corrupt, file.string() + " is damaged: " + answer);
    SQLite::Statement references(database, "pragma foreign_key_check");
    if (!references.executeStep()) return {};
    return fail(ErrorCode::Corrupt, file.string() + ": a row of " +
                                        references.getColumn(0).getString() +
                                        " refers to a row that does not exist");
}

Error difference(const std::map<std::string, std::int64_t>& wanted,
                 const std::map<std::string, std::int64_t>& found) {
    for (const auto& [table, rows] : wanted) {
        const auto same = found.find(table);
        const std::int64_t copied = same == found.end() ? 0 : same->second;
        if (copied != rows) {
            return {ErrorCode::Corrupt, "the copy has " + std::to_string(copied) + " rows of " +
                                            table + " instead of " + std::to_string(rows)};
        }
    }
    return {ErrorCode::Corrupt, "the copy has different tables"};
}

}  // namespace

Result<CopyReport> copy_database(const std::filesystem::path& source,
                                 const std::filesystem::path& target, Progress& progress,
                                 std::stop_token stop) try {
    for (int tries = 0; tries < kSnapshotTries; ++tries) {
        A2H_TRY(empty_file(target));
        const auto rows = try_copy(source, target, progress, stop);
        if (!rows) continue;
        A2H_TRY(flush_file(target));
        auto report = check_database(target, progress, stop);
        if (!report) return report;
        if (report->rows != *rows) return fail(difference(*rows, report->rows));
        return report;
    }
    return fail(ErrorCode::Unavailable,
                "the database is written to without a pause; try again when there is less mail");
} catch (const SQLite::Exception& exception) {
    return fail(copy_error(exception, "copying " + source.string()));
}

Result<CopyReport> check_database(const std::filesystem::path& file, Progress& progress,
                                  std::stop_token stop) try {
    progress.show("progress.check", 0, 0);
    SQLite::Database database(file.string(), SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX,
                              kCopyBusyMs);
    sqlite3_progress_handler(database.getHandle(), kStepsBetweenChecks, is_stopped, &stop);
    A2H_ASSIGN_OR_RETURN(const auto version, schema_version(database));
    if (version == 0) return fail(ErrorCode::Corrupt, file.string() + " is empty");
    if (version > Database::schema_version_newest()) {
        return fail(ErrorCode::Unsupported,
                    file.string() + " was written by a newer version of this program (schema " +
                        std::to_string(version) + ", this one knows " +
                        std::to_string(Database::schema_version_newest()) + ")");
    }
    A2H_TRY(find_faults(database, file));
    return CopyReport{version, count_rows(database)};
} catch (const SQLite::Exception& exception) {
    return fail(copy_error(exception, "checking " + file.string()));
}

}  // namespace a2h::store
