#pragma once

// Inside market/db only: one PostgreSQL connection. Exceptions of libpqxx do not leave it.

#include <memory>
#include <string>
#include <string_view>

#include "market/db/database.h"

namespace a2h::market::db {

/// Thread: one at a time.
class PostgresqlConnection final : public Transaction {
  public:
    /// How a transaction ended.
    enum class End {
        Committed,
        Failed,   ///< rolled back; a repeat would not help
        Repeat,   ///< rolled back because of another transaction
        Lost,     ///< the connection broke before the commit; nothing was written
        InDoubt,  ///< the connection broke during the commit
    };

    /// Errors:  Unavailable.
    static Result<std::unique_ptr<PostgresqlConnection>> open(const std::string& url);

    ~PostgresqlConnection() override;

    Result<std::vector<Row>> query(std::string_view sql,
                                   const std::vector<Value>& parameters) override;
    Result<std::int64_t> execute(std::string_view sql,
                                 const std::vector<Value>& parameters) override;
    Dialect dialect() const override { return Dialect::Postgresql; }

    struct Outcome {
        End end = End::Committed;
        Result<void> result{};
        std::int64_t commit_us = 0;
    };
    /// Runs `work` between `begin` (a statement such as "begin read only") and commit.
    Outcome run(const char* begin, const Database::Work& work);
    /// Several statements, without parameters.
    Result<void> script(const std::string& sql);

  private:
    struct Impl;
    explicit PostgresqlConnection(std::unique_ptr<Impl> impl);
    Outcome failed(Error error);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::market::db
