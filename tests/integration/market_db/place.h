#pragma once

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>

#include "market/db/database.h"
#include "tests/support/postgres.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

namespace db = market::db;

/// An empty database of one of both kinds, which can be opened several times.
class Place {
  public:
    explicit Place(db::Dialect dialect) {
        if (dialect == db::Dialect::Postgresql) url_ = shared_postgres().create_database();
    }

    Result<std::unique_ptr<db::Database>> try_open() const {
        if (!url_.empty()) return db::open_postgresql(url_);
        return db::open_sqlite(file());
    }
    std::unique_ptr<db::Database> open() const {
        auto database = try_open();
        REQUIRE_MESSAGE(database.has_value(), database.error().message);
        return std::move(*database);
    }
    std::filesystem::path file() const { return dir_.path() / "market.db"; }
    const std::string& url() const { return url_; }
    void plain_sql(const std::string& sql) const {
        if (!url_.empty()) {
            shared_postgres().sql(url_, sql);
            return;
        }
        sqlite3* handle = nullptr;
        REQUIRE(sqlite3_open(file().c_str(), &handle) == SQLITE_OK);
        CHECK(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
        sqlite3_close(handle);
    }

  private:
    TempDir dir_;
    std::string url_;
};

/// Runs the rest of the test case once for each database.
inline db::Dialect each_dialect() {
    db::Dialect dialect{};
    SUBCASE("SQLite") {
        dialect = db::Dialect::Sqlite;
    }
    SUBCASE("PostgreSQL") {
        dialect = db::Dialect::Postgresql;
    }
    return dialect;
}

}  // namespace a2h::test
