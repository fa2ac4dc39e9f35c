#pragma once

// Inside core/store only: binding, running and reading statements.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/sql/calls.h"
#include "core/store/database.h"

struct sqlite3;
namespace SQLite {
class Database;
class Statement;
}  // namespace SQLite

namespace a2h::store {

/// The error for an SQLite result code: ResourceExhausted for a full disk or memory, Unavailable
/// for a lock or a device error, Conflict for a violated constraint.
Error sqlite_error(sqlite3* handle, int code, std::string_view while_doing);

struct Database::Impl {
    explicit Impl(std::unique_ptr<SQLite::Database> opened);
    ~Impl();

    std::unique_ptr<SQLite::Database> sqlite;
    /// Keyed by address, because each statement is one constant beside the function that uses it.
    std::unordered_map<const char*, std::unique_ptr<Statement>> statements;
    int wal_pages = 0;
    /// The last error of the disk, as opposed to violated constraints.
    std::optional<Error> disk_error;

    Error failed(int code, std::string_view while_doing);
};

/// One result row while it is being read. Text that is not a name of the enumeration is recorded
/// and makes the whole query return Corrupt.
class Row {
  public:
    explicit Row(const SQLite::Statement& statement) : statement_(statement) {}

    std::string text(int column) const;
    std::string_view text_view(int column) const;
    std::int64_t integer(int column) const;

    bool is_null(int column) const;

    template <typename Enumeration>
    Enumeration name(int column, std::optional<Enumeration> (*parse)(std::string_view)) {
        const std::string stored = text(column);
        const auto parsed = parse(stored);
        if (!parsed) bad_name_ = stored;
        return parsed.value_or(Enumeration{});
    }

    const std::optional<std::string>& bad_name() const { return bad_name_; }

  private:
    const SQLite::Statement& statement_;
    std::optional<std::string> bad_name_;
};

using sql::OrNull;

/// A prepared statement of one connection. Every call binds all parameters, runs to its end and
/// resets: a SELECT that stayed open would keep the WAL from being overwritten.
///
/// Errors:  those of `sqlite_error`; Corrupt if a row has text that is no name of its enumeration.
/// Thread:  that of the connection.
class Statement : public sql::Calls<Statement> {
  public:
    Statement(Database::Impl& database, const char* sql);
    ~Statement();

    /// For statements without rows.
    template <typename... Values>
    Result<void> run(const Values&... values) {
        A2H_TRY(bind(values...));
        return finish(step());
    }

    /// All rows, each through `read(Row&)`.
    template <typename Read, typename... Values>
    auto all(const Read& read, const Values&... values)
        -> Result<std::vector<std::invoke_result_t<const Read&, Row&>>> {
        std::vector<std::invoke_result_t<const Read&, Row&>> rows;
        A2H_TRY(bind(values...));
        int code = step();
        for (; code == kRow; code = step()) {
            Row row(*prepared_);
            rows.push_back(read(row));
            if (row.bad_name()) return corrupt(*row.bad_name());
        }
        A2H_TRY(finish(code));
        return rows;
    }

    /// The first row; nullopt if there is none.
    template <typename Read, typename... Values>
    auto first(const Read& read, const Values&... values)
        -> Result<std::optional<std::invoke_result_t<const Read&, Row&>>> {
        std::optional<std::invoke_result_t<const Read&, Row&>> found;
        A2H_TRY(bind(values...));
        const int code = step();
        if (code == kRow) {
            Row row(*prepared_);
            found.emplace(read(row));
            if (row.bad_name()) return corrupt(*row.bad_name());
        }
        A2H_TRY(finish(code));
        return found;
    }

    /// `run`, then the id of the inserted row.
    template <typename... Values>
    Result<std::int64_t> insert(const Values&... values) {
        A2H_TRY(run(values...));
        return last_id();
    }

    /// `put`, then the id of the inserted row.
    template <typename TableType, typename Struct>
    Result<std::int64_t> put_new(const TableType& table, const Struct& object) {
        A2H_TRY(put(table, object));
        return last_id();
    }

    /// The number of rows that the last `run` inserted, changed or deleted.
    int changes() const;
    std::int64_t last_id() const;

  private:
    static constexpr int kRow = 100;

    template <typename... Values>
    Result<void> bind(const Values&... values) {
        A2H_TRY(prepare(static_cast<int>(sizeof...(Values))));
        int index = 0;
        (bind_one(++index, values), ...);
        return bind_code_ == 0 ? Result<void>{} : finish(std::exchange(bind_code_, 0));
    }
    void bind_one(int index, std::int64_t value);
    void bind_one(int index, int value) { bind_one(index, std::int64_t{value}); }
    void bind_one(int index, std::string_view value);
    void bind_one(int index, const std::string& value);
    void bind_one(int index, OrNull value);
    template <typename T>
    void bind_one(int index, const std::optional<T>& value) {
        return value ? bind_one(index, *value) : bind_null(index);
    }
    template <typename Enumeration>
    requires std::is_enum_v<Enumeration>
    void bind_one(int index, Enumeration value) { bind_one(index, to_string(value)); }
    void bind_null(int index);

    /// Calls `set(statement)` and stores the code of an exception.
    template <typename Set>
    void try_bind(Set set);

    Result<void> prepare(int value_count);
    int step();
    Result<void> finish(int code);
    Unexpected corrupt(const std::string& bad_name);

    Database::Impl& database_;
    const char* sql_;
    std::unique_ptr<SQLite::Statement> prepared_;
    int bind_code_ = 0;  ///< code of the first parameter that could not be bound; 0 if all could
};

}  // namespace a2h::store
