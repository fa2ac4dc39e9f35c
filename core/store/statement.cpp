#include "core/store/statement.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <cerrno>

#include "core/base/check.h"

namespace a2h::store {
namespace {

ErrorCode code_of(int code, int system_errno) {
    switch (code & 0xff) {
        case SQLITE_FULL:
        case SQLITE_NOMEM:
        case SQLITE_TOOBIG:
            return ErrorCode::ResourceExhausted;
        case SQLITE_IOERR:
            // An exceeded quota is reported as a device error.
            return system_errno == ENOSPC || system_errno == EDQUOT ? ErrorCode::ResourceExhausted
                                                                    : ErrorCode::Unavailable;
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_CANTOPEN:
        case SQLITE_READONLY:
        case SQLITE_PERM:
            return ErrorCode::Unavailable;
        case SQLITE_CONSTRAINT:
            return ErrorCode::Conflict;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return ErrorCode::Corrupt;
        default:
            return ErrorCode::Internal;
    }
}

}  // namespace

Error sqlite_error(sqlite3* handle, int code, std::string_view while_doing) {
    const int system_errno = handle != nullptr ? sqlite3_system_errno(handle) : 0;
    const char* words = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
    return Error{code_of(code, system_errno), "database: " + std::string(words)}.with_context(
        while_doing);
}

Database::Impl::Impl(std::unique_ptr<SQLite::Database> opened) : sqlite(std::move(opened)) {}
Database::Impl::~Impl() = default;

Error Database::Impl::failed(int code, std::string_view while_doing) {
    Error error = sqlite_error(sqlite->getHandle(), code, while_doing);
    if (error.code != ErrorCode::Conflict) disk_error = error;
    return error;
}

std::string Row::text(int column) const {
    return statement_.getColumn(column).getString();
}
std::string_view Row::text_view(int column) const {
    const SQLite::Column value = statement_.getColumn(column);
    const char* text = value.getText();
    return {text, static_cast<std::size_t>(value.getBytes())};
}
std::int64_t Row::integer(int column) const {
    return statement_.getColumn(column).getInt64();
}
bool Row::is_null(int column) const {
    return statement_.getColumn(column).isNull();
}

Statement::Statement(Database::Impl& database, const char* sql) : database_(database), sql_(sql) {}
Statement::~Statement() = default;

int Statement::changes() const {
    return database_.sqlite->getChanges();
}
std::int64_t Statement::last_id() const {
    return database_.sqlite->getLastInsertRowid();
}

template <typename Set>
void Statement::try_bind(Set set) {
    try {
        set(*prepared_);
    } catch (const SQLite::Exception& exception) {
        if (bind_code_ == 0) bind_code_ = exception.getErrorCode();
    }
}

void Statement::bind_one(int index, std::int64_t value) {
    try_bind([&](SQLite::Statement& statement) { statement.bind(index, value); });
}
// Not copied: the argument outlives the call, and the call ends with a reset.
void Statement::bind_one(int index, const std::string& value) {
    try_bind([&](SQLite::Statement& statement) { statement.bindNoCopy(index, value); });
}
void Statement::bind_one(int index, std::string_view value) {
    try_bind([&](SQLite::Statement& statement) { statement.bind(index, std::string(value)); });
}
void Statement::bind_one(int index, OrNull value) {
    return value.text.empty() ? bind_null(index) : bind_one(index, value.text);
}
void Statement::bind_null(int index) {
    try_bind([&](SQLite::Statement& statement) { statement.bind(index); });
}

int Statement::step() {
    return prepared_->tryExecuteStep();
}

Result<void> Statement::prepare(int value_count) {
    if (!prepared_) {
        try {
            prepared_ = std::make_unique<SQLite::Statement>(*database_.sqlite, sql_);
        } catch (const SQLite::Exception& exception) {
            return fail(database_.failed(exception.getErrorCode(), sql_));
        }
    }
    A2H_CHECK(prepared_->getBindParameterCount() == value_count);
    return {};
}

Result<void> Statement::finish(int code) {
    if (code == SQLITE_ROW || code == SQLITE_DONE) {
        prepared_->tryReset();
        return {};
    }
    Error error = database_.failed(code, std::string_view(sql_).substr(0, 60));
    prepared_->tryReset();
    return fail(std::move(error));
}

Unexpected Statement::corrupt(const std::string& bad_name) {
    prepared_->tryReset();
    return fail(ErrorCode::Corrupt, "database: unknown name \"" + bad_name + "\" in the rows of " +
                                        std::string(sql_).substr(0, 60));
}

}  // namespace a2h::store
