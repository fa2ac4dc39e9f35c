#include "tests/bench/market_posts.h"

#include <algorithm>
#include <fstream>

#include "market/db/sqlite_connection.h"
#include "market/store/agent_store.h"
#include "market/store/works_search.h"

namespace a2h::bench {
namespace {

using namespace market;

constexpr int kBatch = 50'000;
constexpr int kChecked = 300;
constexpr int kFrequent = 20;
constexpr int kWords = 20'000;
constexpr int kTitleWords = 5;
constexpr int kContentWords = 25;
constexpr std::string_view kSeller = "ag_seller";

std::string utf8(int c) {
    return {static_cast<char>(0xE0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 63)),
            static_cast<char>(0x80 | (c & 63))};
}

/// The schema and the seller, by the market's own path.
void prepare(db::Database& database) {
    Agent agent;
    agent.agent_id = kSeller;
    agent.public_key = "key";
    must(database.write([&](db::Transaction& transaction) -> Result<void> {
        const auto added = store::add_agent(transaction, agent);
        return added ? Result<void>() : fail(added.error());
    }));
}

struct Tokens {
    std::vector<std::string> title;
    std::vector<std::string> content;
};

void add_to_sqlite(db::Transaction& sqlite, const Works& works, const Tokens& tokens,
                   std::int64_t freshness) {
    must(sqlite.execute(
        "insert into works (works_id, agent_id, type, title, content,"
        " pictures_json, extend_info_json, parent_works_id, created_at_ms,"
        " updated_at_ms, freshness)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        {works.works_id, works.agent_id, std::int64_t{works.type}, works.title, works.content,
         works.pictures_json, works.extend_info_json, works.parent_works_id, works.created_at_ms,
         works.updated_at_ms, freshness}));
    must(sqlite.execute(
        "insert into works_search (rowid, title, content, facet) values ($1, $2, $3, $4)",
        {freshness, search::fts5_text(tokens.title), search::fts5_text(tokens.content),
         search::type_token(works.type) + " " + search::agent_token(works.agent_id)}));
}

/// A line of COPY's text format; none of our texts has characters that need an escape.
void add_to_copy(std::ofstream& copy, const Works& works, const Tokens& tokens,
                 std::int64_t freshness) {
    copy << works.works_id << '\t' << works.agent_id << '\t' << works.type << '\t' << works.title
         << '\t' << works.content << '\t' << works.pictures_json << '\t' << works.extend_info_json
         << '\t' << works.parent_works_id << '\t' << works.created_at_ms << '\t'
         << works.updated_at_ms << '\t' << freshness << '\t'
         << search::ts_vector(tokens.title, tokens.content) << '\n';
}

void copy_to_postgresql(const Places& places, test::Postgres& server, int posts) {
    constexpr std::chrono::minutes kLong{30};
    const auto sql = [&](const std::string& text) {
        return server.sql(places.postgresql, text, kLong);
    };
    const std::string index =
        sql("select indexdef from pg_indexes where indexname = 'works_search'");
    sql("drop index works_search");
    sql("\\copy works (works_id, agent_id, type, title, content, pictures_json, extend_info_json,"
        " parent_works_id, created_at_ms, updated_at_ms, freshness, search) from '" +
        places.file.string() + "'");
    sql("set maintenance_work_mem = '512MB'; " + index);
    sql("select setval('works_freshness_number', " + std::to_string(posts) + ")");
    sql("vacuum analyze works");
}

void add_one_by_one(db::Database& database, int posts) {
    Language language;
    must(database.write([&](db::Transaction& transaction) -> Result<void> {
        for (int i = 0; i < posts; ++i)
            A2H_TRY(store::add_works(transaction, make_post(language, i)));
        return {};
    }));
}

/// All that a search reads: the rows and every place of every token.
std::string contents_of_sqlite(const std::filesystem::path& file) {
    const auto sqlite =
        must(db::SqliteConnection::open(file, db::SqliteConnection::Mode::ReadWrite));
    must(sqlite->script(
        "create virtual table temp.places using fts5vocab(main, works_search, instance)"));
    std::string all;
    for (const char* sql :
         {"select json_array(works_id, agent_id, type, title, content, pictures_json,"
          " extend_info_json, parent_works_id, created_at_ms, updated_at_ms, freshness)"
          " from works order by works_id",
          "select json_array(term, doc, col, offset) from temp.places order by 1"}) {
        for (const db::Row& row : must(sqlite->query(sql, {})))
            all += row.text(0) + "\n";
    }
    return all;
}

