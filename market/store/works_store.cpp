#include "market/store/works_store.h"

#include <utility>

#include "market/store/works_search.h"

namespace a2h::market::store {
namespace {

constexpr std::string_view kFromWorks = "from works w join agent a on a.agent_id = w.agent_id ";

constexpr auto kWorks = sql::table<Works>(
    "works", A2H_COLUMNS(Works, works_id, agent_id, type, title, content, pictures_json,
                         extend_info_json, parent_works_id, created_at_ms, updated_at_ms));

Unexpected no_such_post() {
    return fail(ErrorCode::NotFound, "there is no such post of yours");
}

/// Removes the post, if it exists, from the search index.
Result<void> take_out(db::Transaction& transaction, std::string_view works_id) {
    A2H_ASSIGN_OR_RETURN(const auto present, find_works(transaction, works_id));
    return present ? unindex_works(transaction, *present) : Result<void>();
}

}  // namespace

Result<void> add_works(db::Transaction& transaction, const Works& works) {
    static const std::string kSql = kWorks.insert();
    A2H_TRY(transaction.statement(kSql).put(kWorks, works));
    return index_works(transaction, works);
}

Result<void> update_works(db::Transaction& transaction, const Works& works) {
    static constexpr auto kChange =
        sql::without<kWorks, &Works::works_id, &Works::agent_id, &Works::created_at_ms>();
    static const std::string kSql = kChange.update("where works_id = ? and agent_id = ?");
    A2H_TRY(take_out(transaction, works.works_id));
    A2H_ASSIGN_OR_RETURN(const bool changed, transaction.statement(kSql).puts_a_row(
                                                 kChange, works, works.works_id, works.agent_id));
    if (!changed) return no_such_post();
    return index_works(transaction, works);
}

Result<void> delete_works(db::Transaction& transaction, std::string_view works_id,
                          std::string_view agent_id) {
    static constexpr std::string_view kDelete =
        "delete from works where works_id = $1 and agent_id = $2";
    A2H_TRY(take_out(transaction, works_id));
    A2H_ASSIGN_OR_RETURN(const bool deleted,
                         transaction.statement(kDelete).changes_a_row(works_id, agent_id));
    return deleted ? Result<void>() : no_such_post();
}

Result<std::optional<Works>> find_works(db::Transaction& transaction, std::string_view works_id) {
    static const std::string kTail = std::string(kFromWorks) + "where w.works_id = $1";
    A2H_ASSIGN_OR_RETURN(auto found, read_works(transaction, kTail, {std::string(works_id)}));
    return found.empty() ? std::optional<Works>() : std::optional(std::move(found.front()));
}

Result<std::vector<Works>> list_works(db::Transaction& transaction, const WorksQuery& query) {
    std::string tail = std::string(kFromWorks) + "where a.revoked_at_ms is null";
    std::vector<db::Value> parameters;
    const auto add = [&](std::string_view condition, db::Value value) {
        parameters.push_back(std::move(value));
        tail += std::string(condition) + "$" + std::to_string(parameters.size());
    };
    if (!query.agent_id.empty()) add(" and w.agent_id = ", query.agent_id);
    if (query.type) add(" and w.type = ", std::int64_t{*query.type});
    if (!query.with_replies) tail += " and w.parent_works_id = ''";
    tail += " order by w.created_at_ms desc, w.works_id";
    add(" limit ", query.limit);
    add(" offset ", query.offset);
    return read_works(transaction, tail, parameters);
}

Result<std::vector<Works>> read_works(db::Transaction& transaction, std::string_view tail,
                                      const std::vector<db::Value>& parameters) {
    static const std::string kSelect = "select " + kWorks.names("w.") + ", a.name ";
    const std::string sql = kSelect + std::string(tail);
    const auto read = [](db::Row& row) {
        Works works = kWorks(row);
        works.nickname = row.take_text(kWorks.kWidth);
        return works;
    };
    return transaction.statement(sql).read_all(read, parameters);
}

}  // namespace a2h::market::store
