#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/sql/calls.h"

/// The market's database: one interface to SQLite and PostgreSQL.
///
/// A statement is one SQL text for both, with the parameters `$1`, `$2`, …. Code for features that
/// differ (full-text search) checks `dialect()`. Types are text and 64-bit integers; times are unix
/// ms, money is in minor units, JSON is text. A boolean reads as 0 or 1. Where PostgreSQL cannot
/// infer a parameter's type (`$1 is null`), the statement says `cast($1 as bigint)`.
namespace a2h::market::db {

enum class Dialect { Sqlite, Postgresql };

using Value = std::variant<std::nullptr_t, std::int64_t, std::string>;

/// One row of a result. Reading a column with another type than it has is a bug of the caller. Text
/// that is not a name of the enumeration is recorded and makes the whole query return Corrupt.
class Row {
  public:
    explicit Row(std::vector<Value> values) : values_(std::move(values)) {}

    bool is_null(int column) const;
    const std::string& text(int column) const;
    std::string_view text_view(int column) const { return text(column); }
    /// Moved out of the row, whose text is empty afterwards.
    std::string take_text(int column);
    std::int64_t integer(int column) const;

    template <typename Enumeration>
    Enumeration name(int column, std::optional<Enumeration> (*parse)(std::string_view)) {
        const auto parsed = parse(text(column));
        if (!parsed) bad_name_ = text(column);
        return parsed.value_or(Enumeration{});
    }
    const std::optional<std::string>& bad_name() const { return bad_name_; }

  private:
    const Value& value(int column) const { return values_.at(static_cast<std::size_t>(column)); }

    std::vector<Value> values_;
    std::optional<std::string> bad_name_;
};

inline Value to_value(std::int64_t value) {
    return value;
}
inline Value to_value(std::string_view value) {
    return std::string(value);
}
inline Value to_value(sql::OrNull value) {
    return value.text.empty() ? Value(nullptr) : Value(std::string(value.text));
}
template <typename Enumeration>
requires std::is_enum_v<Enumeration> Value to_value(Enumeration value) {
    return to_value(to_string(value));
}
template <typename T>
Value to_value(const std::optional<T>& value) {
    return value ? to_value(*value) : Value(nullptr);
}

class Statement;

/// The interface of one transaction's work, only valid during that work and on its thread.
///
/// The first error ends the transaction: all later calls return the same error. So a statement that
/// may conflict says `on conflict do nothing` and checks the number of rows.
///
/// Errors:  of both calls: Conflict for a violated unique or foreign key; ResourceExhausted if the
///          disk is full; Unavailable if the database cannot be reached or stays locked;
///          InvalidArgument for text that is not UTF-8 or contains a NUL; Internal.
class Transaction {
  public:
    virtual ~Transaction() = default;

    virtual Result<std::vector<Row>> query(std::string_view sql,
                                           const std::vector<Value>& parameters) = 0;
    /// Returns the number of changed rows.
    virtual Result<std::int64_t> execute(std::string_view sql,
                                         const std::vector<Value>& parameters) = 0;
    virtual Dialect dialect() const = 0;

    /// The only row of a result; nullopt if there is none.
    Result<std::optional<Row>> query_one(std::string_view sql,
                                         const std::vector<Value>& parameters);

    /// `sql` must outlive the result.
    Statement statement(std::string_view sql);
};

/// A statement with typed parameters and rows, as in `core/store`.
class Statement : public sql::Calls<Statement> {
  public:
    Statement(Transaction& transaction, std::string_view sql)
        : transaction_(transaction), sql_(sql) {}

    template <typename... Values>
    Result<void> run(const Values&... values) {
        A2H_ASSIGN_OR_RETURN(changes_, transaction_.execute(sql_, {to_value(values)...}));
        return {};
    }
    /// All rows, each through `read(Row&)`.
    template <typename Read, typename... Values>
    auto all(const Read& read, const Values&... values) {
        return read_all(read, {to_value(values)...});
    }
    /// The same with parameters that were collected before.
    template <typename Read>
    auto read_all(const Read& read, const std::vector<Value>& parameters)
        -> Result<std::vector<std::invoke_result_t<const Read&, Row&>>> {
        A2H_ASSIGN_OR_RETURN(auto rows, transaction_.query(sql_, parameters));
        std::vector<std::invoke_result_t<const Read&, Row&>> read_rows;
        read_rows.reserve(rows.size());
        for (Row& row : rows) {
            read_rows.push_back(read(row));
            if (row.bad_name()) return corrupt(*row.bad_name());
        }
        return read_rows;
    }
    /// The only row; nullopt if there is none.
    template <typename Read, typename... Values>
    auto first(const Read& read, const Values&... values)
        -> Result<std::optional<std::invoke_result_t<const Read&, Row&>>> {
        A2H_ASSIGN_OR_RETURN(auto rows, all(read, values...));
        A2H_CHECK(rows.size() <= 1);
        if (rows.empty()) return std::optional<std::invoke_result_t<const Read&, Row&>>();
        return std::optional(std::move(rows.front()));
    }
    /// The number of rows that the last `run` inserted, changed or deleted.
    std::int64_t changes() const { return changes_; }

