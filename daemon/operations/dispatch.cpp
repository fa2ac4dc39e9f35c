#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/catalogue/operations.h"
#include "core/catalogue/schema.h"
#include "core/platform/requests.h"
#include "core/wire/json_text.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {
namespace {

using nlohmann::json;
using Handler = void (*)(Runtime&, const Call&, const Reply&);

struct Row {
    std::string_view action;
    Handler handler;
};

constexpr Row kHandlers[] = {
    {"status", handle_status},
    {"inbox.history", handle_inbox_history},
    {"inbox.list", handle_inbox_list},
    {"send", handle_send},
    {"file.upload", handle_market},
    {"auth.login", handle_auth_login},
    {"auth.poll", handle_auth_poll},
    {"approval.create", handle_approval_create},
    {"approval.response", handle_approval_response},
    {"approval.list", handle_approval_list},
    {"approval.changes", handle_approval_changes},
    {"approval.wait", handle_approval_wait},
    {"approval.answer", handle_approval_answer},
    {"approval.elicit", handle_approval_elicit},
    {"approval.answer_many", handle_approval_answer_many},
    {"approval.stats", handle_approval_stats},
    {"audit.export", handle_audit_export},
    {"backup.create", handle_backup_create},
    {"backup.export", handle_backup_export},
    {"backup.restore", handle_backup_restore},
    {"listing.learn", handle_listing_learn},
    {"mandate.give", handle_mandate_give},
    {"mandate.list", handle_mandate_list},
    {"mandate.revoke", handle_mandate_revoke},
    {"mandate.revoke_all", handle_mandate_revoke_all},
    {"negotiation.start", handle_negotiation_start},
    {"negotiation.apply", handle_negotiation_apply},
    {"outbox.list", handle_outbox_list},
    {"outbox.requeue", handle_outbox_requeue},
    {"outbox.drop", handle_outbox_drop},
    {"events.list", handle_events_list},
    {"notify.test", handle_notify_test},
    {"notify.list", handle_notify_list},
    {"page.link", handle_page_link},
    {"pin.code", handle_pin_code},
    {"pin.set", handle_pin_set},
    {"message.explain", handle_message_explain},
    {"message.decided", handle_message_decided},
    {"profile.list", handle_profile_list},
    {"profile.import", handle_profile_import},
    {"profile.reset", handle_profile_reset},
    {"profile.generate", handle_profile_generate},
    {"playbook.context", handle_playbook_context},
    {"playbook.reload", handle_playbook_reload},
    {"playbook.trades", handle_playbook_trades},
    {"config.reload", handle_config_reload},
    {"config.show", handle_config_show},
    {"agent.spawn", handle_agent_spawn},
    {"agent.stop", handle_agent_stop},
    {"agent.list", handle_agent_list},
    {"agent.tree", handle_agent_tree},
    {"agent.register", handle_agent_register},
    {"agent.read", handle_agent_read},
    {"contact.list", handle_contact_list},
    {"contact.get", handle_contact_get},
    {"contact.add", handle_contact_add},
    {"contact.export", handle_contact_export},
    {"contact.import", handle_contact_import},
    {"introduction.request", handle_introduction_request},
    {"introduction.answer", handle_introduction_answer},
    {"introduction.list", handle_introduction_list},
    {"task.assign", handle_task_assign},
    {"task.report", handle_task_report},
    {"task.list", handle_task_list},
    {"task.get", handle_task_get},
    {"task.cancel", handle_task_cancel},
    {"demand.submit", handle_demand_submit},
    {"negotiation.get", handle_negotiation_get},
    {"negotiation.list", handle_negotiation_list},
    {"negotiation.cancel", handle_negotiation_cancel},
    {"negotiation.answer", handle_negotiation_answer},
    {"proposal.feedback", handle_proposal_feedback},
    {"invitation.list", handle_invitation_list},
    {"doctor.run", handle_doctor_run},
    {"logs", handle_logs},
    {"metrics", handle_metrics},
    {"daemon.stop", handle_daemon_stop},
};

/// nullptr when nothing carries the operation out.
Handler find_handler(std::string_view action) {
    const auto row = std::find_if(std::begin(kHandlers), std::end(kHandlers),
                                  [&](const Row& entry) { return entry.action == action; });
    if (row != std::end(kHandlers)) return row->handler;
    return platform::is_market_call(action) ? handle_market : nullptr;
}

/// JSON-RPC error codes. Source: JSON-RPC 2.0, section 5.1.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;

std::string rpc_error(const json& id, int code, std::string_view message) {
    return json{{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}}
        .dump();
}

bool needs_market(Handler handler) {
    return handler == handle_market || handler == handle_auth_login || handler == handle_auth_poll;
}

/// Without a name the first of the owner's own; who was stopped does nothing any more.
Agent* find_agent(Runtime& runtime, const json& params) {
    const auto wanted = params.find("agent");
    if (wanted != params.end() && wanted->is_string()) {
        const auto found = runtime.agents.find(wanted->get<std::string>());
        const bool is_there = found != runtime.agents.end() && !found->second->is_stopped;
        return is_there ? found->second.get() : nullptr;
    }
    Agent* first = nullptr;
    for (const auto& [id, agent] : runtime.agents) {
        if (!agent->parent_id.empty()) continue;
        if (first == nullptr || id < first->identity.account.agent_id) first = agent.get();
    }
    return first;
}

/// The arguments of the operation: `params` without what the protocol adds.
json arguments_of(const json& params) {
    json arguments = params;
    arguments.erase("agent");
    arguments.erase("face");
    arguments.erase("reader_language");
    return arguments;
}

/// The BCP 47 tag of who reads the answer, which a face adds to its calls.
std::optional<i18n::Language> reader_language_of(const json& params) {
    const json tag = params.value("reader_language", json());
    return tag.is_string() ? std::optional(i18n::language_of(tag.get<std::string>()))
                           : std::nullopt;
}

/// The first character in any text or name of `value` that the human could not see.
std::optional<Hidden> hidden_in(const json& value) {
    if (value.is_string()) return first_hidden(value.get_ref<const std::string&>());
    std::optional<Hidden> found;
    for (auto item = value.begin(); value.is_structured() && item != value.end() && !found;
         ++item) {
        if (value.is_object()) found = first_hidden(item.key());
        if (!found) found = hidden_in(*item);
    }
    return found;
}

/// What leaves is shown to the human and sent as it is, so it holds nothing that only programs see.
Result<void> check_visible(const json& arguments) {
    const auto hidden = hidden_in(arguments);
    if (!hidden) return {};
    return invalid("a text holds a character that people cannot see: " + to_text(*hidden) +
                   "; leave it out");
}

/// All that an assistant says, and what a person says in operations that assistants have, too.
bool must_be_visible(const catalogue::Operation& operation, Face face) {
    return face == Face::Assistant || operation.callers.assistant;
}

bool may_call(const catalogue::Operation& operation, Face face) {
    return face == Face::Human ? operation.callers.human : operation.callers.assistant;
}

void run(Runtime& runtime, const catalogue::Operation& operation, Handler handler,
         const json& params, const Reply& reply) {
    const Face face = params.value("face", json()) == "human" ? Face::Human : Face::Assistant;
    if (!may_call(operation, face)) {
        reply(error_result(operation.action,
                           {ErrorCode::PermissionDenied,
                            std::string(operation.action) + " is not for this caller"}));
        return;
    }
    Agent* agent = find_agent(runtime, params);
    if (agent == nullptr) {
        reply(
            error_result(operation.action, {ErrorCode::NotFound, "there is no such local agent"}));
        return;
    }
    if (agent->platform == nullptr && needs_market(handler)) {
        reply(error_result(
            operation.action,
            {ErrorCode::Conflict, agent->identity.account.agent_id +
                                      " is not known to the market; register it there first"}));
        return;
    }
    const json arguments = arguments_of(params);
    const auto valid = catalogue::validate(json::parse(operation.input_schema), arguments);
    if (!valid) {
        reply(error_result(operation.action, valid.error()));
        return;
    }
    if (must_be_visible(operation, face)) {
        const auto seen = check_visible(arguments);
        if (!seen) return reply(error_result(operation.action, seen.error()));
    }
    handler(runtime,
            Call{.action = std::string(operation.action),
                 .face = face,
                 .agent = *agent,
                 .arguments = arguments,
                 .reader_language = reader_language_of(params)},
            reply);
}

}  // namespace

