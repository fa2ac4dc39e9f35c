#include "market/store/message_store.h"

#include <iterator>

#include "core/base/ids.h"

namespace a2h::market::store {
namespace {

constexpr auto kMessage = sql::table<RecordedMessage>(
    "message", A2H_COLUMNS(RecordedMessage, sender_id, target_id, message_id, trace_id,
                           envelope_json, recorded_at_ms));

/// False if there is such a message, or no such receiver.
Result<bool> insert(db::Transaction& transaction, const std::string& session,
                    const RecordedMessage& message) {
    // Selected from the agent's own row, because an error would undo the other messages of the
    // group.
    static constexpr std::string_view kInsert =
        "insert into message (session_id, sender_id, target_id, message_id, trace_id,"
        " envelope_json, recorded_at_ms) select $1, $2, agent_id, $3, $4, $5, $6 from agent"
        " where agent_id = $7 on conflict (sender_id, message_id) do nothing";
    auto statement = transaction.statement(kInsert);
    A2H_TRY(statement.run(session, message.sender_id, message.message_id, message.trace_id,
                          message.envelope_json, message.recorded_at_ms, message.target_id));
    return statement.changes() > 0;
}

/// Whether the broker has only delivered the same bytes again.
Result<bool> is_recorded(db::Transaction& transaction, const RecordedMessage& message) {
    static constexpr std::string_view kSql =
        "select count(*) from message where sender_id = $1 and message_id = $2"
        " and target_id = $3 and envelope_json = $4";
    A2H_ASSIGN_OR_RETURN(const auto found, transaction.statement(kSql).number(
                                               message.sender_id, message.message_id,
                                               message.target_id, message.envelope_json));
    return found > 0;
}

}  // namespace

Result<void> record_message(db::Transaction& transaction, const RecordedMessage& message) {
    const std::string session = session_id(message.sender_id, message.target_id);
    A2H_ASSIGN_OR_RETURN(const bool is_first, insert(transaction, session, message));
    if (is_first) return {};
    A2H_ASSIGN_OR_RETURN(const bool is_repeated, is_recorded(transaction, message));
    return is_repeated ? Result<void>() : record_apart(transaction, message);
}

Result<void> record_apart(db::Transaction& transaction, const RecordedMessage& message) {
    RecordedMessage apart = message;
    apart.message_id = "apart_" + message.digest;
    A2H_TRY(insert(transaction, "", apart));
    return {};
}

Result<MessagePage> list_messages(db::Transaction& transaction, std::string_view session_id,
                                  UnixMs since_ms, std::int64_t offset, std::int64_t limit) {
    static constexpr std::string_view kCount =
        "select count(*) from message where session_id = $1 and recorded_at_ms >= $2";
    static const std::string kPage = kMessage.select(
        "where session_id = $1 and recorded_at_ms >= $2"
        " order by row_id desc limit $3 offset $4");
    MessagePage page;
    A2H_ASSIGN_OR_RETURN(page.total, transaction.statement(kCount).number(session_id, since_ms));
    A2H_ASSIGN_OR_RETURN(page.messages, transaction.statement(kPage).all(kMessage, session_id,
                                                                         since_ms, limit, offset));
    return page;
}

Result<IncomingPage> list_incoming(db::Transaction& transaction, std::string_view target_id,
                                   std::int64_t after, UnixMs since_ms, std::int64_t limit) {
    static constexpr std::string_view kReached = "select coalesce(max(row_id), 0) from message";
    static const std::string kPage =
        "select " + kMessage.names() +
        ", row_id from message where target_id = $1 and row_id > $2 and recorded_at_ms >= $3"
        " order by row_id limit $4";
    A2H_ASSIGN_OR_RETURN(const auto reached, transaction.statement(kReached).number());
    IncomingPage page{.after = after <= reached ? after : 0};
    A2H_ASSIGN_OR_RETURN(auto rows,
                         transaction.statement(kPage).all(sql::with_number(kMessage), target_id,
                                                          page.after, since_ms, limit + 1));
    std::size_t bytes = 0;
    for (auto& [message, row_id] : rows) {
        page.more = std::ssize(page.messages) == limit || bytes > kIncomingBytesMax;
        if (page.more) break;
        page.after = row_id;
        bytes += message.envelope_json.size();
        page.messages.push_back(std::move(message));
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
