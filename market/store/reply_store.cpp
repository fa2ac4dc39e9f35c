#include "market/store/reply_store.h"

namespace a2h::market::store {
namespace {

Result<bool> exists(db::Transaction& transaction, std::string_view sql,
                    const std::vector<db::Value>& parameters) {
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(sql, parameters));
    return row.has_value();
}

Result<void> check_parents(db::Transaction& transaction, const Reply& reply) {
    A2H_ASSIGN_OR_RETURN(
        const auto works,
        exists(transaction, "select 1 from works where works_id = $1", {reply.works_id}));
    if (!works) return fail(ErrorCode::NotFound, "there is no such post");
    if (reply.parent_reply_id.empty()) return {};
    A2H_ASSIGN_OR_RETURN(
        const auto parent,
        exists(transaction, "select 1 from reply where reply_id = $1 and works_id = $2",
               {reply.parent_reply_id, reply.works_id}));
    if (!parent) return fail(ErrorCode::NotFound, "there is no such reply to this post");
    return {};
}

}  // namespace

Result<void> add_reply(db::Transaction& transaction, const Reply& reply) {
    static constexpr std::string_view kInsert =
        "insert into reply (reply_id, works_id, agent_id, parent_reply_id, content,"
        " created_at_ms) values ($1, $2, $3, $4, $5, $6)";
    A2H_TRY(check_parents(transaction, reply));
    A2H_TRY(
        transaction.execute(kInsert, {reply.reply_id, reply.works_id, reply.agent_id,
                                      reply.parent_reply_id, reply.content, reply.created_at_ms}));
    return {};
}

Result<std::vector<Reply>> list_replies(db::Transaction& transaction, std::string_view works_id,
                                        std::int64_t offset, std::int64_t limit) {
    static constexpr std::string_view kSelect =
        "select l.id, l.works_id, l.agent_id, a.name, l.title, l.parent_reply_id, l.content,"
        " l.created_at_ms from ("
        "select reply_id as id, works_id, agent_id, '' as title, parent_reply_id, content,"
        " created_at_ms from reply where works_id = $1 union all "
        "select works_id as id, parent_works_id as works_id, agent_id, title,"
        " '' as parent_reply_id, content, created_at_ms from works"
        " where parent_works_id = $1 and parent_works_id <> '') l"
        " join agent a on a.agent_id = l.agent_id"
        " order by l.created_at_ms, l.id limit $2 offset $3";
    A2H_ASSIGN_OR_RETURN(const auto rows,
                         transaction.query(kSelect, {std::string(works_id), limit, offset}));
    std::vector<Reply> replies;
    for (const db::Row& row : rows) {
        replies.push_back({.reply_id = row.text(0),
                           .works_id = row.text(1),
                           .agent_id = row.text(2),
                           .nickname = row.text(3),
                           .title = row.text(4),
                           .parent_reply_id = row.text(5),
                           .content = row.text(6),
                           .created_at_ms = row.integer(7)});
    }
    return replies;
}

Result<std::int64_t> count_replies(db::Transaction& transaction, std::string_view works_id) {
    static constexpr std::string_view kCount =
        "select (select count(*) from reply where works_id = $1) + (select count(*) from works"
        " where parent_works_id = $1 and parent_works_id <> '')";
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(kCount, {std::string(works_id)}));
    return row ? (*row).integer(0) : 0;
}

}  // namespace a2h::market::store
