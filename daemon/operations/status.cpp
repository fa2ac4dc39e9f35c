#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/store/approval_store.h"
#include "core/store/case_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/outbox_store.h"
#include "core/store/refused_store.h"
#include "daemon/backup/new_database.h"
#include "daemon/context/current_rules.h"
#include "daemon/context/own_agents.h"
#include "daemon/kernel/kernel.h"
#include "daemon/leading/leaders.h"
#include "daemon/mail/other_instance.h"
#include "daemon/model/language_model.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct StatusParts {
    const kernel::Kernel& kernel;
    const Agents& agents;
    CurrentRules& current_rules;
    const leading::Leaders& leaders;
    const model::LanguageModel* model;
    const Served& served;
};

constexpr UnixMs kClockStepMs = 60'000;

json time_or_null(UnixMs time_ms) {
    return time_ms == 0 ? json() : json(to_utc_time(time_ms));
}

/// The state of an agent that communicates only within this home: never connected.
mqtt::State state_of(const Agent& agent) {
    return agent.connection ? agent.connection->state() : mqtt::State{};
}

json connection_of(const Agent& agent) {
    const mqtt::State state = state_of(agent);
    return {{"connected", state.connected},
            {"since", time_or_null(state.connected_since_ms)},
            {"last_error", state.last_error},
            {"taken_over", state.taken_over},
            {"reconnects", state.connects > 0 ? state.connects - 1 : 0},
            {"session_lost", state.session_lost}};
}

/// `everybody` is null until the market was asked.
json history_of(const Agent& agent) {
    const HistoryFetches& history = agent.history;
    const json everybody = history.asked_ms == 0 ? json() : json(history.everybody);
    return {{"asked_at", time_or_null(history.asked_ms)},
            {"everybody", everybody},
            {"fetched", history.fetched}};
}

json self_test_of(const Agent& agent) {
    return {{"at", time_or_null(agent.self_test.last_ok_ms)},
            {"ok", agent.self_test.last_ok_ms != 0 && !agent.self_test.failed},
            {"detail", agent.self_test.detail}};
}

struct Counts {
    store::InboxCounts inbox;
    store::OutboxCounts outbox;
    std::int64_t undecided = 0;
    std::int64_t approvals = 0;
    json refused_by_reason = json::object();
};

/// All counts of one moment, with the database's locks taken once.
Result<Counts> count_all(store::Database& reader, const std::string& agent_id) {
    Counts counts;
    A2H_TRY(reader.savepoint([&]() -> Result<void> {
        A2H_ASSIGN_OR_RETURN(const auto inbox, store::inbox_counts(reader, agent_id));
        A2H_ASSIGN_OR_RETURN(const auto outbox, store::outbox_counts(reader, agent_id));
        A2H_ASSIGN_OR_RETURN(const auto undecided, store::count_pending_jobs(reader, agent_id));
        A2H_ASSIGN_OR_RETURN(const auto in_stages, store::count_open_cases(reader, agent_id));
        A2H_ASSIGN_OR_RETURN(const auto approvals,
                             store::count_pending_approvals(reader, agent_id));
        A2H_ASSIGN_OR_RETURN(const auto refused, store::refused_by_reason(reader, agent_id));
        counts = {inbox, outbox, undecided + in_stages, approvals, json::object()};
        for (const auto& [reason, count] : refused)
            counts.refused_by_reason[reason] = count;
        return {};
    }));
    return counts;
}

void add_problem(json& problems, const char* code, std::string message, const char* next) {
    problems.push_back({{"code", code}, {"message", std::move(message)}, {"next", next}});
}

/// A problem with the reason that a program gave; the code stands for `message`.
void add_problem(json& problems, const char* code, const std::string& message,
                 const std::string& detail, const char* next) {
    add_problem(problems, code, detail.empty() ? message : message + ": " + detail, next);
    problems.back()["detail"] = detail;
}

