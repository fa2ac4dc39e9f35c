#include "market/db/sqlite_connection.h"

#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>

#include "core/base/text.h"

namespace a2h::market::db {
namespace {

constexpr int kBusyTimeoutMs = 5000;
/// Filters produce different texts. With more statements than this, all are prepared again.
constexpr std::size_t kStatementsMax = 256;

bool is_key_violation(int extended) {
    return extended == SQLITE_CONSTRAINT_UNIQUE || extended == SQLITE_CONSTRAINT_PRIMARYKEY ||
           extended == SQLITE_CONSTRAINT_ROWID || extended == SQLITE_CONSTRAINT_FOREIGNKEY;
}

ErrorCode code_of(sqlite3* handle, int code) {
    switch (code & 0xff) {
        case SQLITE_CONSTRAINT:
            return is_key_violation(sqlite3_extended_errcode(handle)) ? ErrorCode::Conflict
                                                                      : ErrorCode::Internal;
        case SQLITE_FULL:
        case SQLITE_NOMEM:
            return ErrorCode::ResourceExhausted;
        case SQLITE_IOERR:
            return sqlite3_system_errno(handle) == ENOSPC ? ErrorCode::ResourceExhausted
                                                          : ErrorCode::Unavailable;
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_CANTOPEN:
        case SQLITE_READONLY:
            return ErrorCode::Unavailable;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return ErrorCode::Corrupt;
        case SQLITE_TOOBIG:
            return ErrorCode::InvalidArgument;
        default:
            return ErrorCode::Internal;
    }
}

Error error_of(sqlite3* handle, int code) {
    return {code_of(handle, code), std::string("database: ") + sqlite3_errmsg(handle)};
}

Value read_column(sqlite3_stmt* statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
        case SQLITE_NULL:
            return nullptr;
        case SQLITE_INTEGER:
            return std::int64_t{sqlite3_column_int64(statement, column)};
        default: {
            const auto* text = sqlite3_column_blob(statement, column);
            const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
            return std::string(static_cast<const char*>(text), text == nullptr ? 0 : size);
        }
    }
}

Row read_row(sqlite3_stmt* statement) {
    std::vector<Value> values;
    const int count = sqlite3_column_count(statement);
    values.reserve(static_cast<std::size_t>(count));
    for (int column = 0; column < count; ++column)
        values.push_back(read_column(statement, column));
    return Row(std::move(values));
}

/// "$3" → 2
std::size_t position_of(const char* name) {
    const std::string_view text = name == nullptr ? "" : name;
    std::size_t number = 0;
    const auto [end, error] =
        std::from_chars(text.data() + !text.empty(), text.data() + text.size(), number);
    A2H_CHECK(text.starts_with('$') && error == std::errc() && end == text.data() + text.size() &&
              number > 0);
    return number - 1;
}

}  // namespace

Result<std::unique_ptr<SqliteConnection>> SqliteConnection::open(const std::filesystem::path& file,
                                                                 Mode mode) {
    const int flags =
        mode == Mode::ReadWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    std::unique_ptr<SqliteConnection> connection(new SqliteConnection(handle));
    if (code != SQLITE_OK) {
        return fail(Error(error_of(handle, code)).with_context(file.string()));
    }
    sqlite3_busy_timeout(handle, kBusyTimeoutMs);
    A2H_TRY(connection->set_pragmas(mode));
    return connection;
}

SqliteConnection::~SqliteConnection() {
    forget_statements();
    sqlite3_close(handle_);
}

Result<void> SqliteConnection::set_pragmas(Mode mode) {
    if (mode == Mode::ReadOnly) return script("pragma query_only = on; pragma cache_size = -2048");
    return script(
        "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;"
        " pragma journal_size_limit = 33554432; pragma cache_size = -8192;"
        " pragma temp_store = memory");
}

Result<void> SqliteConnection::script(const std::string& sql) {
    const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return fail(failed(code));
    return {};
}

Error SqliteConnection::failed(int code) const {
    return error_of(handle_, code);
}

bool SqliteConnection::in_transaction() const {
    return sqlite3_get_autocommit(handle_) == 0;
}

void SqliteConnection::forget_statements() {
    for (auto& [sql, prepared] : statements_)
        sqlite3_finalize(prepared.statement);
    statements_.clear();
}

Result<SqliteConnection::Prepared*> SqliteConnection::prepare(std::string_view sql) {
    const auto found = statements_.find(sql);
    if (found != statements_.end()) return &found->second;
    if (statements_.size() >= kStatementsMax) forget_statements();
    Prepared prepared;
    const char* rest = nullptr;
    const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &prepared.statement, &rest);
    if (code != SQLITE_OK) return fail(failed(code));
    A2H_CHECK(rest == sql.data() + sql.size());  // one statement
    for (int i = 1; i <= sqlite3_bind_parameter_count(prepared.statement); ++i)
        prepared.parameters.push_back(
            position_of(sqlite3_bind_parameter_name(prepared.statement, i)));
    return &statements_.emplace(std::string(sql), std::move(prepared)).first->second;
}

