#include "core/store/event_store.h"

#include <algorithm>

#include "core/store/statement.h"

namespace a2h::store {
namespace {

/// Old rows go this many at a time, so that an insert is mostly just an insert.
constexpr std::int64_t kTrimEvery = 256;

Event read_event(Row& row) {
    return Event{row.integer(0), row.text(1), row.text(2),
                 row.text(3),    row.text(4), row.integer(5)};
}

}  // namespace

Result<std::int64_t> insert_event(Database& db, const Event& event) {
    static constexpr const char* kInsert =
        "insert into event (agent_id, kind, subject, detail_json, created_at_ms) "
        "values (?, ?, ?, ?, ?)";
    static constexpr const char* kTrim = "delete from event where id <= ?";
    Statement& insert = db.statement(kInsert);
    A2H_TRY(insert.run(event.agent_id, event.kind, event.subject, event.detail_json,
                       event.created_at_ms));
    const std::int64_t id = insert.last_id();
    if (id % kTrimEvery == 0) {
        A2H_TRY(db.statement(kTrim).run(id - (kEventRowsMax - kTrimEvery)));
    }
    return id;
}

Result<EventRange> event_range(Database& db) {
    static constexpr const char* kSql =
        "select coalesce((select min(id) from event), 0), coalesce((select max(id) from event), 0)";
    const auto range = db.statement(kSql).first([](Row& row) {
        return EventRange{row.integer(0), row.integer(1)};
    });
    if (!range) return fail(range.error());
    return range->value_or(EventRange{});
}

Result<std::vector<Event>> events_after(Database& db, std::string_view agent_id,
                                        std::int64_t after_id, int limit) {
    static constexpr const char* kAll =
        "select id, agent_id, kind, subject, detail_json, created_at_ms from event "
        "where id > ? order by id limit ?";
    static constexpr const char* kOfAgent =
        "select id, agent_id, kind, subject, detail_json, created_at_ms from event "
        "where id > ? and agent_id = ? order by id limit ?";
    if (agent_id.empty()) return db.statement(kAll).all(read_event, after_id, limit);
    return db.statement(kOfAgent).all(read_event, after_id, agent_id, limit);
}

Result<std::vector<Event>> approval_events(Database& db, const ApprovalEvents& wanted) {
    static constexpr const char* kAfter =
        "select id, agent_id, kind, subject, detail_json, created_at_ms from event "
        "where id > ? and agent_id = ? and kind glob 'approval.*' and ? in ('', subject) "
        "order by id limit ?";
    static constexpr const char* kNewest =
        "select id, agent_id, kind, subject, detail_json, created_at_ms from event "
        "where agent_id = ? and kind glob 'approval.*' and ? in ('', subject) "
        "order by id desc limit ?";
    if (wanted.after_id) {
        return db.statement(kAfter).all(read_event, *wanted.after_id, wanted.agent_id,
                                        wanted.approval_id, wanted.limit);
    }
    auto events =
        db.statement(kNewest).all(read_event, wanted.agent_id, wanted.approval_id, wanted.limit);
    if (events) std::reverse(events->begin(), events->end());
    return events;
}

}  // namespace a2h::store