/// Null for a created agent, which shares the lease of its creator.
json lease_of(const StatusParts& parts, const Agent& agent) {
    const auto view = parts.leaders.view(agent.identity.account.agent_id);
    if (!view) return nullptr;
    return {{"standing", to_string(view->standing)}, {"leader", view->leader}};
}

void add_new_database_problem(json& problems, const StatusParts& parts) {
    const auto begun_ms =
        backup::new_database_since(parts.kernel.reader, parts.kernel.clock.now_ms());
    if (!begun_ms || *begun_ms == 0) return;
    add_problem(
        problems, "database.new",
        "the database was missing and was begun anew; older mail is not answered automatically",
        "If you have a backup, restore it: `a2h down`, then `a2h restore BACKUP`. This is "
        "shown for a week.");
}

/// Mail of a lost broker session, or of the time before a restore, that was not fetched yet.
void add_history_problem(json& problems, const StatusParts& parts, const Agent& agent) {
    const HistoryFetches& history = agent.history;
    const auto is_unread =
        mail::is_other_instance_unread(parts.kernel.reader, agent.identity.account.agent_id);
    if (is_unread && *is_unread) {
        add_problem(problems, "history.unread",
                    "the market's history has not been read since a backup was restored, the "
                    "database was begun anew or another machine served this agent; until then, "
                    "every text of an assistant waits for a yes",
                    "a2hd tries again every minute.");
    }
    if (history.is_owed) {
        add_problem(problems, "history.owed",
                    "the broker lost this agent's session, and the market's history has not been "
                    "queried yet for what came meanwhile",
                    "a2hd tries again every minute.");
    } else if (history.sessions_lost > 0 && !history.everybody) {
        add_problem(problems, "history.partial",
                    "the broker lost this agent's session, and this market's history contains "
                    "only mail of known peers: mail of others may be missing",
                    "New senders who wrote meanwhile have to write again.");
    }
}

/// The problems, in the order in which a person should look at them.
json problems_of(const StatusParts& parts, const Agent& agent, const Counts& counts) {
    json problems = json::array();
    const std::string store_failure = parts.kernel.writer.last_failure();
    if (!store_failure.empty()) {
        add_problem(problems, "store.failing", "nothing can be stored", store_failure,
                    "Free disk space or repair the file system; mail waits at the broker.");
    }
    if (!parts.served.page_problem.empty()) {
        add_problem(problems, "page.not_served", "the page is not served",
                    parts.served.page_problem,
                    "Free the port or set web.listen in config.toml, and restart a2hd; until then "
                    "notifications carry no link.");
    }
    if (!parts.current_rules.problem().empty()) {
        add_problem(problems, "playbook.invalid", "your rules are not used",
                    parts.current_rules.problem(),
                    "Repair the file, see `a2h playbook check`; then `a2h playbook reload`.");
    }
    const mqtt::State state = state_of(agent);
    if (!agent.connection) {
        // No problem: the agent needs no connection.
    } else if (parts.leaders.follows(agent.identity.account.agent_id)) {
        add_problem(problems, "lease.following", "another a2hd acts for this agent",
                    "This one waits and takes over when the other one is gone.");
    } else if (state.taken_over) {
        add_problem(problems, "mqtt.taken_over", "another client uses this agent's client id",
                    "Stop the other program; this one tries again every 5 minutes.");
    } else if (!state.connected) {
        add_problem(problems, "mqtt.disconnected", "no connection to the broker", state.last_error,
                    "Mail waits at the broker; a2hd tries again by itself.");
    } else if (agent.self_test.failed) {
        add_problem(problems, "mqtt.deaf", agent.self_test.detail,
                    "a2hd makes a new connection by itself; see `a2h doctor`.");
    }
    add_new_database_problem(problems, parts);
    add_history_problem(problems, parts, agent);
    if (!agent.market.ok && !agent.market.last_error.empty()) {
        add_problem(problems, "market.unreachable", agent.market.last_error,
                    "Until it is back, answers use the last copy of the listings.");
    }
    if (parts.model != nullptr && parts.model->status().state == model::Status::State::Resting) {
        add_problem(problems, "model.failing", "the language model fails",
                    parts.model->status().last_error,
                    "Only the rules are in use; a2hd tries again by itself.");
    }
    if (counts.outbox.dead > 0) {
        add_problem(problems, "outbox.dead",
                    std::to_string(counts.outbox.dead) + " messages could not be delivered",
                    "See `a2h outbox list`, then requeue or drop them.");
    }
    if (counts.outbox.held > 0) {
        add_problem(problems, "outbox.held",
                    std::to_string(counts.outbox.held) +
                        " messages of a restored backup are held, because they may have been sent",
                    "See `a2h outbox list --state held`, then requeue or drop them.");
    }
    if (counts.inbox.last_received_ms > parts.kernel.clock.now_ms() + kClockStepMs) {
        add_problem(problems, "clock.back", "the clock is behind the newest stored message",
                    "Check the machine's clock; mail is not affected, deadlines are.");
    }
    return problems;
}