  private:
    Unexpected corrupt(const std::string& bad_name) const;

    Transaction& transaction_;
    std::string_view sql_;
    std::int64_t changes_ = 0;
};

/// The counters of `Database::stats` for the metrics, since the start.
struct Stats {
    std::uint64_t commits = 0;
    std::uint64_t transactions = 0;  ///< write transactions; a commit may contain several
    std::uint64_t repeats = 0;       ///< after a serialization failure or a lost connection
    std::int64_t commit_us = 0;      ///< time spent in commits
    std::int64_t waiting = 0;        ///< writers and readers that are waiting now
};

/// `read` and `write` must not be called from inside work.
///
/// Thread:  any.
class Database {
  public:
    using Work = std::function<Result<void>(Transaction&)>;

    virtual ~Database() = default;

    /// Runs `work` on a consistent view; it must not change anything.
    virtual Result<void> read(const Work& work) = 0;
    /// Runs `work` in a transaction and returns when it is durable. An error of `work` rolls it
    /// back and is returned. `work` may run more than once and on another thread (SQLite commits
    /// waiting work in one group; PostgreSQL repeats it after a serialization failure), so it may
    /// change only the database and variables that it sets anew each time.
    virtual Result<void> write(const Work& work) = 0;
    virtual Dialect dialect() const = 0;
    virtual Stats stats() const = 0;

    /// `read` and `write` for work that returns a value.
    template <typename T, typename F>
    Result<T> read_as(F&& work) {
        return as<T>(&Database::read, std::forward<F>(work));
    }
    template <typename T, typename F>
    Result<T> write_as(F&& work) {
        return as<T>(&Database::write, std::forward<F>(work));
    }

    /// `read` and `write` that run `function(transaction, arguments…)`.
    template <typename T, typename... Wanted, typename... Given>
    Result<T> read_with(Result<T> (*function)(Transaction&, Wanted...), const Given&... given) {
        return run_with(&Database::read, function, given...);
    }
    template <typename T, typename... Wanted, typename... Given>
    Result<T> write_with(Result<T> (*function)(Transaction&, Wanted...), const Given&... given) {
        return run_with(&Database::write, function, given...);
    }

  private:
    template <typename T, typename... Wanted, typename... Given>
    Result<T> run_with(Result<void> (Database::*run)(const Work&),
                       Result<T> (*function)(Transaction&, Wanted...), const Given&... given) {
        const auto work = [&](Transaction& transaction) { return function(transaction, given...); };
        if constexpr (std::is_void_v<T>) {
            return (this->*run)(work);
        } else {
            return as<T>(run, work);
        }
    }
    template <typename T, typename F>
    Result<T> as(Result<void> (Database::*run)(const Work&), F&& work) {
        std::optional<T> answer;
        A2H_TRY((this->*run)([&](Transaction& transaction) -> Result<void> {
            Result<T> result = work(transaction);
            if (!result) return fail(result.error());
            answer = std::move(*result);
            return {};
        }));
        return std::move(*answer);
    }
};

/// `file`: WAL, `synchronous=FULL`, foreign keys. Updates the schema, after a backup
/// `<file>.before-<version>`. Other processes may use the file at the same time. Each change of the
/// schema is reported to `progress`.
///
/// Errors:  Unsupported if a newer program wrote it; Corrupt; Unavailable.
Result<std::unique_ptr<Database>> open_sqlite(const std::filesystem::path& file,
                                              Progress& progress = no_progress());
/// `url`: postgresql://user@host/name or the folder of a socket, see libpq. Writes are
/// serializable, as with SQLite; a lost connection is made again.
///
/// Errors:  as above.
Result<std::unique_ptr<Database>> open_postgresql(const std::string& url, int connections_max = 8,
                                                  Progress& progress = no_progress());

}  // namespace a2h::market::db
