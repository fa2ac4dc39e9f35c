#include "market/store/works_store.h"

#include "core/i18n/normalize.h"

namespace a2h::market::store {
namespace {

constexpr std::string_view kSelect =
    "select w.works_id, w.agent_id, a.name, w.type, w.title, w.content, w.pictures_json,"
    " w.extend_info_json, w.parent_works_id, w.created_at_ms, w.updated_at_ms"
    " from works w join agent a on a.agent_id = w.agent_id where ";

Works read_works(const db::Row& row) {
    return {.works_id = row.text(0),
            .agent_id = row.text(1),
            .nickname = row.text(2),
            .type = static_cast<int>(row.integer(3)),
            .title = row.text(4),
            .content = row.text(5),
            .pictures_json = row.text(6),
            .extend_info_json = row.text(7),
            .parent_works_id = row.text(8),
            .created_at_ms = row.integer(9),
            .updated_at_ms = row.integer(10)};
}

std::string search_text(const Works& works) {
    return i18n::fold(works.title) + "\n" + i18n::fold(works.content);
}

/// `word` as a pattern of `like … escape '\'` that finds it anywhere.
std::string anywhere(std::string_view word) {
    std::string pattern = "%";
    for (const char c : word) {
        if (c == '%' || c == '_' || c == '\\') pattern += '\\';
        pattern += c;
    }
    return pattern + "%";
}

Unexpected no_such_post() {
    return fail(ErrorCode::NotFound, "there is no such post of yours");
}

/// NotFound when nothing was changed.
Result<void> one_changed(const Result<std::int64_t>& changed) {
    if (!changed) return fail(changed.error());
    if (*changed == 0) return no_such_post();
    return {};
}

}  // namespace

Result<void> add_works(db::Transaction& transaction, const Works& works) {
    static constexpr std::string_view kInsert =
        "insert into works (works_id, agent_id, type, title, content, pictures_json,"
        " extend_info_json, parent_works_id, search_text, created_at_ms, updated_at_ms)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    const auto added = transaction.execute(
        kInsert, {works.works_id, works.agent_id, std::int64_t{works.type}, works.title,
                  works.content, works.pictures_json, works.extend_info_json, works.parent_works_id,
                  search_text(works), works.created_at_ms, works.updated_at_ms});
    return added ? Result<void>() : fail(added.error());
}

Result<void> update_works(db::Transaction& transaction, const Works& works) {
    static constexpr std::string_view kUpdate =
        "update works set type = $1, title = $2, content = $3, pictures_json = $4,"
        " extend_info_json = $5, parent_works_id = $6, search_text = $7, updated_at_ms = $8"
        " where works_id = $9 and agent_id = $10";
    return one_changed(transaction.execute(
        kUpdate, {std::int64_t{works.type}, works.title, works.content, works.pictures_json,
                  works.extend_info_json, works.parent_works_id, search_text(works),
                  works.updated_at_ms, works.works_id, works.agent_id}));
}

Result<void> delete_works(db::Transaction& transaction, std::string_view works_id,
                          std::string_view agent_id) {
    static constexpr std::string_view kDelete =
        "delete from works where works_id = $1 and agent_id = $2";
    return one_changed(
        transaction.execute(kDelete, {std::string(works_id), std::string(agent_id)}));
}

Result<std::optional<Works>> find_works(db::Transaction& transaction, std::string_view works_id) {
    static const std::string kById = std::string(kSelect) + "w.works_id = $1";
    const auto row = transaction.query_one(kById, {std::string(works_id)});
    if (!row) return fail(row.error());
    if (!*row) return std::optional<Works>();
    return std::optional(read_works(**row));
}

Result<std::vector<Works>> list_works(db::Transaction& transaction, const WorksQuery& query) {
    // A substring search finds two-character Chinese words, which SQLite's tokenizers do not.
    std::string sql = std::string(kSelect) + "a.revoked_at_ms is null";
    std::vector<db::Value> parameters;
    const auto add = [&](std::string_view condition, db::Value value, std::string_view end = "") {
        parameters.push_back(std::move(value));
        sql += std::string(condition) + "$" + std::to_string(parameters.size()) + std::string(end);
    };
    if (!query.agent_id.empty()) add(" and w.agent_id = ", query.agent_id);
    if (query.type) add(" and w.type = ", std::int64_t{*query.type});
    for (const std::string& word : query.words)
        add(" and w.search_text like ", anywhere(word), " escape '\\'");
    sql += " order by w.created_at_ms desc, w.works_id";
    add(" limit ", query.limit);
    add(" offset ", query.offset);
    const auto rows = transaction.query(sql, parameters);
    if (!rows) return fail(rows.error());
    std::vector<Works> found;
    for (const db::Row& row : *rows)
        found.push_back(read_works(row));
    return found;
}

}  // namespace a2h::market::store
