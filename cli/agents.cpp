#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/pin.h"
#include "cli/rows.h"
#include "cli/terminal.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

std::string render_agents(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& agent : items_of(data, "items")) {
        rows.push_back({text_of(agent, "agent_id"), text_of(agent, "role_id"),
                        text_of(agent, "parent_id"), word(invocation, text_of(agent, "state")),
                        text_of(agent, "open_tasks")});
    }
    return table_of(invocation,
                    {"cli.column_agent", "cli.column_role", "cli.column_parent", "cli.column_state",
                     "cli.column_tasks"},
                    rows, "cli.no_agents");
}

void add_branch(const json& node, std::size_t depth, std::string& out) {
    out += std::string(2 * depth, ' ') + text_of(node, "agent_id") + "  " +
           text_of(node, "role_id") + "\n";
    for (const json& child : items_of(node, "children"))
        add_branch(child, depth + 1, out);
}

std::string render_spawned(const Invocation& invocation, const json& data) {
    const std::string id = text_of(data, "agent_id");
    return invocation.text("cli.agent_spawned", {{"id", id}, {"task", text_of(data, "task_id")}}) +
           "\n";
}

std::string render_agent_removed(const Invocation& invocation, const json& data) {
    return invocation.text("cli.agent_removed", {{"id", text_of(data, "agent_id")}}) + "\n";
}

std::string render_contacts_read(const Invocation& invocation, const json& data) {
    return invocation.text("cli.contacts_read", {{"count", text_of(data, "read")}}) + "\n";
}

/// Calls with the brief in the file BRIEF and the mandate of `--mandate`; refuses a file without a
/// valid brief.
Outcome call_with_brief(const Invocation& invocation, std::string_view action, json params,
                        Renderer render) {
    auto brief = json_file(invocation, "BRIEF");
    if (auto* refused = std::get_if<Failure>(&brief)) return *refused;
    params["task_brief"] = std::move(*std::get_if<json>(&brief));
    if (invocation.has("--mandate")) {
        auto mandate = json_file(invocation, "--mandate");
        if (auto* refused = std::get_if<Failure>(&mandate)) return *refused;
        params["mandate"] = std::move(*std::get_if<json>(&mandate));
    }
    return call_daemon(invocation, action, std::move(params), render);
}

std::string render_agent_tree(const Invocation& invocation, const json& data) {
    std::string out;
    for (const json& root : items_of(data, "roots"))
        add_branch(root, 0, out);
    return out.empty() ? invocation.text("cli.no_agents") + "\n" : out;
}

std::string render_agents_stopped(const Invocation& invocation, const json& data) {
    return invocation.text("cli.agents_stopped", {{"count", text_of(data, "stopped")}}) + "\n";
}

std::string render_agent_registered(const Invocation& invocation, const json& data) {
    return invocation.text("cli.agent_registered", {{"id", text_of(data, "agent_id")}}) + "\n";
}

std::string render_contacts(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& contact : items_of(data, "items")) {
        rows.push_back({text_of(contact, "peer_id"), text_of(contact, "role"),
                        word(invocation, text_of(contact, "source")),
                        text_of(contact, "introduced_by"), time_of(contact, "added_at")});
    }
    return table_of(invocation,
                    {"cli.column_agent", "cli.column_role", "cli.column_source",
                     "cli.column_introduced_by", "cli.column_time"},
                    rows, "cli.no_contacts");
}

std::string render_contact_file(const Invocation&, const json& data) {
    return data.dump(2) + "\n";
}

std::string render_introductions(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& each : items_of(data, "items")) {
        rows.push_back({text_of(each, "introduction_id"), word(invocation, text_of(each, "side")),
                        text_of(each, "peer_id"), word(invocation, text_of(each, "state")),
                        text_of(each, "required_capability")});
    }
    return table_of(invocation,
                    {"cli.column_id", "cli.column_side", "cli.column_peer", "cli.column_state",
                     "cli.column_capability"},
                    rows, "cli.no_introductions");
}

std::string render_tasks(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& task : items_of(data, "items")) {
        rows.push_back({text_of(task, "task_id"), word(invocation, text_of(task, "side")),
                        text_of(task, "peer_id"), word(invocation, text_of(task, "state")),
                        text_of(task, "objective")});
    }
    return table_of(invocation,
                    {"cli.column_id", "cli.column_side", "cli.column_peer", "cli.column_state",
                     "cli.column_objective"},
                    rows, "cli.no_tasks");
}

