#include <algorithm>
#include <map>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/store/assignment_store.h"
#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"
#include "core/wire/canonical.h"
#include "core/wire/task_brief.h"
#include "daemon/agents/local_agents.h"
#include "daemon/agents/model_text.h"
#include "daemon/agents/removal.h"
#include "daemon/agents/stops.h"
#include "daemon/consent/mandates.h"
#include "daemon/context/own_agents.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/briefs.h"
#include "daemon/operations/may_leave.h"
#include "daemon/operations/reading_first.h"
#include "daemon/operations/registration.h"
#include "daemon/operations/sender.h"
#include "daemon/operations/typed_mail.h"
#include "daemon/outcome/requests.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct AgentsParts : Sender {
    agents::LocalAgents& local_agents;
    agents::Removal& removal;
};

constexpr int kAgentsShown = 20;
constexpr int kMessagesRead = 20;

json local_agent_json(const LocalAgent& agent) {
    json shown{
        {"agent_id", agent.agent_id},        {"parent_id", agent.parent_id},
        {"role_id", agent.role_id},          {"state", to_string(agent.state)},
        {"registered", agent.is_registered}, {"created_at", to_utc_time(agent.created_at_ms)}};
    if (agent.stopped_at_ms != 0) shown["stopped_at"] = to_utc_time(agent.stopped_at_ms);
    return shown;
}

/// The owner's own agents, which no agent of this home created.
json own_agent_json(const Agent& agent) {
    return {{"agent_id", agent.identity.account.agent_id},
            {"parent_id", ""},
            {"role_id", agents::kRoot},
            {"state", to_string(LocalAgentState::Active)},
            {"registered", true}};
}

/// All agents of this home: the owner's own first, the default agent before the others, and parents
/// before children.
std::vector<json> everybody(const AgentsParts& parts) {
    std::vector<json> all;
    for (const Agent* agent : own_agents(parts.agents))
        all.push_back(own_agent_json(*agent));
    for (const LocalAgent& agent : parts.residents.list())
        all.push_back(local_agent_json(agent));
    return all;
}

Result<int> open_tasks(const AgentsParts& parts, const std::string& agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto live, store::live_assignments(parts.kernel.reader, agent_id));
    return static_cast<int>(std::count_if(live.begin(), live.end(), [](const Assignment& task) {
        return task.side == AssignmentSide::Taken;
    }));
}

json branch(const std::map<std::string, std::vector<json>>& children, const json& agent) {
    json node = agent;
    node["children"] = json::array();
    const auto below = children.find(agent["agent_id"].get<std::string>());
    if (below == children.end()) return node;
    for (const json& child : below->second)
        node["children"].push_back(branch(children, child));
    return node;
}

/// The newest messages that `agent_id` received, from all peers or from one.
Result<std::vector<InboxMessage>> newest_mail(const AgentsParts& parts, const std::string& agent_id,
                                              const std::string& peer_id, int count) {
    store::Database& db = parts.kernel.reader;
    std::vector<std::string> peers{peer_id};
    if (peer_id.empty()) {
        A2H_ASSIGN_OR_RETURN(const auto list, store::conversations(db, agent_id, count));
        peers.clear();
        for (const auto& conversation : list)
            peers.push_back(conversation.peer_id);
    }
    std::vector<InboxMessage> mail;
    for (const std::string& peer : peers) {
        A2H_ASSIGN_OR_RETURN(const auto entries, store::history(db, agent_id, peer, 1, count));
        for (const HistoryEntry& entry : entries) {
            if (!entry.incoming || entry.provenance == Provenance::Forged) continue;
            A2H_ASSIGN_OR_RETURN(auto message,
                                 store::find_inbox(db, agent_id, peer, entry.message_id));
            if (message) mail.push_back(std::move(*message));
        }
    }
    std::sort(mail.begin(), mail.end(),
              [](const InboxMessage& a, const InboxMessage& b) { return a.id > b.id; });
    if (mail.size() > static_cast<std::size_t>(count)) mail.resize(static_cast<std::size_t>(count));
    return mail;
}

Result<agents::Author> author_of(const AgentsParts& parts, const std::string& reader_id,
                                 const std::string& author_id, SourceClass source,
                                 Provenance provenance) {
    A2H_ASSIGN_OR_RETURN(const auto contact,
                         store::get_contact(parts.kernel.reader, reader_id, author_id));
    return agents::Author{source, author_id, contact ? contact->role : std::string(), provenance};
}

Result<json> read_mail(const AgentsParts& parts, const Call& call, i18n::Language language) {
    A2H_ASSIGN_OR_RETURN(const auto mail, newest_mail(parts, call.agent_id(), call.text("peer_id"),
                                                      call.number("limit", kMessagesRead)));
    json items = json::array();
    for (const InboxMessage& message : mail) {
        A2H_ASSIGN_OR_RETURN(const auto author, author_of(parts, call.agent_id(), message.sender_id,
                                                          message.source, message.provenance));
        items.push_back({{"message_id", message.message_id},
                         {"at", to_utc_time(message.received_at_ms)},
                         {"text", agents::format_message(author, message.payload_json,
                                                         agents::ReplyTool::A2hSend, language)}});
    }
    return items;
}

