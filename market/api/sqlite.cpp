#include "market/api/sqlite.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <exception>
#include <new>

namespace a2h::market {
namespace {

constexpr int kBusyTimeoutMs = 5000;

ErrorCode code_of(int sqlite_code) {
    switch (sqlite_code) {
        case SQLITE_FULL:
        case SQLITE_NOMEM:
            return ErrorCode::ResourceExhausted;
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_CANTOPEN:
        case SQLITE_READONLY:
        case SQLITE_IOERR:
            return ErrorCode::Unavailable;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return ErrorCode::Corrupt;
        default:
            return ErrorCode::Internal;
    }
}

}  // namespace

std::unique_ptr<SQLite::Database> open_sqlite(const std::filesystem::path& file,
                                              Durability durability) {
    auto db = std::make_unique<SQLite::Database>(
        file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
    db->exec("pragma journal_mode = wal");
    db->exec(durability == Durability::PowerLoss ? "pragma synchronous = full"
                                                 : "pragma synchronous = normal");
    db->exec("pragma foreign_keys = on");
    return db;
}

Error to_error() {
    try {
        throw;
    } catch (const SQLite::Exception& e) {
        return {code_of(e.getErrorCode()), std::string("database: ") + e.what()};
    } catch (const std::bad_alloc&) {
        return {ErrorCode::ResourceExhausted, "database: out of memory"};
    } catch (const std::exception& e) {
        return {ErrorCode::Internal, std::string("database: ") + e.what()};
    }
}

}  // namespace a2h::market
