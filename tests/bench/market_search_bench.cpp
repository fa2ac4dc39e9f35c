// Search among many posts: SQLite through market/store, and PostgreSQL's own full-text search on
// the same rows. Usage: market_search_bench DIR [POSTS]. Not a test: times depend on the machine.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "market/store/agent_store.h"
#include "market/store/works_search.h"
#include "tests/support/postgres.h"

namespace {

using namespace a2h;
using namespace a2h::market;
using Clock = std::chrono::steady_clock;

constexpr int kPostsDefault = 1'000'000;
constexpr int kBatch = 2'000;
constexpr int kQueries = 1'000;
constexpr int kFrequent = 20;
constexpr int kWords = 20'000;
constexpr int kTitleWords = 5;
constexpr int kContentWords = 25;

template <typename T>
T must(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "market_search_bench: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(*result);
}
void must(const Result<void>& result) {
    if (!result) must(Result<int>(fail(result.error())));
}

/// Words of two Chinese characters whose frequency falls as in real text (Zipf).
class Language {
  public:
    Language() {
        std::uniform_int_distribution<int> character(0, 2'999);
        double sum = 0;
        for (int i = 0; i < kWords; ++i) {
            words_.push_back(utf8(0x4E00 + character(random_)) + utf8(0x4E00 + character(random_)));
            sum += 1.0 / (i + 1);
            sums_.push_back(sum);
        }
    }
    const std::string& any() {
        const double at = std::uniform_real_distribution<double>(0, sums_.back())(random_);
        const auto found = std::lower_bound(sums_.begin(), sums_.end(), at);
        return words_[static_cast<std::size_t>(found - sums_.begin())];
    }
    const std::string& frequent() {
        return words_[std::uniform_int_distribution<std::size_t>(0, kFrequent - 1)(random_)];
    }
    std::string text(int count) {
        std::string out;
        for (int i = 0; i < count; ++i)
            out += any();
        return out;
    }

  private:
    static std::string utf8(int c) {
        return {static_cast<char>(0xE0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 63)),
                static_cast<char>(0x80 | (c & 63))};
    }
    std::mt19937 random_{20'260'101};
    std::vector<std::string> words_;
    std::vector<double> sums_;
};

void fill(db::Database& database, int posts) {
    Agent agent;
    agent.agent_id = "ag_seller";
    agent.public_key = "key";
    must(database.write([&](db::Transaction& transaction) -> Result<void> {
        const auto added = store::add_agent(transaction, agent);
        return added ? Result<void>() : fail(added.error());
    }));
    Language language;
    for (int first = 0; first < posts; first += kBatch) {
        std::vector<Works> batch;
        for (int i = first; i < std::min(first + kBatch, posts); ++i) {
            Works works;
            works.works_id = "w" + std::to_string(i);
            works.agent_id = agent.agent_id;
            works.type = 2 + i % 3;
            works.title = language.text(kTitleWords);
            works.content = language.text(kContentWords);
            works.created_at_ms = works.updated_at_ms = i;
            batch.push_back(std::move(works));
        }
        must(database.write([&](db::Transaction& transaction) -> Result<void> {
            for (const Works& works : batch)
                A2H_TRY(store::add_works(transaction, works));
            return {};
        }));
    }
}

/// Nine of ten queries as people choose words, a tenth one of the most frequent; every third has
/// two words.
std::vector<std::string> make_queries() {
    Language language;
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
        const auto begin = Clock::now();
        must(database.read(
            [&](db::Transaction& transaction) { return search(transaction, query); }));
        times.ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    std::sort(times.ms.begin(), times.ms.end());
    return times;
}

Result<void> ours(db::Transaction& transaction, const WorksQuery& query) {
    const auto found = store::search_works(transaction, query);
    return found ? Result<void>() : fail(found.error());
}

/// What PostgreSQL's manual shows: the index finds, ts_rank orders.
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

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: market_search_bench DIR [POSTS]\n");
        return 2;
    }
    const int posts = argc > 2 ? std::atoi(argv[2]) : kPostsDefault;
    const auto queries = make_queries();
    const auto sqlite = must(db::open_sqlite(std::filesystem::path(argv[1]) / "search.db"));
    fill(*sqlite, posts);
    test::Postgres server;
    const std::string url = server.create_database();
    const auto postgresql = must(db::open_postgresql(url));
    fill(*postgresql, posts);
    server.sql(url, "vacuum analyze works");

    std::printf("%d posts, %d queries\n", posts, kQueries);
    measure(*sqlite, queries, ours);
    const Times mine = measure(*sqlite, queries, ours);
    print("a2h-market on SQLite", mine);
    measure(*postgresql, queries, by_ts_rank);
    const Times theirs = measure(*postgresql, queries, by_ts_rank);
    print("PostgreSQL's own full-text query (ts_rank)", theirs);
    measure(*postgresql, queries, ours);
    print("a2h-market on PostgreSQL", measure(*postgresql, queries, ours));
    std::printf("SQLite / PostgreSQL's own, p99: %.2f x\n", mine.at(0.99) / theirs.at(0.99));
    return 0;
}
