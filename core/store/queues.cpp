#include "core/store/queues.h"

#include "core/domain/outbox.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

Queue read_queue(Row& row) {
    return {row.integer(0), row.integer(1)};
}

Result<Queue> queue_of(Database& db, const char* sql) {
    A2H_ASSIGN_OR_RETURN(const auto queue, db.statement(sql).first(read_queue));
    return queue.value_or(Queue{});
}

/// Job and message have the same id, and ids grow in order of arrival.
Result<Queue> inbox_queue(Database& db) {
    static constexpr const char* kSql =
        "with open (id) as ("
        "select inbox_id from job indexed by job_pending where state = 'pending' "
        "union all select job_id from stage_case indexed by stage_case_open "
        "where stage <> 'closed' and kind <> 'holding') "
        "select count(*), coalesce((select received_at_ms from inbox "
        "where id = (select min(id) from open)), 0) from open";
    return queue_of(db, kSql);
}

Result<Queue> outbox_queue(Database& db) {
    static constexpr const char* kSql =
        "select count(*), coalesce((select created_at_ms from outbox where id = "
        "(select min(id) from outbox indexed by outbox_queued where state = 'queued')), 0) "
        "from outbox indexed by outbox_queued where state = 'queued'";
    return queue_of(db, kSql);
}

Result<Queue> approval_queue(Database& db) {
    static constexpr const char* kSql =
        "select count(*), coalesce(min(created_at_ms), 0) "
        "from approval indexed by approval_pending where status = 'pending'";
    return queue_of(db, kSql);
}

/// The index begins with the agent, so the agents are searched one after the other.
Result<std::int64_t> count_of_state(Database& db, OutboxState state) {
    static constexpr const char* kSql =
        "with recursive agent (id) as ("
        "select min(agent_id) from outbox indexed by outbox_settled where state <> 'queued' "
        "union all select (select min(agent_id) from outbox indexed by outbox_settled "
        "where state <> 'queued' and agent_id > agent.id) from agent where agent.id is not null) "
        "select coalesce(sum((select count(*) from outbox indexed by outbox_settled "
        "where agent_id = agent.id and state = ? and state <> 'queued')), 0) from agent";
    return db.statement(kSql).number(state);
}

}  // namespace

Result<Queues> read_queues(Database& db) {
    Queues queues;
    A2H_TRY(db.savepoint([&]() -> Result<void> {
        A2H_ASSIGN_OR_RETURN(const auto inbox, inbox_queue(db));
        A2H_ASSIGN_OR_RETURN(const auto outbox, outbox_queue(db));
        A2H_ASSIGN_OR_RETURN(const auto approvals, approval_queue(db));
        A2H_ASSIGN_OR_RETURN(const auto dead, count_of_state(db, OutboxState::Dead));
        A2H_ASSIGN_OR_RETURN(const auto held, count_of_state(db, OutboxState::Held));
        queues = {inbox, outbox, approvals, dead, held};
        return {};
    }));
    return queues;
}

}  // namespace a2h::store
