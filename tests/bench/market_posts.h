#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "market/store/works_store.h"
#include "tests/support/postgres.h"

namespace a2h::bench {

template <typename T>
T must(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "bench: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(*result);
}
void must(const Result<void>& result);

/// Words of two Chinese characters whose frequency falls as in real text (Zipf). Two of them have
/// the same text.
class Language {
  public:
    Language();
    const std::string& any();
    const std::string& frequent();  ///< one of the 20 most frequent
    std::string text(int words);

  private:
    std::mt19937 random_{20'260'101};
    std::vector<std::string> words_;
    std::vector<double> sums_;
};

/// The next post of many; `number` from 0.
market::Works make_post(Language& language, int number);

/// The databases for the posts. They must be empty; the file is for the import into PostgreSQL.
struct Places {
    std::filesystem::path sqlite;
    std::string postgresql;
    std::filesystem::path file;
};

/// Stores the first `posts` posts, many times faster than `store::add_works` for each: the rows,
/// the freshness and the tokens are the same (see `check_filling`), but SQLite gets them in few
/// transactions without durability, and PostgreSQL by COPY of the file that was written meanwhile,
/// with its text index created afterwards.
void fill_sqlite(const Places& places, int posts);
void fill_postgresql(const Places& places, test::Postgres& server, int posts);

/// Ends the program when the rows that they store differ from those of the market's own functions.
void check_filling(const std::filesystem::path& dir, test::Postgres& server);

}  // namespace a2h::bench
