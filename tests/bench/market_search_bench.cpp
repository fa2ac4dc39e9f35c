// Search among many posts: SQLite through market/store, and PostgreSQL's own full-text search on
// the same rows. Usage: market_search_bench DIR [POSTS]. Not a test: times depend on the machine.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "market/store/works_search.h"
#include "tests/bench/market_posts.h"
#include "tests/support/postgres.h"

namespace {

using namespace a2h;
using bench::must;
using namespace a2h::market;
using Steady = std::chrono::steady_clock;

constexpr int kPostsDefault = 1'000'000;
constexpr int kQueries = 1'000;
constexpr int kQueriesOfPostgresql = 100;
constexpr int kWarmUp = 20;

/// Nine of ten queries as people choose words, one tenth with one of the most frequent words; every
/// third query has two words.
std::vector<std::string> make_queries() {
    bench::Language language;
    std::vector<std::string> queries;
    for (int i = 0; i < kQueries; ++i) {
        std::string query = i % 10 == 0 ? language.frequent() : language.any();
        if (i % 3 == 0) query += " " + language.any();
        queries.push_back(std::move(query));
    }
    return queries;
}

struct Times {
    std::vector<double> ms;

    double at(double share) const {
        return ms[static_cast<std::size_t>(share * static_cast<double>(ms.size() - 1))];
    }
};

template <typename Search>
Times measure(db::Database& database, const std::vector<std::string>& queries, Search&& search) {
    Times times;
    for (const std::string& text : queries) {
        WorksQuery query;
        query.phrases = search::query_phrases(text);
        const auto begin = Steady::now();
        must(database.read(
            [&](db::Transaction& transaction) { return search(transaction, query); }));
        times.ms.push_back(
            std::chrono::duration<double, std::milli>(Steady::now() - begin).count());
    }
    std::sort(times.ms.begin(), times.ms.end());
    return times;
}

Result<void> ours(db::Transaction& transaction, const WorksQuery& query) {
    const auto found = store::search_works(transaction, query);
    return found ? Result<void>() : fail(found.error());
}

/// The form that PostgreSQL's manual shows: the index finds, ts_rank orders.
Result<void> by_ts_rank(db::Transaction& transaction, const WorksQuery& query) {
    const auto found = transaction.query(
        "select works_id, title from works, cast($1 as tsquery) q where search @@ q"
        " order by ts_rank(search, q) desc, freshness desc limit 10",
        {search::ts_query(query.phrases, false)});
    return found ? Result<void>() : fail(found.error());
}

void print(const char* what, const Times& times) {
    std::printf("%-52s p50 %8.2f ms  p99 %8.2f ms  max %8.2f ms\n", what, times.at(0.5),
                times.at(0.99), times.at(1.0));
    std::fflush(stdout);
}

void print_time(const char* what, const std::function<void()>& work) {
    const auto begin = Steady::now();
    work();
    std::printf("%s in %.0f s\n", what,
                std::chrono::duration<double>(Steady::now() - begin).count());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: market_search_bench DIR [POSTS]\n");
        return 2;
    }
    const int posts = argc > 2 ? std::atoi(argv[2]) : kPostsDefault;
    const auto queries = make_queries();
    const std::filesystem::path dir = argv[1];
    test::Postgres server;
    bench::check_filling(dir, server);
    const std::string url = server.create_database();
    const bench::Places places{dir / "search.db", url, dir / "posts.copy"};
    std::printf("%d posts, %d queries\n", posts, kQueries);
    print_time("SQLite filled", [&] { bench::fill_sqlite(places, posts); });
    const auto sqlite = must(db::open_sqlite(places.sqlite));
    measure(*sqlite, queries, ours);
    const Times mine = measure(*sqlite, queries, ours);
    print("a2h-market on SQLite", mine);
    print_time("PostgreSQL filled", [&] { bench::fill_postgresql(places, server, posts); });
    const auto postgresql = must(db::open_postgresql(url));
    // The slow one decides how many of the queries PostgreSQL gets: the first, which are mixed
    // alike.
    const std::vector<std::string> some(queries.begin(), queries.begin() + kQueriesOfPostgresql);
    const std::vector<std::string> few(queries.begin(), queries.begin() + kWarmUp);
    measure(*postgresql, few, by_ts_rank);
    const Times theirs = measure(*postgresql, some, by_ts_rank);
    print("PostgreSQL's own full-text query (ts_rank)", theirs);
    measure(*postgresql, few, ours);
    print("a2h-market on PostgreSQL", measure(*postgresql, some, ours));
    std::printf("SQLite / PostgreSQL's own, p99: %.2f x\n", mine.at(0.99) / theirs.at(0.99));
    return 0;
}
