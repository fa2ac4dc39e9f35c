#include "market/store/event_store.h"

#include "core/base/ids.h"

namespace a2h::market::store {
namespace {

constexpr auto kEvent = sql::table<Event>(
    "event",
    A2H_COLUMNS(Event, event_id, target_id, message_id, trace_id, payload_json, created_at_ms));

}  // namespace

Result<void> announce(db::Transaction& transaction, std::string_view target_agent_id,
                      std::string_view payload_json, UnixMs now_ms) {
    static constexpr auto kNew = sql::without<kEvent, &Event::event_id>();
    static const std::string kSql = kNew.insert();
    if (payload_json.size() > kEventPayloadBytesMax) {
        return fail(ErrorCode::InvalidArgument, "the event's payload is too large");
    }
    return transaction.statement(kSql).put(kNew, Event{.target_id = std::string(target_agent_id),
                                                       .message_id = new_message_id(now_ms),
                                                       .trace_id = new_trace_id(now_ms),
                                                       .payload_json = std::string(payload_json),
                                                       .created_at_ms = now_ms});
}

Result<std::vector<Event>> oldest_events(db::Transaction& transaction, std::int64_t limit) {
    static const std::string kSql = kEvent.select(
        "where event_id in (select min(event_id) from event group by target_id)"
        " order by event_id limit $1");
    return transaction.statement(kSql).all(kEvent, limit);
}

Result<WaitingEvents> waiting_events(db::Transaction& transaction, std::string_view target_id) {
    static constexpr std::string_view kOldest =
        "select coalesce(min(event_id), 0) from event where target_id = $1";
    static constexpr std::string_view kNewest =
        "select coalesce(max(event_id), 0) from event where target_id = $1";
    A2H_ASSIGN_OR_RETURN(const auto oldest, transaction.statement(kOldest).number(target_id));
    A2H_ASSIGN_OR_RETURN(const auto newest, transaction.statement(kNewest).number(target_id));
    return WaitingEvents{oldest, newest};
}

Result<void> delete_event(db::Transaction& transaction, std::int64_t event_id) {
    return transaction.statement("delete from event where event_id = $1").run(event_id);
}

Result<std::int64_t> count_events(db::Transaction& transaction) {
    return transaction.statement("select count(*) from event").number();
}

}  // namespace a2h::market::store
