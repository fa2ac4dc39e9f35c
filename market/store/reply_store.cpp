#include "market/store/reply_store.h"

namespace a2h::market::store {
namespace {

/// Posts that answer a post count as replies to it.
constexpr auto kReply =
    sql::table<Reply>("reply",
                      A2H_COLUMNS(Reply, reply_id, works_id, agent_id, parent_reply_id, content,
                                  created_at_ms, title),
                      sql::column("name", &Reply::nickname));
constexpr auto kStoredReply = sql::without<kReply, &Reply::nickname, &Reply::title>();

Result<void> check_parents(db::Transaction& transaction, const Reply& reply) {
    static constexpr std::string_view kWorks = "select count(*) from works where works_id = $1";
    static constexpr std::string_view kParent =
        "select count(*) from reply where reply_id = $1 and works_id = $2";
    A2H_ASSIGN_OR_RETURN(const bool works, transaction.statement(kWorks).is_true(reply.works_id));
    if (!works) return fail(ErrorCode::NotFound, "there is no such post");
    if (reply.parent_reply_id.empty()) return {};
    A2H_ASSIGN_OR_RETURN(const bool parent, transaction.statement(kParent).is_true(
                                                reply.parent_reply_id, reply.works_id));
    if (!parent) return fail(ErrorCode::NotFound, "there is no such reply to this post");
    return {};
}

}  // namespace

Result<void> add_reply(db::Transaction& transaction, const Reply& reply) {
    static const std::string kSql = kStoredReply.insert();
    A2H_TRY(check_parents(transaction, reply));
    return transaction.statement(kSql).put(kStoredReply, reply);
}

Result<std::vector<Reply>> list_replies(db::Transaction& transaction, std::string_view works_id,
                                        std::int64_t offset, std::int64_t limit) {
    static const std::string kSql =
        "select " + kReply.names() +
        " from (select l.*, a.name from (select reply_id, works_id, agent_id, '' as title,"
        " parent_reply_id, content, created_at_ms from reply where works_id = $1 union all "
        "select works_id as reply_id, parent_works_id as works_id, agent_id, title,"
        " '' as parent_reply_id, content, created_at_ms from works"
        " where parent_works_id = $1 and parent_works_id <> '') l"
        " join agent a on a.agent_id = l.agent_id) found"
        " order by created_at_ms, reply_id limit $2 offset $3";
    return transaction.statement(kSql).all(kReply, works_id, limit, offset);
}

Result<std::int64_t> count_replies(db::Transaction& transaction, std::string_view works_id) {
    static constexpr std::string_view kCount =
        "select (select count(*) from reply where works_id = $1) + (select count(*) from works"
        " where parent_works_id = $1 and parent_works_id <> '')";
    return transaction.statement(kCount).number(works_id);
}

}  // namespace a2h::market::store
