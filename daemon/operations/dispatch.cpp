#include <algorithm>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/log.h"
#include "core/catalogue/arguments.h"
#include "core/catalogue/operations.h"
#include "core/catalogue/schema.h"
#include "core/platform/requests.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/context/own_agents.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {
namespace {

using nlohmann::json;
/// JSON-RPC error codes. Source: JSON-RPC 2.0, section 5.1.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;

std::string rpc_error(const json& id, int code, std::string_view message) {
    return json{{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}}
        .dump();
}

/// The arguments of the operation: `params` without the members that the protocol adds.
json arguments_of(const json& params) {
    json arguments = params;
    arguments.erase("agent");
    arguments.erase("face");
    arguments.erase("proof");
    arguments.erase("reader_language");
    return arguments;
}

/// The BCP 47 tag of the reader of the answer, which a face adds to its calls.
std::optional<i18n::Language> reader_language_of(const json& params) {
    const json tag = params.value("reader_language", json());
    return tag.is_string() ? std::optional(i18n::language_of(tag.get<std::string>()))
                           : std::nullopt;
}

/// The first character in a text or name of `value` that people cannot see.
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

/// What is sent is shown to the human unchanged, so it must not contain characters that only
/// programs see.
Result<void> check_visible(const json& arguments) {
    const auto hidden = hidden_in(arguments);
    if (!hidden) return {};
    return invalid("a text contains an invisible character: " + to_text(*hidden) + "; remove it");
}

/// True for everything that an assistant says, and for a person's words in operations that
/// assistants have as well.
bool must_be_visible(const catalogue::Operation& operation, Face face) {
    return face == Face::Assistant || operation.is_for_assistants();
}

/// `method` by its present name, with a notice if that is another one.
std::string present_method(const std::string& method) {
    const std::string_view present = present_name(catalogue::kFormerActions, method);
    if (present != method)
        log::info("A call uses the former name of an operation",
                  {{"former", method}, {"present", present}});
    return std::string(present);
}

Face face_in(const json& params) {
    return params.value("face", json()) == "human" ? Face::Human : Face::Assistant;
}

bool may_call(const catalogue::Operation& operation, Face face) {
    return face == Face::Human || operation.is_for_assistants();
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

void Table::add(std::string_view action, Handler handler) {
    rows_.emplace(action, Row{std::move(handler), false});
}

void Table::add_of_market(std::string_view action, Handler handler) {
    rows_.emplace(action, Row{std::move(handler), true});
}

void Table::run(const Call& call, const Reply& reply) const {
    rows_.at(call.action).handler(call, reply);
}

/// Without a name, the default agent. A stopped agent is not found.
Agent* Table::find_agent(const json& params) const {
    const auto wanted = params.find("agent");
    if (wanted != params.end() && wanted->is_string()) {
        const auto found = agents_.find(wanted->get<std::string>());
        const bool is_there = found != agents_.end() && !found->second->is_stopped;
        return is_there ? found->second.get() : nullptr;
    }
    return default_agent(agents_);
}

void Table::prove_and_run(const catalogue::Operation& operation, const Row& row, const json& params,
                          const Reply& reply) const {
    const json& proof = wire::member(params, "proof");
    const Agent* agent = find_agent(params);
    if (!proof.is_object() || agent == nullptr) {
        return reply(error_result(operation.action, {ErrorCode::InvalidArgument,
                                                     "a proof is an object, of a known agent"}));
    }
    proof_.check_pin(agent->identity.account.agent_id, wire::text_member(proof, "person"),
                     wire::text_member(proof, "pin"),
                     [this, &operation, &row, params, reply](const Result<std::string>& person) {
                         if (!person)
                             return reply(error_result_of_pin(operation.action, person.error()));
                         check_and_run(operation, row, params, {face_in(params), *person}, reply);
                     });
}

void Table::check_and_run(const catalogue::Operation& operation, const Row& row, const json& params,
                          const Caller& caller, const Reply& reply) const {
    if (!may_call(operation, caller.face)) {
        reply(error_result(operation.action,
                           {ErrorCode::PermissionDenied,
                            std::string(operation.action) + " is not for this caller"}));
        return;
    }
    if (operation.needs_proof && !caller.is_proved()) return reply(pin_required(operation.action));
    Agent* agent = find_agent(params);
    if (agent == nullptr) {
        reply(
            error_result(operation.action, {ErrorCode::NotFound, "there is no such local agent"}));
        return;
    }
    if (agent->platform == nullptr && row.needs_market) {
        reply(error_result(
            operation.action,
            {ErrorCode::Conflict, agent->identity.account.agent_id +
                                      " is not known to the market; register it there first"}));
        return;
    }
    json arguments = arguments_of(params);
    catalogue::normalize_codes(operation, arguments);
    catalogue::use_present_names(operation, arguments);
    const auto valid = catalogue::validate(catalogue::input_schema(operation), arguments);
    if (!valid) {
        reply(error_result(operation.action, valid.error()));
        return;
    }
    if (must_be_visible(operation, caller.face)) {
        const auto seen = check_visible(arguments);
        if (!seen) return reply(error_result(operation.action, seen.error()));
    }
    const Call call{.action = std::string(operation.action),
                    .caller = caller,
                    .agent = *agent,
                    .arguments = arguments,
                    .reader_language = reader_language_of(params),
                    .names_agent = params.contains("agent")};
    try {
        row.handler(call, reply);
    } catch (const json::exception& unexpected) {
        // A caller's argument of an unexpected type must not end the process that keeps the mail.
        log::error("An operation failed", {{"action", call.action}, {"error", unexpected.what()}});
        reply(error_result(call.action, {ErrorCode::InvalidArgument,
                                         "a member of the arguments has an unexpected type"}));
    }
}

void Table::run_line(const std::string& line, std::function<void(std::string)> respond,
                     const std::string& session_of) const {
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
    const std::string method = present_method(request->at("method").get<std::string>());
    const json params = request->value("params", json::object());
    if (!params.is_object()) {
        respond(rpc_error(id, kInvalidRequest, "params must be an object"));
        return;
    }
    const catalogue::Operation* operation = catalogue::find_action(method);
    const auto row = rows_.find(method);
    if (operation == nullptr || row == rows_.end()) {
        respond(rpc_error(id, kMethodNotFound, "there is no operation " + method.substr(0, 80)));
        return;
    }
    const Reply reply = [id, respond = std::move(respond)](const json& result) {
        respond(json{{"jsonrpc", "2.0"}, {"id", id}, {"result", result}}.dump(
            -1, ' ', false, json::error_handler_t::replace));
    };
    // An assistant has no proof to give, so its guesses neither count nor lock the PIN.
    if (session_of.empty() && face_in(params) == Face::Human && params.contains("proof"))
        return prove_and_run(*operation, row->second, params, reply);
    check_and_run(*operation, row->second, params, {face_in(params), session_of}, reply);
}

}  // namespace a2h::operations
