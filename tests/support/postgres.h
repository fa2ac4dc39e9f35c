#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// A private PostgreSQL of Debian's package on a socket in a folder of its own; loopback and every
/// other network are off. It does not sync, so it is no place to measure. When the test is root, it
/// runs as `postgres` or `nobody`, because PostgreSQL refuses root.
class Postgres {
  public:
    Postgres();
    ~Postgres();

    /// A new, empty database.
    std::string create_database();
    /// Runs `sql` in the database of `url`; returns the unaligned output of psql.
    std::string sql(const std::string& url, const std::string& sql,
                    std::chrono::seconds timeout = std::chrono::seconds(30));

    void start();  ///< returns when it answers
    void kill();   ///< as after a crash: all connections end at once

  private:
    std::filesystem::path dir_;
    std::unique_ptr<Process> server_;
    int databases_ = 0;
};

/// One server for the whole test program, started at the first call.
Postgres& shared_postgres();

}  // namespace a2h::test