/// The briefs of the tasks that this agent works on, as its model reads them.
Result<json> read_briefs(const AgentsParts& parts, const Call& call, i18n::Language language) {
    A2H_ASSIGN_OR_RETURN(const auto live,
                         store::live_assignments(parts.kernel.reader, call.agent_id()));
    json briefs = json::array();
    for (const Assignment& task : live) {
        if (task.side != AssignmentSide::Taken || task.state != AssignmentState::Open) continue;
        A2H_ASSIGN_OR_RETURN(const auto brief,
                             wire::read_task_brief(json::parse(task.brief_json, nullptr, false)));
        A2H_ASSIGN_OR_RETURN(const auto giver, author_of(parts, call.agent_id(), task.peer_id,
                                                         SourceClass::Peer, Provenance::Verified));
        briefs.push_back(
            {{"task_id", task.task_id}, {"text", agents::format_brief(giver, brief, language)}});
    }
    return briefs;
}

/// Only a person can give a share of a mandate. The answer does not depend on any mandate.
void ask_to_spawn(const AgentsParts& parts, const Call& call, const std::string& role,
                  const TaskBrief& brief, const json& mandate, const Reply& reply) {
    auto fits = mandates::check_wanted(mandate.dump(), parts.kernel.clock.now_ms());
    if (fits) fits = parts.local_agents.check_spawn(call.agent_id(), role);
    if (!fits) return reply(error_result(call.action, fits.error()));
    const i18n::Language language = parts.config->approval.language;
    json request{
        {"role_id", role}, {"task_brief", wire::write_task_brief(brief)}, {"mandate", mandate}};
    if (call.arguments.value("register", false)) request["register"] = true;
    consent::Ask ask;
    ask.agent_id = call.agent_id();
    ask.action = agents::kSpawnAction;
    ask.request_json = wire::canonical_json(request);
    ask.question = i18n::text(language, "daemon.question_spawn",
                              {{"role", preview(printable(role))},
                               {"objective", preview(printable(brief.objective))}}) +
                   "\n" + i18n::text(language, "daemon.question_share");
    ask.requested_by = "tool:agent.spawn";
    ask.asked_by = call.caller.proved_by;
    ask_human(parts, call, ask, reply);
}

void handle_agent_spawn(const AgentsParts& parts, const Call& call, const Reply& reply) {
    const std::string role =
        call.text("role_id").empty() ? call.text("roleId") : call.text("role_id");
    if (role.empty()) {
        reply(error_result(call.action, {ErrorCode::InvalidArgument, "role_id is missing"}));
        return;
    }
    const auto brief = read_brief(call, reply);
    if (!brief) return;
    const auto mandate = call.arguments.find("mandate");
    if (mandate != call.arguments.end()) {
        return ask_to_spawn(parts, call, role, *brief, *mandate, reply);
    }
    const bool wants_market = call.arguments.value("register", false);
    parts.local_agents.spawn(call.agent_id(), role, *brief, "",
                             [&parts, action = call.action, wants_market,
                              reply](const Result<agents::LocalAgents::Spawned>& spawned) {
                                 if (!spawned) {
                                     reply(error_result(action, spawned.error()));
                                     return;
                                 }
                                 json data = local_agent_json(spawned->agent);
                                 data["task_id"] = spawned->task_id;
                                 if (!wants_market) {
                                     reply(ok_result(action, std::move(data)));
                                     return;
                                 }
                                 parts.local_agents.register_at_market(
                                     spawned->agent.agent_id,
                                     [action, data, reply](const Result<void>& done) mutable {
                                         data["registered"] = done.has_value();
                                         if (!done)
                                             data["not_registered_because"] = done.error().message;
                                         reply(ok_result(action, std::move(data)));
                                     });
                             });
}

/// The peers of the agent's tasks learn of its stop, which could answer what is open with them
/// (R46). A stop would also close the agent's questions to the human.
Result<void> check_stop_says_nothing(const AgentsParts& parts, const Call& call) {
    if (call.caller.is_proved()) return {};
    A2H_ASSIGN_OR_RETURN(const auto is_asked,
                         agents::has_open_question(parts.kernel.reader, call.text("agent_id")));
    if (is_asked) {
        return fail(ErrorCode::PermissionDenied,
                    "it or an agent below it has a question open, which a stop would close; ask "
                    "your human to answer it or to run `a2h agent stop " +
                        call.text("agent_id") + "`");
    }
    A2H_ASSIGN_OR_RETURN(const auto peer_ids,
                         agents::peers_of_tasks(parts.kernel.reader, call.text("agent_id")));
    std::vector<store::Between> peers;
    for (const std::string& peer : peer_ids)
        peers.push_back({.agent_id = call.text("agent_id"), .peer_id = peer});
    A2H_ASSIGN_OR_RETURN(const auto hold, hold_of_act(parts, peers));
    if (hold == Hold::None) return {};
    return fail(ErrorCode::PermissionDenied,
                "agents outside this home, for which it works, would be notified of the "
                "stop while something of theirs is open; ask your human to run `a2h agent stop " +
                    call.text("agent_id") + "`");
}

