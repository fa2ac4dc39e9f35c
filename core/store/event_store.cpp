#include "core/store/event_store.h"

#include <algorithm>

#include "core/store/statement.h"

namespace a2h::store {
namespace {

/// Old rows are deleted this many at a time, so that most inserts do nothing else.
constexpr std::int64_t kTrimEvery = 256;

constexpr auto kEvent = sql::table<Event>(
    "event", A2H_COLUMNS(Event, id, agent_id, kind, subject, detail_json, created_at_ms));

}  // namespace

Result<std::int64_t> insert_event(Database& db, const Event& event) {
    static constexpr auto kNew = sql::without<kEvent, &Event::id>();
    static const std::string kInsert = kNew.insert();
    static constexpr const char* kTrim = "delete from event where id <= ?";
    A2H_ASSIGN_OR_RETURN(const auto id, db.statement(kInsert).put_new(kNew, event));
    if (id % kTrimEvery == 0) {
        A2H_TRY(db.statement(kTrim).run(id - (kEventRowsMax - kTrimEvery)));
    }
    return id;
}

Result<EventRange> event_range(Database& db) {
    static constexpr const char* kSql =
        "select coalesce((select min(id) from event), 0), coalesce((select max(id) from event), 0)";
    A2H_ASSIGN_OR_RETURN(const auto range, db.statement(kSql).first([](Row& row) {
        return EventRange{row.integer(0), row.integer(1)};
    }));
    return range.value_or(EventRange{});
}

Result<std::vector<Event>> events_after(Database& db, std::string_view agent_id,
                                        std::int64_t after_id, int limit) {
    static const std::string kAll = kEvent.select("where id > ? order by id limit ?");
    static const std::string kOfAgent =
        kEvent.select("where id > ? and agent_id = ? order by id limit ?");
    if (agent_id.empty()) return db.statement(kAll).all(kEvent, after_id, limit);
    return db.statement(kOfAgent).all(kEvent, after_id, agent_id, limit);
}

Result<std::vector<Event>> approval_events(Database& db, const ApprovalEvents& wanted) {
    static const std::string kAfter = kEvent.select(
        "where id > ? and agent_id = ? and kind glob 'approval.*' and ? in ('', subject) "
        "order by id limit ?");
    static const std::string kNewest = kEvent.select(
        "where agent_id = ? and kind glob 'approval.*' and ? in ('', subject) order by id "
        "desc limit ?");
    if (wanted.after_id) {
        return db.statement(kAfter).all(kEvent, *wanted.after_id, wanted.agent_id,
                                        wanted.approval_id, wanted.limit);
    }
    auto events =
        db.statement(kNewest).all(kEvent, wanted.agent_id, wanted.approval_id, wanted.limit);
    if (events) std::reverse(events->begin(), events->end());
    return events;
}

}  // namespace a2h::store