std::string Call::text(const char* name) const {
    const auto found = arguments.find(name);
    return found != arguments.end() && found->is_string() ? found->get<std::string>()
                                                          : std::string();
}

int Call::number(const char* name, int fallback) const {
    const auto found = arguments.find(name);
    return found != arguments.end() && found->is_number() ? found->get<int>() : fallback;
}

void dispatch_line(Runtime& runtime, const std::string& line,
                   std::function<void(std::string)> respond) {
    const auto request = wire::parse_json(line, {.bytes_max = 1024 * 1024, .depth_max = 32});
    if (!request) {
        respond(rpc_error(nullptr, kParseError, request.error().message));
        return;
    }
    const bool is_call = request->is_object() && request->value("method", json()).is_string();
    if (!is_call) {
        respond(rpc_error(nullptr, kInvalidRequest, "a request is an object with a method"));
        return;
    }
    const json id = request->value("id", json());
    const std::string method = request->at("method").get<std::string>();
    const json params = request->value("params", json::object());
    if (!params.is_object()) {
        respond(rpc_error(id, kInvalidRequest, "params must be an object"));
        return;
    }
    const catalogue::Operation* operation = catalogue::find_action(method);
    const Handler handler = find_handler(method);
    if (operation == nullptr || handler == nullptr) {
        respond(rpc_error(id, kMethodNotFound, "there is no operation " + method.substr(0, 80)));
        return;
    }
    run(runtime, *operation, handler, params,
        [id, respond = std::move(respond)](const json& result) {
            respond(json{{"jsonrpc", "2.0"}, {"id", id}, {"result", result}}.dump(
                -1, ' ', false, json::error_handler_t::replace));
        });
}

}  // namespace a2h::operations
