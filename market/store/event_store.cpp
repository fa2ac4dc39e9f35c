#include "market/store/event_store.h"

#include "core/base/ids.h"

namespace a2h::market::store {

Result<void> announce(db::Transaction& transaction, std::string_view target_agent_id,
                      std::string_view payload_json, UnixMs now_ms) {
    static constexpr std::string_view kInsert =
        "insert into event (target_id, message_id, trace_id, payload_json, created_at_ms)"
        " values ($1, $2, $3, $4, $5)";
    if (payload_json.size() > kEventPayloadBytesMax) {
        return fail(ErrorCode::InvalidArgument, "the event's payload is too large");
    }
    const auto added =
        transaction.execute(kInsert, {std::string(target_agent_id), new_message_id(now_ms),
                                      new_trace_id(now_ms), std::string(payload_json), now_ms});
    return added ? Result<void>() : fail(added.error());
}

Result<std::vector<Event>> oldest_events(db::Transaction& transaction, std::int64_t limit) {
    static constexpr std::string_view kOldest =
        "select event_id, target_id, message_id, trace_id, payload_json, created_at_ms from event"
        " order by event_id limit $1";
    A2H_ASSIGN_OR_RETURN(const auto rows, transaction.query(kOldest, {limit}));
    std::vector<Event> events;
    for (const db::Row& row : rows) {
        events.push_back({.event_id = row.integer(0),
                          .target_id = row.text(1),
                          .message_id = row.text(2),
                          .trace_id = row.text(3),
                          .payload_json = row.text(4),
                          .created_at_ms = row.integer(5)});
    }
    return events;
}

Result<void> delete_event(db::Transaction& transaction, std::int64_t event_id) {
    const auto deleted = transaction.execute("delete from event where event_id = $1", {event_id});
    return deleted ? Result<void>() : fail(deleted.error());
}

Result<std::int64_t> count_events(db::Transaction& transaction) {
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one("select count(*) from event", {}));
    return row->integer(0);
}

}  // namespace a2h::market::store