void handle_agent_stop(const AgentsParts& parts, const Call& call, const Reply& reply) {
    const auto allowed = check_stop_says_nothing(parts, call);
    if (!allowed) {
        const bool may_prove =
            call.caller.face == Face::Human && allowed.error().code == ErrorCode::PermissionDenied;
        return reply(may_prove ? pin_required(call.action)
                               : error_result(call.action, allowed.error()));
    }
    const auto by =
        call.caller.face == Face::Human ? agents::StoppedBy::Human : agents::StoppedBy::Assistant;
    parts.local_agents.stop(call.text("agent_id"), by,
                            [action = call.action, reply](const Result<int>& stopped) {
                                reply(stopped ? ok_result(action, {{"stopped", *stopped}})
                                              : error_result(action, stopped.error()));
                            });
}

void handle_agent_remove(const AgentsParts& parts, const Call& call, const Reply& reply) {
    const std::string agent_id = call.text("agent_id");
    auto steps = parts.removal.steps_for(agent_id);
    if (!steps) return reply(error_result(call.action, steps.error()));
    parts.answers.with_pin(call.agent_id(), owner_of(parts.config->approval.people),
                           call.text("pin"), std::move(steps->write),
                           [action = call.action, agent_id, finish = std::move(steps->finish),
                            reply](const Result<void>& done) {
                               if (!done) return reply(error_result(action, done.error()));
                               finish();
                               reply(ok_result(action, {{"agent_id", agent_id}}));
                           });
}

void handle_agent_register(const AgentsParts& parts, const Call& call, const Reply& reply) {
    const std::string agent_id = call.text("agent_id");
    parts.local_agents.register_at_market(
        agent_id, [action = call.action, agent_id, reply](const Result<void>& done) {
            reply(done ? ok_result(action, {{"agent_id", agent_id}, {"registered", true}})
                       : error_result(action, done.error()));
        });
}

Result<json> handle_agent_list(const AgentsParts& parts, const Call& call) {
    const std::string wanted = call.text("state").empty() ? "active" : call.text("state");
    const int page = call.number("page", 1);
    const int limit = call.number("limit", kAgentsShown);
    auto all = everybody(parts);
    std::erase_if(all,
                  [&](const json& agent) { return wanted != "all" && agent["state"] != wanted; });
    const std::size_t begin = std::min(all.size(), static_cast<std::size_t>((page - 1) * limit));
    const std::size_t end = std::min(all.size(), begin + static_cast<std::size_t>(limit));
    json items = json::array();
    for (std::size_t i = begin; i < end; ++i) {
        A2H_ASSIGN_OR_RETURN(const auto open,
                             open_tasks(parts, all[i]["agent_id"].get<std::string>()));
        all[i]["open_tasks"] = open;
        items.push_back(std::move(all[i]));
    }
    return json{{"items", std::move(items)},
                {"page", page},
                {"limit", limit},
                {"total", all.size()},
                {"more", end < all.size()}};
}

Result<json> handle_agent_tree(const AgentsParts& parts, const Call&) {
    std::map<std::string, std::vector<json>> children;
    for (json& agent : everybody(parts)) {
        if (agent["state"] == "active")
            children[agent["parent_id"].get<std::string>()].push_back(std::move(agent));
    }
    json roots = json::array();
    for (const json& root : children[""])
        roots.push_back(branch(children, root));
    return json{{"roots", std::move(roots)}};
}

Result<json> handle_agent_read(const AgentsParts& parts, const Call& call) {
    const std::string wanted = call.text("language");
    const i18n::Language language = wanted.empty()   ? parts.config->approval.language
                                    : wanted == "zh" ? i18n::Language::Chinese
                                                     : i18n::Language::English;
    A2H_ASSIGN_OR_RETURN(auto briefs, read_briefs(parts, call, language));
    A2H_ASSIGN_OR_RETURN(auto mail, read_mail(parts, call, language));
    return json{{"briefs", std::move(briefs)}, {"items", std::move(mail)}};
}

}  // namespace

void add_agents(Table& table, const AllParts& all) {
    const Sender& sender = all.sender;
    const AgentsParts parts{{sender}, all.local_agents, all.removal};
    table.add("agent.spawn", with(parts, handle_agent_spawn));
    table.add("agent.stop", after_reading(sender, with(parts, handle_agent_stop)));
    table.add("agent.remove", with(parts, handle_agent_remove));
    table.add("agent.register", with(parts, handle_agent_register));
    table.add("agent.list", with(parts, handle_agent_list));
    table.add("agent.tree", with(parts, handle_agent_tree));
    table.add("agent.read", with(parts, handle_agent_read));
}

}  // namespace a2h::operations
