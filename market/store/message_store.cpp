#include "market/store/message_store.h"

#include <iterator>

#include "core/base/ids.h"

namespace a2h::market::store {
namespace {

/// Columns from `first` on: sender, target, message id, trace id, envelope, time.
RecordedMessage message_of(const db::Row& row, std::size_t first) {
    return {.sender_id = row.text(first),
            .target_id = row.text(first + 1),
            .message_id = row.text(first + 2),
            .trace_id = row.text(first + 3),
            .envelope_json = row.text(first + 4),
            .recorded_at_ms = row.integer(first + 5)};
}

}  // namespace

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
    A2H_ASSIGN_OR_RETURN(const auto total,
                         transaction.query_one(kCount, {std::string(session_id), since_ms}));
    page.total = total->integer(0);
    A2H_ASSIGN_OR_RETURN(const auto rows, transaction.query(kPage, {std::string(session_id),
                                                                    since_ms, limit, offset}));
    for (const db::Row& row : rows)
        page.messages.push_back(message_of(row, 0));
    return page;
}

Result<IncomingPage> list_incoming(db::Transaction& transaction, std::string_view target_id,
                                   std::int64_t after, UnixMs since_ms, std::int64_t limit) {
    static constexpr std::string_view kReached = "select coalesce(max(row_id), 0) from message";
    static constexpr std::string_view kPage =
        "select row_id, sender_id, target_id, message_id, trace_id, envelope_json, recorded_at_ms"
        " from message where target_id = $1 and row_id > $2 and recorded_at_ms >= $3"
        " order by row_id limit $4";
    A2H_ASSIGN_OR_RETURN(const auto reached, transaction.query_one(kReached, {}));
    IncomingPage page{.after = after <= reached->integer(0) ? after : 0};
    A2H_ASSIGN_OR_RETURN(
        const auto rows,
        transaction.query(kPage, {std::string(target_id), page.after, since_ms, limit + 1}));
    std::size_t bytes = 0;
    for (const db::Row& row : rows) {
        page.more = std::ssize(page.messages) == limit || bytes > kIncomingBytesMax;
        if (page.more) break;
        page.after = row.integer(0);
        page.messages.push_back(message_of(row, 1));
        bytes += page.messages.back().envelope_json.size();
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
