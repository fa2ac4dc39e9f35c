#include "daemon/agents/stops.h"

#include <algorithm>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "core/store/assignment_store.h"
#include "core/store/event_store.h"
#include "core/store/job_store.h"
#include "core/store/local_agent_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/canonical.h"
#include "daemon/agents/tasks.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/unsent.h"
#include "daemon/effects/rows.h"

namespace a2h::agents {
namespace {

using nlohmann::json;

constexpr std::string_view kStoppedRule = "house.stopped";
/// More messages than wait for one agent.
constexpr int kQueuedReadMax = 1'000;

/// The cause of the report that a task of a stopped agent has ended.
std::string cause_of_report(const Assignment& task, StoppedBy by) {
    return by == StoppedBy::Assistant ? "stop:assistant" : "task:" + task.task_id;
}

Result<void> write_stop(store::Database& db, const std::string& agent_id, StoppedBy by,
                        const consent::Policy& policy, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto agent, store::get_local_agent(db, agent_id));
    if (!agent) return fail(ErrorCode::NotFound, "there is no agent " + agent_id);
    A2H_TRY(end_work(db, agent_id, by, policy, now_ms));
    A2H_TRY(store::stop_local_agent(db, agent_id, now_ms));
    return record(db, *agent, "agent.stopped", now_ms);
}
/// The active agents of the subtree, children before parents. Read in the transaction that stops
/// them, because one may have been created a moment ago.
Result<std::vector<std::string>> subtree_of(store::Database& db, const std::string& agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto all, store::list_local_agents(db));
    std::unordered_set<std::string> inside{agent_id};
    std::vector<std::string> ids;
    for (const LocalAgent& each : all) {
        if (each.agent_id != agent_id && !inside.contains(each.parent_id)) continue;
        inside.insert(each.agent_id);
        if (each.state == LocalAgentState::Active) ids.push_back(each.agent_id);
    }
    std::reverse(ids.begin(), ids.end());
    return ids;
}

/// Drops what waits to be sent.
Result<void> drop_queued(store::Database& db, const std::string& agent_id, std::string_view why,
                         UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto queued,
                         store::list_outbox(db, agent_id, OutboxState::Queued, kQueuedReadMax));
    for (const OutboxMessage& message : queued)
        A2H_TRY(consent::record_unsent(db, message, why, now_ms));
    return store::drop_queued_outbox(db, agent_id, now_ms);
}

}  // namespace

/// Ends everything of the agent: queued messages, tasks, questions, mandates and jobs. A message
/// that is being sent already is still sent while there is a connection.
Result<void> end_work(store::Database& db, const std::string& agent_id, StoppedBy by,
                      const consent::Policy& policy, UnixMs now_ms) {
    const std::string why = i18n::text(policy.language, "daemon.agent_stopped");
    A2H_TRY(drop_queued(db, agent_id, why, now_ms));
    A2H_ASSIGN_OR_RETURN(const auto live, store::live_assignments(db, agent_id));
    for (const Assignment& task : live)
        A2H_TRY(cancel_task(db, task, why, cause_of_report(task, by), policy, now_ms));
    A2H_TRY(consent::call_off_all(db, agent_id, why, policy, now_ms));
    A2H_TRY(mandates::revoke_all(db, agent_id, {owner_of(policy.people), AnswerSurface::System},
                                 now_ms));
    return store::close_pending_jobs(db, agent_id, kStoppedRule, now_ms);
}

Result<std::vector<std::string>> write_stops(store::Database& db, const std::string& agent_id,
                                             StoppedBy by, const consent::Policy& policy,
                                             UnixMs now_ms) {
    auto ids = subtree_of(db, agent_id);
    if (!ids) return ids;
    for (const std::string& id : *ids)
        A2H_TRY(write_stop(db, id, by, policy, now_ms));
    return ids;
}

Result<std::vector<std::string>> peers_of_tasks(store::Database& db, const std::string& agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto ids, subtree_of(db, agent_id));
    std::vector<std::string> peers;
    for (const std::string& id : ids) {
        A2H_ASSIGN_OR_RETURN(const auto live, store::live_assignments(db, id));
        for (const Assignment& task : live)
            peers.push_back(task.peer_id);
    }
    return peers;
}

Result<bool> has_open_question(store::Database& db, const std::string& agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto ids, subtree_of(db, agent_id));
    for (const std::string& id : ids) {
        A2H_ASSIGN_OR_RETURN(const auto open,
                             store::list_approvals(db, id, ApprovalStatus::Pending, 1));
        if (!open.empty()) return true;
    }
    return false;
}

Result<void> record(store::Database& db, const LocalAgent& agent, std::string_view kind,
                    UnixMs now_ms) {
    const json detail{{"parent_id", agent.parent_id}, {"role_id", agent.role_id}};
    const auto event =
        store::insert_event(db, effects::new_event(agent.agent_id, kind, agent.agent_id,
                                                   wire::canonical_json(detail), now_ms));
    return event ? Result<void>() : fail(event.error());
}

}  // namespace a2h::agents
