#include "tests/integration/mcp_conformance/fixture.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/wire/crypto.h"
#include "mcp/request_id.h"
#include "mcp/request_state.h"

namespace a2h::test {
namespace {

using mcp::Outcome;
using mcp::RpcCode;
using mcp::RpcError;
using mcp::Version;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::chrono::seconds kPatience(20);
constexpr const char* kLogLevelKey = "io.modelcontextprotocol/logLevel";
constexpr const char* kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";
constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

RpcError bad_params(std::string words) {
    return {.code = RpcCode::InvalidParams, .message = std::move(words), .data_json = {}};
}

std::size_t level_number(std::string_view level) {
    return static_cast<std::size_t>(std::find(kLevels.begin(), kLevels.end(), level) -
                                    kLevels.begin());
}

ordered_json offered(Version version) {
    ordered_json all = {{"tools", {{"listChanged", true}}},
                        {"prompts", {{"listChanged", true}}},
                        {"resources", {{"subscribe", true}}},
                        {"completions", ordered_json::object()}};
    if (mcp::is_modern(version)) {
        all["extensions"] = {{mcp::kTasksExtension, ordered_json::object()}};
    } else {
        all["logging"] = ordered_json::object();
    }
    return all;
}

/// Lists of 2026-07-28 state how long they are valid.
ordered_json listed(const char* member, ordered_json items) {
    return {{member, std::move(items)}, {"ttlMs", 60'000}, {"cacheScope", "public"}};
}

/// Whether `answer` answers the request for input `request` in its own form.
bool is_answer(const json& request, const json& answer) {
    if (!answer.is_object()) return false;
    const std::string method = request["method"];
    if (method == "roots/list") return answer.contains("roots") && answer["roots"].is_array();
    if (method == "sampling/createMessage") return answer.contains("content");
    return answer.value("action", json()).is_string() &&
           (answer["action"] != "accept" || answer.value("content", json()).is_object());
}

}  // namespace

Fixture::Fixture(mcp::Protocol::Write write)
    : write_(std::move(write)),
      key_(wire::new_token()),
      client_(write_),
      tasks_(clock_, [](const std::string&, const ordered_json&) {}),
      protocol_(write_, *this) {}

json Fixture::ask(const Call& call, std::string_view method, const json& params) {
    return client_.ask(method, params.dump(), {.timeout = kPatience, .cancelled = call.cancelled})
        .value_or(json::object());
}

void Fixture::notify(std::string_view method, const json& params) {
    write_(mcp::request_line({}, method, params.dump()));
}

void Fixture::log(const Call& call, std::string_view text) {
    std::string least = "info";
    if (mcp::is_modern(call.version)) {
        const json& meta = call.params->at("_meta");
        if (!meta.contains(kLogLevelKey)) return;
        least = meta.value(kLogLevelKey, "emergency");
    } else {
        const std::lock_guard lock(mutex_);
        least = level_;
    }
    if (level_number("info") < level_number(least)) return;
    notify("notifications/message", {{"level", "info"}, {"logger", "fixture"}, {"data", text}});
}

void Fixture::tell_listeners(std::string_view kind, std::string_view method) {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, listener] : listeners_) {
        if (!json::parse(listener.kinds).value(kind, false)) continue;
        notify(method, {{"_meta", {{kSubscriptionKey, json::parse(listener.id)}}}});
    }
}

Outcome Fixture::ask_in_rounds(const Call& call, const json& rounds, bool sealed, json& answers) {
    const json& params = *call.params;
    const auto now = std::chrono::steady_clock::now();
    const std::string digest =
        wire::sha256_hex(params.value("name", "") + params.value("arguments", json()).dump());
    std::size_t round = 0;
    if (params.contains("requestState")) {
        const json& text = params["requestState"];
        const auto state = text.is_string()
                               ? mcp::open_seal(text.get<std::string>(), key_, digest, now)
                               : std::nullopt;
        if (!state) return bad_params("requestState is not valid");
        round = std::stoul(state->digest);
    }
    if (params.contains("inputResponses")) {
        answers = params["inputResponses"];
        if (!answers.is_object()) return bad_params("inputResponses must be an object");
        const json& asked = rounds.at(round);
        const bool complete =
            std::all_of(asked.items().begin(), asked.items().end(), [&](const auto& request) {
                return answers.contains(request.key()) &&
                       is_answer(request.value(), answers[request.key()]);
            });
        if (complete && ++round == rounds.size()) return ordered_json();
    }
    ordered_json result = {{"resultType", "input_required"}, {"inputRequests", rounds.at(round)}};
    if (sealed) {
        result["requestState"] =
            mcp::seal({digest, "fixture", std::to_string(round), now + kPatience}, key_);
    }
    return result;
}

bool Fixture::take_request(const mcp::Message& message, Version version, const Reply& reply) {
    const std::string& method = message.method;
    if (method == "tools/call" && call_task_tool(message, version, reply)) return true;
    if (method == "tools/call" || method == "prompts/get" || method == "resources/read") {
        protocol_.answer_later(
            message, version, reply,
            [this, method, version, params = message.params](std::stop_token cancelled) {
                json capabilities;
                if (mcp::is_modern(version)) {
                    capabilities = params->at("_meta").at(std::string(mcp::kClientCapabilitiesKey));
                } else {
                    const std::lock_guard lock(mutex_);
                    capabilities = json::parse(session_capabilities_);
                }
                const Call call{params.get(), version, &capabilities, std::move(cancelled)};
                if (method == "tools/call") return run_fixture_tool(*this, call);
                if (method == "prompts/get") return get_fixture_prompt(*this, call);
                return read_fixture_resource(call);
            });
        return true;
    }
    if (method == "subscriptions/listen" && mcp::is_modern(version)) {
        listen(message);
        return true;
    }
    Outcome outcome = answer_now(message, version);
    const auto* error = std::get_if<RpcError>(&outcome);
    if (error != nullptr && error->code == RpcCode::MethodNotFound) return false;
    reply(mcp::Protocol::answer(message.id, std::move(outcome), version));
    return true;
}

Outcome Fixture::answer_now(const mcp::Message& message, Version version) {
    const std::string& method = message.method;
    const json& params = *message.params;
    if (method == "tools/list") {
        ordered_json tools = fixture_tools();
        for (ordered_json& tool : fixture_task_tools())
            tools.push_back(std::move(tool));
        return listed("tools", std::move(tools));
    }
    if (mcp::is_modern(version) &&
        (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel")) {
        return answer_about_task(method, params);
    }
    if (method == "prompts/list") return listed("prompts", fixture_prompts());
    if (method == "resources/list") return listed("resources", fixture_resources());
    if (method == "resources/templates/list") {
        return listed("resourceTemplates", fixture_templates());
    }
    if (method == "completion/complete") {
        return ordered_json{{"completion", {{"values", {"testing", "tested"}}, {"total", 2}}}};
    }
    if (mcp::is_modern(version)) {
        if (method != "server/discover") return RpcError{RpcCode::MethodNotFound, {}, {}};
        ordered_json result = listed("capabilities", offered(version));
        result["supportedVersions"] = ordered_json::parse(mcp::modern_versions_json());
        return result;
    }
    if (method == "ping" || method.starts_with("resources/")) return ordered_json::object();
    if (method == "logging/setLevel") return set_level(params);
    if (method != "initialize") return RpcError{RpcCode::MethodNotFound, {}, {}};
    const Version agreed = protocol_.begin_session(params.value("protocolVersion", ""));
    const std::lock_guard lock(mutex_);
    session_capabilities_ = params.value("capabilities", json::object()).dump();
    return ordered_json{{"protocolVersion", mcp::to_string(agreed)},
                        {"capabilities", offered(agreed)},
                        {"serverInfo", mcp::server_info()}};
}

Outcome Fixture::set_level(const json& params) {
    const std::string level = params.value("level", "");
    if (level_number(level) == kLevels.size()) return bad_params("there is no such level");
    const std::lock_guard lock(mutex_);
    level_ = level;
    return ordered_json::object();
}

void Fixture::listen(const mcp::Message& message) {
    const json asked = message.params->value("notifications", json::object());
    json honoured = json::object();
    for (const char* kind : {"toolsListChanged", "promptsListChanged"}) {
        if (asked.value(kind, false)) honoured[kind] = true;
    }
    const std::lock_guard lock(mutex_);
    listeners_[mcp::id_key(message.id)] = {message.id, honoured.dump()};
    notify("notifications/subscriptions/acknowledged",
           {{"_meta", {{kSubscriptionKey, json::parse(message.id)}}}, {"notifications", honoured}});
}

void Fixture::take_cancellation(const std::string& key) {
    const std::lock_guard lock(mutex_);
    listeners_.erase(key);
}

}  // namespace a2h::test
