#include "market/store/works_search.h"

#include <algorithm>
#include <string>

namespace a2h::market::store {
namespace {

constexpr std::int64_t kIndexBatch = 500;

/// The search index of one database: how posts are added, removed and found.
struct Index {
    std::string_view next_freshness;
    std::string_view from;  ///< the from clause of a search; the first parameter is the query
    std::string_view order;
};

constexpr Index kSqlite{"select coalesce(max(freshness), 0) + 1 from works",
                        "from works_search f join works w on w.freshness = f.rowid"
                        " join agent a on a.agent_id = w.agent_id"
                        " where works_search match $1 and a.revoked_at_ms is null",
                        " order by f.rowid desc"};

constexpr Index kPostgresql{"select nextval('works_freshness_number')",
                            "from works w join agent a on a.agent_id = w.agent_id"
                            " where w.search @@ cast($1 as tsquery) and a.revoked_at_ms is null",
                            " order by w.freshness desc"};

const Index& index_of(const db::Transaction& transaction) {
    return transaction.dialect() == db::Dialect::Sqlite ? kSqlite : kPostgresql;
}

struct Texts {
    std::string title;
    std::string content;
    std::string facet;
};

Texts texts_of(const Works& works) {
    return {search::fts5_text(search::document_tokens(works.title)),
            search::fts5_text(search::document_tokens(works.content)),
            search::type_token(works.type) + " " + search::agent_token(works.agent_id)};
}

/// The two tiers of a search, each a query in the database's own language.
struct Tiers {
    std::string in_title;
    std::string elsewhere;
};

Tiers fts5_tiers(const WorksQuery& query) {
    std::vector<std::string> facets;
    if (query.type) facets.push_back(search::type_token(*query.type));
    if (!query.agent_id.empty()) facets.push_back(search::agent_token(query.agent_id));
    const std::string title = search::fts5_query(query.phrases, "title", facets);
    const std::string anywhere = search::fts5_query(query.phrases, "title content", facets);
    return {title,
            "(" + anywhere + ") NOT (" + search::fts5_query(query.phrases, "title", {}) + ")"};
}

Tiers postgresql_tiers(const WorksQuery& query) {
    const std::string title = search::ts_query(query.phrases, true);
    return {title, "(" + search::ts_query(query.phrases, false) + ") & !(" + title + ")"};
}

/// One tier, from `offset` on.
class Tier {
  public:
    Tier(db::Transaction& transaction, const WorksQuery& query, std::string match)
        : transaction_(transaction), parameters_{std::move(match)} {
        conditions_ = index_of(transaction).from;
        if (transaction.dialect() == db::Dialect::Sqlite) return;  // the facets contain it
        if (query.type) add(" and w.type = ", std::int64_t{*query.type});
        if (!query.agent_id.empty()) add(" and w.agent_id = ", query.agent_id);
    }

    Result<std::vector<Works>> page(std::int64_t offset, std::int64_t limit) {
        auto parameters = parameters_;
        parameters.insert(parameters.end(), {limit, offset});
        return read_works(transaction_,
                          conditions_ + std::string(index_of(transaction_).order) + " limit $" +
                              std::to_string(parameters.size() - 1) + " offset $" +
                              std::to_string(parameters.size()),
                          parameters);
    }

    /// The number of posts, up to the search limit.
    Result<std::int64_t> size() {
        const std::string sql = "select count(*) from (select 1 " + conditions_ + " limit " +
                                std::to_string(kSearchDepthMax) + ") found";
        A2H_ASSIGN_OR_RETURN(const auto counts,
                             transaction_.statement(sql).read_all(sql::kFirstNumber, parameters_));
        return counts.front();
    }

  private:
    void add(std::string_view condition, db::Value value) {
        parameters_.push_back(std::move(value));
        conditions_ += std::string(condition) + "$" + std::to_string(parameters_.size());
    }

