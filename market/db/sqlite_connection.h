#pragma once

// One SQLite connection: for market/db, and for a file that is no database of the market.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "market/db/database.h"

struct sqlite3;
struct sqlite3_stmt;

namespace a2h::market::db {

/// One connection with its prepared statements.
///
/// Thread:  one at a time.
class SqliteConnection final : public Transaction {
  public:
    enum class Mode { ReadWrite, ReadOnly };

    /// ReadWrite creates the file.
    ///
    /// Errors:  Corrupt; Unavailable.
    static Result<std::unique_ptr<SqliteConnection>> open(const std::filesystem::path& file,
                                                          Mode mode);

    SqliteConnection(const SqliteConnection&) = delete;
    SqliteConnection& operator=(const SqliteConnection&) = delete;
    ~SqliteConnection() override;

    Result<std::vector<Row>> query(std::string_view sql,
                                   const std::vector<Value>& parameters) override;
    Result<std::int64_t> execute(std::string_view sql,
                                 const std::vector<Value>& parameters) override;
    Dialect dialect() const override { return Dialect::Sqlite; }

    /// A statement about transactions (`begin`, `savepoint`, `rollback`, …), which works after an
    /// error as well.
    Result<void> control(std::string_view sql);
    /// Runs `work` and rolls back to `undo` if it fails; an exception counts as Internal.
    Result<void> run(const Database::Work& work);
    /// Several statements, without parameters.
    Result<void> script(const std::string& sql);
    /// Whether a transaction is open. False as well if SQLite itself rolled it back, as it does on
    /// a full disk.
    bool in_transaction() const;
    /// A read transaction that sees everything committed before. If nobody has committed since the
    /// open one began, that one is used, which saves its locks.
    Result<void> begin_or_keep_snapshot();
    /// Ends an open snapshot, so that the log can be reset.
    void end_snapshot();
    /// Copies the whole database to `target`, which appears complete or not at all.
    Result<void> back_up(const std::filesystem::path& target);

  private:
    /// A prepared statement, and for each of its parameters the number in `$1`, `$2`, ….
    struct Prepared {
        sqlite3_stmt* statement = nullptr;
        std::vector<std::size_t> parameters;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };

    /// Both copies of the header in the log's index, which every commit of every process changes.
    ///
    /// Source:  sqlite.org/walformat.html, section 2.2.
    static constexpr std::size_t kLogHeaderWords = 2 * 12;
    using LogHeader = std::array<std::uint32_t, kLogHeaderWords>;

    explicit SqliteConnection(sqlite3* handle) : handle_(handle) {}
    Result<void> set_pragmas(Mode mode);
    Result<Prepared*> prepare(std::string_view sql);
    Result<void> bind(const Prepared& prepared, const std::vector<Value>& parameters);
    Result<std::vector<Row>> run_statement(std::string_view sql,
                                           const std::vector<Value>& parameters);
    /// nullopt if it is not mapped yet or is being written.
    std::optional<LogHeader> log_header();
    void forget_statements();
    Error failed(int code) const;

    sqlite3* handle_;
    std::unordered_map<std::string, Prepared, Hash, std::equal_to<>> statements_;
    std::uint32_t* log_index_ = nullptr;    ///< SQLite's own mapping; valid until `handle_` closes
    std::optional<LogHeader> snapshot_of_;  ///< read before the open snapshot began
    std::optional<Error> broken_;           ///< the first error since `run` began
};

}  // namespace a2h::market::db