void check_equal(const char* database, const std::string& product, const std::string& filled) {
    if (product == filled && product.size() > kChecked) return;
    std::fprintf(stderr, "bench: %s was not filled as the market does it\n", database);
    std::exit(1);
}

}  // namespace

void must(const Result<void>& result) {
    if (!result) must(Result<int>(fail(result.error())));
}

Language::Language() {
    std::uniform_int_distribution<int> character(0, 2'999);
    double sum = 0;
    for (int i = 0; i < kWords; ++i) {
        words_.push_back(utf8(0x4E00 + character(random_)) + utf8(0x4E00 + character(random_)));
        sum += 1.0 / (i + 1);
        sums_.push_back(sum);
    }
}

const std::string& Language::any() {
    const double at = std::uniform_real_distribution<double>(0, sums_.back())(random_);
    const auto found = std::lower_bound(sums_.begin(), sums_.end(), at);
    return words_[static_cast<std::size_t>(found - sums_.begin())];
}

const std::string& Language::frequent() {
    return words_[std::uniform_int_distribution<std::size_t>(0, kFrequent - 1)(random_)];
}

std::string Language::text(int words) {
    std::string out;
    for (int i = 0; i < words; ++i)
        out += any();
    return out;
}

Works make_post(Language& language, int number) {
    Works works;
    works.works_id = "w" + std::to_string(number);
    works.agent_id = kSeller;
    works.type = 2 + number % 3;
    works.title = language.text(kTitleWords);
    works.content = language.text(kContentWords);
    works.created_at_ms = works.updated_at_ms = number;
    return works;
}

void fill_sqlite(const Places& places, int posts) {
    prepare(*must(db::open_sqlite(places.sqlite)));
    const auto sqlite =
        must(db::SqliteConnection::open(places.sqlite, db::SqliteConnection::Mode::ReadWrite));
    must(sqlite->script("pragma synchronous = off; pragma cache_size = -524288"));
    std::ofstream copy(places.file);
    Language language;
    for (int i = 0; i < posts; ++i) {
        if (i % kBatch == 0) must(sqlite->control("begin"));
        const Works works = make_post(language, i);
        const Tokens tokens{search::document_tokens(works.title),
                            search::document_tokens(works.content)};
        add_to_sqlite(*sqlite, works, tokens, i + 1);
        add_to_copy(copy, works, tokens, i + 1);
        if (i % kBatch == kBatch - 1 || i == posts - 1) must(sqlite->control("commit"));
    }
    copy.close();
    must(copy.good() ? Result<void>() : fail(ErrorCode::ResourceExhausted, "cannot write posts"));
}

void fill_postgresql(const Places& places, test::Postgres& server, int posts) {
    prepare(*must(db::open_postgresql(places.postgresql)));
    copy_to_postgresql(places, server, posts);
    std::filesystem::remove(places.file);
}

void check_filling(const std::filesystem::path& dir, test::Postgres& server) {
    const Places product{dir / "product.db", server.create_database(), {}};
    const Places filled{dir / "filled.db", server.create_database(), dir / "filled.copy"};
    {
        const auto sqlite = must(db::open_sqlite(product.sqlite));
        const auto postgresql = must(db::open_postgresql(product.postgresql));
        for (db::Database* database : {sqlite.get(), postgresql.get()}) {
            prepare(*database);
            add_one_by_one(*database, kChecked);
        }
    }
    fill_sqlite(filled, kChecked);
    fill_postgresql(filled, server, kChecked);
    check_equal("SQLite", contents_of_sqlite(product.sqlite), contents_of_sqlite(filled.sqlite));
    const auto contents = [&](const Places& places) {
        return server.sql(places.postgresql,
                          "select * from works order by works_id;"
                          " select nextval('works_freshness_number')");
    };
    check_equal("PostgreSQL", contents(product), contents(filled));
}

}  // namespace a2h::bench