std::string render_task(const Invocation& invocation, const json& data) {
    std::string out = text_of(data, "task_id") + "  " + word(invocation, text_of(data, "state")) +
                      "  " + text_of(data, "peer_id") + "\n" + text_of(data, "objective") + "\n\n";
    for (const json& entry : items_of(data, "story")) {
        const json& detail = at(entry, "detail");
        out += time_of(entry, "at") + "  " + word(invocation, text_of(entry, "kind")) + "  " +
               text_of(detail, "status") + "  " + text_of(detail, "summary");
        if (const json& score = at(detail, "score"); score.is_number()) {
            out += word(invocation, text_of(detail, "verdict")) + "  " + score.dump() + "/100";
        }
        out += "\n";
    }
    return out;
}

std::string render_task_moved(const Invocation& invocation, const json& data) {
    return invocation.text("cli.task_moved",
                           {{"id", text_of(data, "task_id")},
                            {"state", word(invocation, text_of(data, "task_state"))}}) +
           "\n";
}

Outcome run_agent_list(const Invocation& invocation) {
    json params{{"limit", 100}, {"state", invocation.has("--all") ? "all" : "active"}};
    return call_daemon(invocation, "agent.list", std::move(params), render_agents);
}

Outcome run_agent_spawn(const Invocation& invocation) {
    json params = json::object();
    params["role_id"] = invocation.value("ROLE");
    if (invocation.has("--register")) params["register"] = true;
    return call_with_brief(invocation, "agent.spawn", std::move(params), render_spawned);
}

Outcome run_agent_remove(const Invocation& invocation) {
    // The PIN is requested only if it can be checked.
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    auto pin = read_pin(invocation);
    if (auto* refused = std::get_if<Failure>(&pin)) return *refused;
    return call(**std::get_if<0>(&connected), invocation, "agent.remove",
                {{"agent_id", invocation.value("ID")}, {"pin", *std::get_if<std::string>(&pin)}},
                render_agent_removed);
}

Outcome run_contact_import(const Invocation& invocation) {
    auto file = json_file(invocation, "FILE");
    if (auto* refused = std::get_if<Failure>(&file)) return *refused;
    return call_daemon(invocation, "contact.import", *std::get_if<json>(&file),
                       render_contacts_read);
}

Outcome run_task_assign(const Invocation& invocation) {
    json params = json::object();
    params["target_agent_id"] = invocation.value("PEER");
    return call_with_brief(invocation, "task.assign", std::move(params), render_task_moved);
}

}  // namespace

std::vector<Command> agent_rows() {
    using enum ParameterKind;
    constexpr Parameter kBrief = {"BRIEF", Required, "cli.argument_brief"};
    constexpr Parameter kMandate = {"--mandate", Value, "cli.option_mandate_file", "FILE"};
    constexpr Parameter kLocalAgent = {"ID", Required, "cli.argument_local_agent"};
    constexpr Parameter kTask = {"ID", Required, "cli.argument_task"};
    return {
        {"agent list",
         "agent.list",
         "cli.agent_list",
         {{"--all", Flag, "cli.option_all_agents"}, kAgentOption},
         run_agent_list},
        standard_row("agent tree", "agent.tree", "cli.agent_tree", {kAgentOption},
                     render_agent_tree),
        {"agent spawn",
         "agent.spawn",
         "cli.agent_spawn",
         {{"ROLE", Required, "cli.argument_role"},
          kBrief,
          {"--register", Flag, "cli.option_register"},
          kMandate,
          kAgentOption},
         run_agent_spawn},
        standard_row("agent stop", "agent.stop", "cli.agent_stop",
                     {kLocalAgent, kPinStdin, kAgentOption}, render_agents_stopped),
        {"agent remove",
         "agent.remove",
         "cli.agent_remove",
         {{"ID", Required, "cli.argument_own_agent"}, kPinStdin, kAgentOption},
         run_agent_remove},
        standard_row("agent register", "agent.register", "cli.agent_register",
                     {kLocalAgent, kAgentOption}, render_agent_registered),
        standard_row("contact list", "contact.list", "cli.contact_list", {kAgentOption},
                     render_contacts, kHundred),
        standard_row("contact export", "contact.export", "cli.contact_export", {kAgentOption},
                     render_contact_file),
        {"contact import",
         "contact.import",
         "cli.contact_import",
         {{"FILE", Required, "cli.argument_contact_file"}, kPinStdin, kAgentOption},
         run_contact_import},
        standard_row("introduction list", "introduction.list", "cli.introduction_list",
                     {kAgentOption}, render_introductions, kHundred),
        standard_row("task list", "task.list", "cli.task_list", {kAgentOption}, render_tasks,
                     kHundred),
        standard_row("task show", "task.get", "cli.task_show", {kTask, kAgentOption}, render_task),
        {"task assign",
         "task.assign",
         "cli.task_assign",
         {kPeerWord, kBrief, kMandate, kAgentOption},
         run_task_assign},
        standard_row("task cancel", "task.cancel", "cli.task_cancel", {kTask, kAgentOption},
                     render_task_moved),
    };
}

}  // namespace a2h::cli
