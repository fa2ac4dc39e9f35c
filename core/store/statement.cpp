#include "core/store/statement.h"

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
            // A quota is reported as a broken device.
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

Error Database::Impl::failed(int code, std::string_view while_doing) {
    Error error = sqlite_error(sqlite.getHandle(), code, while_doing);
    if (error.code != ErrorCode::Conflict) disk_error = error;
    return error;
}

Result<void> Statement::prepare(int value_count) {
    if (!prepared_) {
        try {
            prepared_.emplace(database_.sqlite, sql_);
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