Result<void> SqliteConnection::bind(const Prepared& prepared,
                                    const std::vector<Value>& parameters) {
    for (std::size_t i = 0; i < prepared.parameters.size(); ++i) {
        A2H_CHECK(prepared.parameters[i] < parameters.size());
        const Value& value = parameters[prepared.parameters[i]];
        const int index = static_cast<int>(i) + 1;
        int code = SQLITE_OK;
        if (const auto* number = std::get_if<std::int64_t>(&value)) {
            code = sqlite3_bind_int64(prepared.statement, index, *number);
        } else if (const auto* text = std::get_if<std::string>(&value)) {
            // PostgreSQL accepts neither, so they are refused for SQLite as well.
            if (text->find('\0') != std::string::npos || !is_utf8(*text)) {
                return fail(ErrorCode::InvalidArgument, "a text is not UTF-8 or holds a NUL");
            }
            code = sqlite3_bind_text64(prepared.statement, index, text->data(), text->size(),
                                       SQLITE_STATIC, SQLITE_UTF8);
        } else {
            code = sqlite3_bind_null(prepared.statement, index);
        }
        if (code != SQLITE_OK) return fail(failed(code));
    }
    return {};
}

Result<std::vector<Row>> SqliteConnection::run_statement(std::string_view sql,
                                                         const std::vector<Value>& parameters) {
    A2H_ASSIGN_OR_RETURN(const auto prepared, prepare(sql));
    sqlite3_stmt* statement = prepared->statement;
    std::vector<Row> rows;
    auto bound = bind(*prepared, parameters);
    int code = SQLITE_ROW;
    while (bound && (code = sqlite3_step(statement)) == SQLITE_ROW)
        rows.push_back(read_row(statement));
    // The error is described before the reset, which clears it. The parameters are unbound because
    // the caller owns them.
    std::optional<Error> error;
    if (!bound) error = bound.error();
    if (bound && code != SQLITE_DONE) error = failed(code);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    if (error) return fail(std::move(*error));
    return rows;
}

Result<std::vector<Row>> SqliteConnection::query(std::string_view sql,
                                                 const std::vector<Value>& parameters) {
    if (broken_) return fail(*broken_);
    auto rows = run_statement(sql, parameters);
    if (!rows) broken_ = rows.error();
    return rows;
}

Result<std::int64_t> SqliteConnection::execute(std::string_view sql,
                                               const std::vector<Value>& parameters) {
    A2H_TRY(query(sql, parameters));
    return std::int64_t{sqlite3_changes64(handle_)};
}

Result<void> SqliteConnection::control(std::string_view sql) {
    A2H_TRY(run_statement(sql, {}));
    return {};
}

Result<void> SqliteConnection::run(const Database::Work& work) {
    broken_.reset();
    Result<void> result;
    try {
        result = work(*this);
    } catch (const std::exception& e) {
        result = fail(ErrorCode::Internal, std::string("database: the work threw ") + e.what());
    }
    if (result && broken_) result = fail(*broken_);
    broken_.reset();
    return result;
}

std::optional<SqliteConnection::LogHeader> SqliteConnection::log_header() {
    if (log_index_ == nullptr) {
        constexpr int kRegionBytes = 32 * 1024;
        sqlite3_file* file = nullptr;
        void volatile* region = nullptr;
        const bool found =
            sqlite3_file_control(handle_, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK &&
            file->pMethods != nullptr && file->pMethods->iVersion >= 2;
        if (found) file->pMethods->xShmMap(file, 0, kRegionBytes, 0, &region);
        log_index_ = static_cast<std::uint32_t*>(const_cast<void*>(region));
        if (log_index_ == nullptr) return std::nullopt;
    }
    LogHeader header;
    for (std::size_t i = 0; i < header.size(); ++i)
        header[i] = std::atomic_ref(log_index_[i]).load(std::memory_order_acquire);
    // A commit writes the second copy first, so if both are equal, neither is incomplete.
    const auto middle = header.begin() + kLogHeaderWords / 2;
    if (!std::equal(header.begin(), middle, middle)) return std::nullopt;
    return header;
}

Result<void> SqliteConnection::begin_or_keep_snapshot() {
    const auto now = log_header();
    if (in_transaction()) {
        if (now && now == snapshot_of_) return {};
        A2H_TRY(control("rollback"));
    }
    // Read before the transaction begins: at worst the snapshot is newer than recorded.
    snapshot_of_ = now;
    return control("begin");
}

void SqliteConnection::end_snapshot() {
    if (!in_transaction()) return;
    // Rolling back a transaction that only read ends it even if an error is returned.
    [[maybe_unused]] const auto ignored = control("rollback");
}

Result<void> SqliteConnection::back_up(const std::filesystem::path& target) {
    const std::filesystem::path partial = target.string() + ".partial";
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    {
        A2H_ASSIGN_OR_RETURN(auto copy, open(partial, Mode::ReadWrite));
        sqlite3* to = copy->handle_;
        sqlite3_backup* backup = sqlite3_backup_init(to, "main", handle_, "main");
        if (backup == nullptr) return fail(error_of(to, sqlite3_errcode(to)));
        sqlite3_backup_step(backup, -1);
        const int code = sqlite3_backup_finish(backup);
        if (code != SQLITE_OK) return fail(error_of(to, code));
        // A single file without its log files.
        A2H_TRY(copy->script("pragma journal_mode = delete"));
    }
    std::error_code error;
    std::filesystem::rename(partial, target, error);
    if (error) return fail(ErrorCode::Unavailable, "backup: " + error.message());
    return {};
}

}  // namespace a2h::market::db
