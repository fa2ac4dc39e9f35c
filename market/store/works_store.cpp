#include "market/store/works_store.h"

#include <utility>

#include "market/store/works_search.h"

namespace a2h::market::store {
namespace {

const std::string kSelectWorks =
    std::string(kWorksColumns) + " from works w join agent a on a.agent_id = w.agent_id where ";

Works read_works(db::Row&& row) {
    return {.works_id = row.take_text(0),
            .agent_id = row.take_text(1),
            .nickname = row.take_text(2),
            .type = static_cast<int>(row.integer(3)),
            .title = row.take_text(4),
            .content = row.take_text(5),
            .pictures_json = row.take_text(6),
            .extend_info_json = row.take_text(7),
            .parent_works_id = row.take_text(8),
            .created_at_ms = row.integer(9),
            .updated_at_ms = row.integer(10)};
}

Unexpected no_such_post() {
    return fail(ErrorCode::NotFound, "there is no such post of yours");
}

/// Takes the post, if there is one, out of the search index.
Result<void> take_out(db::Transaction& transaction, std::string_view works_id) {
    A2H_ASSIGN_OR_RETURN(const auto present, find_works(transaction, works_id));
    return present ? unindex_works(transaction, *present) : Result<void>();
}

/// NotFound when nothing was changed.
Result<void> must_have_changed(const Result<std::int64_t>& changed) {
    if (!changed) return fail(changed.error());
    if (*changed == 0) return no_such_post();
    return {};
}

}  // namespace

Result<void> add_works(db::Transaction& transaction, const Works& works) {
    static constexpr std::string_view kInsert =
        "insert into works (works_id, agent_id, type, title, content, pictures_json,"
        " extend_info_json, parent_works_id, created_at_ms, updated_at_ms)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    A2H_TRY(transaction.execute(
        kInsert, {works.works_id, works.agent_id, std::int64_t{works.type}, works.title,
                  works.content, works.pictures_json, works.extend_info_json, works.parent_works_id,
                  works.created_at_ms, works.updated_at_ms}));
    return index_works(transaction, works);
}

Result<void> update_works(db::Transaction& transaction, const Works& works) {
    static constexpr std::string_view kUpdate =
        "update works set type = $1, title = $2, content = $3, pictures_json = $4,"
        " extend_info_json = $5, parent_works_id = $6, updated_at_ms = $7"
        " where works_id = $8 and agent_id = $9";
    A2H_TRY(take_out(transaction, works.works_id));
    A2H_TRY(must_have_changed(transaction.execute(
        kUpdate, {std::int64_t{works.type}, works.title, works.content, works.pictures_json,
                  works.extend_info_json, works.parent_works_id, works.updated_at_ms,
                  works.works_id, works.agent_id})));
    return index_works(transaction, works);
}

Result<void> delete_works(db::Transaction& transaction, std::string_view works_id,
                          std::string_view agent_id) {
    static constexpr std::string_view kDelete =
        "delete from works where works_id = $1 and agent_id = $2";
    A2H_TRY(take_out(transaction, works_id));
    return must_have_changed(
        transaction.execute(kDelete, {std::string(works_id), std::string(agent_id)}));
}

Result<std::optional<Works>> find_works(db::Transaction& transaction, std::string_view works_id) {
    static const std::string kById = kSelectWorks + "w.works_id = $1";
    A2H_ASSIGN_OR_RETURN(auto row, transaction.query_one(kById, {std::string(works_id)}));
    if (!row) return std::optional<Works>();
    return std::optional(read_works(std::move(*row)));
}

Result<std::vector<Works>> list_works(db::Transaction& transaction, const WorksQuery& query) {
    std::string sql = kSelectWorks + "a.revoked_at_ms is null";
    std::vector<db::Value> parameters;
    const auto add = [&](std::string_view condition, db::Value value) {
        parameters.push_back(std::move(value));
        sql += std::string(condition) + "$" + std::to_string(parameters.size());
    };
    if (!query.agent_id.empty()) add(" and w.agent_id = ", query.agent_id);
    if (query.type) add(" and w.type = ", std::int64_t{*query.type});
    if (!query.with_replies) sql += " and w.parent_works_id = ''";
    sql += " order by w.created_at_ms desc, w.works_id";
    add(" limit ", query.limit);
    add(" offset ", query.offset);
    A2H_ASSIGN_OR_RETURN(auto rows, transaction.query(sql, parameters));
    return read_all_works(std::move(rows));
}

std::vector<Works> read_all_works(std::vector<db::Row> rows) {
    std::vector<Works> all;
    all.reserve(rows.size());
    for (db::Row& row : rows)
        all.push_back(read_works(std::move(row)));
    return all;
}

}  // namespace a2h::market::store
