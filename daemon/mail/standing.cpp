#include "daemon/mail/standing.h"

#include <algorithm>

#include "daemon/consent/open_matters.h"
#include "daemon/mail/other_instance.h"

namespace a2h::mail {
namespace {

/// A message can be answered as long as an agent lives that the market knows.
bool can_be_answered(const Agent& agent) {
    return agent.connection && !agent.is_stopped;
}

/// The broker keeps the order of messages, so a canary that has come back on this connection proves
/// that everything that waited before it was received.
bool has_caught_up(const Agent& agent) {
    return agent.connected && agent.self_test.has_returned;
}

bool has_failed_to_connect(const Agent& agent) {
    return !agent.connected && !agent.connection->state().last_error.empty();
}

/// The first fetch has not been tried yet, or is under way.
bool is_fetching_first(const Agent& agent) {
    const bool was_tried = agent.next_catch_up != std::chrono::steady_clock::time_point{};
    return !agent.history.was_read && (agent.is_catching_up || !was_tried);
}

/// All agents below one of the owner's share its lease.
bool stays_offline(const Agents& agents, const Agent& agent) {
    const auto parent = agents.find(agent.parent_id);
    return parent == agents.end() ? agent.stays_offline : stays_offline(agents, *parent->second);
}

/// Whether everything was fetched from the market's history. It contains what came before the first
/// connection or before a restore, and what was lost with a session or by the broker.
Result<bool> has_fetched_all(store::Database& db, const Agent& agent) {
    if (agent.history.is_behind() || !agent.history.was_read) return false;
    A2H_ASSIGN_OR_RETURN(const auto is_unread,
                         is_other_instance_unread(db, agent.identity.account.agent_id));
    return !is_unread;
}

}  // namespace

Result<Standing> standing_with(store::Database& db, const Agents& agents,
                               const store::Between& about) {
    for (const auto& [agent_id, agent] : agents) {
        const store::Between between =
            agent_id == about.agent_id
                ? about
                : store::Between{.agent_id = agent_id, .peer_id = about.peer_id};
        A2H_ASSIGN_OR_RETURN(const auto open, consent::is_open(db, between, agent->listings));
        if (open) return Standing::Open;
    }
    A2H_ASSIGN_OR_RETURN(const auto may_miss, may_miss_mail(db, agents));
    return may_miss ? Standing::Unread : Standing::Quiet;
}

Result<bool> may_miss_mail(store::Database& db, const Agents& agents) {
    for (const auto& [agent_id, agent] : agents) {
        if (!can_be_answered(*agent)) continue;
        A2H_ASSIGN_OR_RETURN(const auto fetched, has_fetched_all(db, *agent));
        if (!fetched || !has_caught_up(*agent)) return true;
        if (agent->self_test.failed || agent->self_test.is_behind) return true;
        if (agent->news.has_failed || agent->news.is_late) return true;
    }
    return false;
}

bool is_about_to_read(const Agents& agents) {
    return std::any_of(agents.begin(), agents.end(), [&](const auto& entry) {
        const Agent& agent = *entry.second;
        if (!can_be_answered(agent) || agent.self_test.failed || stays_offline(agents, agent))
            return false;
        return has_caught_up(agent) ? is_fetching_first(agent) : !has_failed_to_connect(agent);
    });
}

}  // namespace a2h::mail