    db::Transaction& transaction_;
    std::vector<db::Value> parameters_;
    std::string conditions_;
};

Result<std::uint64_t> count_missing(db::Database& database) {
    return database.read_as<std::uint64_t>(
        [](db::Transaction& transaction) -> Result<std::uint64_t> {
            static constexpr std::string_view kSql =
                "select count(*) from works where freshness = 0";
            A2H_ASSIGN_OR_RETURN(const auto count, transaction.statement(kSql).number());
            return static_cast<std::uint64_t>(count);
        });
}

}  // namespace

Result<void> index_works(db::Transaction& transaction, const Works& works) {
    static constexpr std::string_view kFresh =
        "update works set freshness = $1 where works_id = $2";
    static constexpr std::string_view kAdd =
        "insert into works_search (rowid, title, content, facet) values ($1, $2, $3, $4)";
    static constexpr std::string_view kVector =
        "update works set search = cast($1 as tsvector) where works_id = $2";
    A2H_ASSIGN_OR_RETURN(const auto freshness,
                         transaction.statement(index_of(transaction).next_freshness).number());
    A2H_TRY(transaction.statement(kFresh).run(freshness, works.works_id));
    if (transaction.dialect() == db::Dialect::Sqlite) {
        const Texts texts = texts_of(works);
        return transaction.statement(kAdd).run(freshness, texts.title, texts.content, texts.facet);
    }
    return transaction.statement(kVector).run(
        search::ts_vector(search::document_tokens(works.title),
                          search::document_tokens(works.content)),
        works.works_id);
}

Result<void> unindex_works(db::Transaction& transaction, const Works& works) {
    static constexpr std::string_view kNoVector =
        "update works set search = null where works_id = $1";
    static constexpr std::string_view kFreshness =
        "select freshness from works where works_id = $1";
    static constexpr std::string_view kRemove =
        "insert into works_search (works_search, rowid, title, content, facet)"
        " values ('delete', $1, $2, $3, $4)";
    if (transaction.dialect() == db::Dialect::Postgresql) {
        return transaction.statement(kNoVector).run(works.works_id);
    }
    A2H_ASSIGN_OR_RETURN(const auto freshness,
                         transaction.statement(kFreshness).number(works.works_id));
    if (freshness == 0) return {};
    const Texts texts = texts_of(works);
    return transaction.statement(kRemove).run(freshness, texts.title, texts.content, texts.facet);
}

Result<std::vector<Works>> search_works(db::Transaction& transaction, const WorksQuery& query) {
    if (query.offset + query.limit > kSearchDepthMax) return std::vector<Works>();
    const Tiers tiers =
        transaction.dialect() == db::Dialect::Sqlite ? fts5_tiers(query) : postgresql_tiers(query);
    Tier first(transaction, query, tiers.in_title);
    auto found = first.page(query.offset, query.limit);
    if (!found) return found;
    const std::int64_t missing = query.limit - static_cast<std::int64_t>(found->size());
    if (missing == 0) return found;
    std::int64_t skipped = 0;
    if (found->empty() && query.offset > 0) {
        A2H_ASSIGN_OR_RETURN(const auto size, first.size());
        skipped = query.offset - size;
    }
    A2H_ASSIGN_OR_RETURN(auto others,
                         Tier(transaction, query, tiers.elsewhere).page(skipped, missing));
    for (Works& works : others)
        found->push_back(std::move(works));
    return found;
}

Result<void> index_missing_works(db::Database& database, Progress& progress) {
    static constexpr std::string_view kMissing =
        "from works w join agent a on a.agent_id = w.agent_id where w.freshness = 0"
        " order by w.updated_at_ms, w.works_id limit $1";
    A2H_ASSIGN_OR_RETURN(const auto missing, count_missing(database));
    for (std::uint64_t done = 0;;) {
        if (missing > 0) progress.show("progress.index", done, std::max(missing, done));
        const auto indexed =
            database.write_as<std::size_t>([](db::Transaction& transaction) -> Result<std::size_t> {
                A2H_ASSIGN_OR_RETURN(const auto found,
                                     read_works(transaction, kMissing, {kIndexBatch}));
                for (const Works& works : found)
                    A2H_TRY(index_works(transaction, works));
                return found.size();
            });
        if (!indexed) return fail(indexed.error());
        if (*indexed == 0) break;
        done += *indexed;
    }
    progress.end();
    return {};
}

}  // namespace a2h::market::store