/// Only the owner's own agents, the default one first; there may be thousands of created ones.
json agents_of(const StatusParts& parts) {
    json agents = json::array();
    for (const Agent* agent : own_agents(parts.agents)) {
        agents.push_back({{"agent_id", agent->identity.account.agent_id},
                          {"name", agent->identity.name},
                          {"connected", state_of(*agent).connected}});
    }
    return agents;
}

/// Null without a model. It never contains a key.
json model_of(const StatusParts& parts) {
    if (parts.model == nullptr) return nullptr;
    const model::Status status = parts.model->status();
    return {{"name", status.model},
            {"state", to_string(status.state)},
            {"spent_minor", status.spent_minor},
            {"budget_minor", status.budget_minor},
            {"currency", status.currency},
            {"tokens", status.tokens},
            {"tokens_max", status.tokens_max},
            {"under_way", status.under_way},
            {"last_error", status.last_error},
            {"last_ok_at", time_or_null(status.last_ok_ms)}};
}

void handle_status(const StatusParts& parts, const Call& call, const Reply& reply) {
    const Agent& agent = call.agent;
    const auto counts = count_all(parts.kernel.reader, call.agent_id());
    if (!counts) {
        reply(error_result(call.action, counts.error()));
        return;
    }
    const std::string store_failure = parts.kernel.writer.last_failure();
    reply(
        ok_result(call.action, {{"agent_id", call.agent_id()},
                                {"name", agent.identity.name},
                                {"version", A2H_VERSION},
                                {"connection", connection_of(agent)},
                                {"lease", lease_of(parts, agent)},
                                {"history", history_of(agent)},
                                {"last_received_at", time_or_null(counts->inbox.last_received_ms)},
                                {"last_self_test", self_test_of(agent)},
                                {"backlog",
                                 {{"undecided", counts->undecided},
                                  {"queued", counts->outbox.queued},
                                  {"dead", counts->outbox.dead},
                                  {"approvals", counts->approvals}}},
                                {"store",
                                 {{"ok", store_failure.empty()},
                                  {"last_failure", store_failure},
                                  {"commit_us", parts.kernel.writer.last_commit_us()},
                                  {"waiting", parts.kernel.writer.backlog()}}},
                                {"market",
                                 {{"ok", agent.market.ok},
                                  {"last_error", agent.market.last_error},
                                  {"last_ok_at", time_or_null(agent.market.last_ok_ms)}}},
                                {"model", model_of(parts)},
                                {"web", {{"url", parts.served.page_url}}},
                                {"counts",
                                 {{"received", counts->inbox.accepted},
                                  {"refused", counts->inbox.refused},
                                  {"refused_by_reason", counts->refused_by_reason},
                                  {"conflicts", counts->inbox.conflicts}}},
                                {"problems", problems_of(parts, agent, *counts)},
                                {"agents", agents_of(parts)}}));
}

}  // namespace

void add_status(Table& table, const AllParts& all) {
    const StatusParts parts{all.kernel, all.agents, all.rules, all.leaders, all.model, all.served};
    table.add("status", with(parts, handle_status));
}

}  // namespace a2h::operations
