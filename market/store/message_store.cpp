#include "market/store/message_store.h"

#include "core/base/ids.h"

namespace a2h::market::store {

Result<void> record_message(db::Transaction& transaction, const RecordedMessage& message) {
    // From the agent's own row, because an error would undo the other messages of the group.
    static constexpr std::string_view kInsert =
        "insert into message (session_id, sender_id, target_id, message_id, trace_id,"
        " envelope_json, recorded_at_ms) select $1, $2, agent_id, $3, $4, $5, $6 from agent"
        " where agent_id = $7 on conflict (sender_id, message_id) do nothing";
    const auto added = transaction.execute(
        kInsert,
        {session_id(message.sender_id, message.target_id), message.sender_id, message.message_id,
         message.trace_id, message.envelope_json, message.recorded_at_ms, message.target_id});
    return added ? Result<void>() : fail(added.error());
}

Result<MessagePage> list_messages(db::Transaction& transaction, std::string_view session_id,
                                  UnixMs since_ms, std::int64_t offset, std::int64_t limit) {
    static constexpr std::string_view kCount =
        "select count(*) from message where session_id = $1 and recorded_at_ms >= $2";
    static constexpr std::string_view kPage =
        "select sender_id, target_id, message_id, trace_id, envelope_json, recorded_at_ms"
        " from message where session_id = $1 and recorded_at_ms >= $2"
        " order by row_id desc limit $3 offset $4";
    MessagePage page;
    const auto total = transaction.query_one(kCount, {std::string(session_id), since_ms});
    if (!total) return fail(total.error());
    page.total = (*total)->integer(0);
    const auto rows = transaction.query(kPage, {std::string(session_id), since_ms, limit, offset});
    if (!rows) return fail(rows.error());
    for (const db::Row& row : *rows) {
        page.messages.push_back({.sender_id = row.text(0),
                                 .target_id = row.text(1),
                                 .message_id = row.text(2),
                                 .trace_id = row.text(3),
                                 .envelope_json = row.text(4),
                                 .recorded_at_ms = row.integer(5)});
    }
    return page;
}

Result<std::int64_t> delete_messages(db::Transaction& transaction, UnixMs before_ms,
                                     std::int64_t limit) {
    static constexpr std::string_view kDelete =
        "delete from message where row_id in (select row_id from message"
        " where recorded_at_ms < $1 order by recorded_at_ms limit $2)";
    return transaction.execute(kDelete, {before_ms, limit});
}

}  // namespace a2h::market::store
