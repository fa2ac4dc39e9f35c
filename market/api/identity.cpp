// Registration of agents, their public records, broker tokens, and confirmation of messages.

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/wire/crypto.h"
#include "core/wire/envelope.h"
#include "market/api/authenticate.h"
#include "market/api/body.h"
#include "market/api/exchange_fields.h"
#include "market/api/resources.h"
#include "market/broker/access.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::size_t kAgentKeyBytes = 32;

/// An agent that was created outside this market keeps the id by which others know it.
Result<std::string> id_for(const Call& call) {
    if (!call.body.contains("agent_id")) return new_agent_id();
    auto wanted = text_or(call.body, "agent_id");
    if (is_agent_id(wanted)) return wanted;
    return fail(ErrorCode::InvalidArgument, "agent_id must be ag_ followed by letters and digits");
}

Result<Agent> read_registration(ApiParts& parts, const Call& call) {
    auto name = text_or(call.body, "name");
    if (trim(name).empty()) return fail(ErrorCode::InvalidArgument, "name is blank");
    auto public_key = text_or(call.body, "public_key");
    auto key_id = wire::key_id_of(public_key);
    if (!key_id) return fail(key_id.error().with_context("public_key"));
    A2H_ASSIGN_OR_RETURN(auto agent_id, id_for(call));
    // A caller that cannot sign with the key does not learn whether it is registered.
    A2H_TRY(check_nonce_signature(parts, call.request, "", public_key, public_key));
    return Agent{.agent_id = std::move(agent_id),
                 .name = std::move(name),
                 .agent_key = random_hex(kAgentKeyBytes),
                 .key_id = std::move(*key_id),
                 .public_key = std::move(public_key),
                 .require_nonce = call.body.value("require_nonce", false),
                 .created_at_ms = parts.clock.now_ms()};
}

Result<json> register_agent(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto registration, read_registration(parts, call));
    A2H_ASSIGN_OR_RETURN(const auto agent,
                         parts.database.write_with(store::add_agent, registration));
    if (agent.revoked) return fail(ErrorCode::PermissionDenied, "this agent was revoked");
    if (call.body.contains("agent_id") && agent.agent_id != registration.agent_id) {
        return fail(ErrorCode::Conflict, "this key is registered as " + agent.agent_id);
    }
    return json{
        {"agent_id", agent.agent_id}, {"agent_key", agent.agent_key}, {"mqtt_url", parts.mqtt_url}};
}

/// An agent, or the market under the id with which it signs its own messages.
Result<std::shared_ptr<const Agent>> find_sender(ApiParts& parts, std::string_view id) {
    if (id != parts.own_agent.sender_id()) return parts.agents.find(id);
    Agent market = parts.own_agent.agent;
    market.agent_id = id;
    return std::make_shared<const Agent>(std::move(market));
}

Result<json> show_agent(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto agent, find_sender(parts, call.arguments[0]));
    if (!agent || agent->revoked) return fail(ErrorCode::NotFound, "there is no such agent");
    A2H_ASSIGN_OR_RETURN(const auto offers,
                         parts.database.read_with(store::capabilities_of, call.arguments[0]));
    return json{{"agent_id", agent->agent_id},
                {"name", agent->name},
                {"key_id", agent->key_id},
                {"public_key", agent->public_key},
                {"capabilities", capabilities_json(offers)}};
}

/// Whether the envelope has its sender's HMAC, also if its form is not acceptable. Only for
/// messages to the caller, so messages between others are not confirmed to a third party.
Result<bool> is_genuine(ApiParts& parts, const Call& call) {
    const auto outcome = wire::parse_envelope(text_or(call.body, "envelope"), call.caller.agent_id);
    if (outcome.refused && outcome.refused->reason == Refusal::NotForUs) {
        return fail(ErrorCode::PermissionDenied, "the message is not addressed to you");
    }
    const std::string& sender_id =
        outcome.parsed ? outcome.parsed->envelope.sender_id : outcome.refused->claimed_sender;
    A2H_ASSIGN_OR_RETURN(const auto sender, find_sender(parts, sender_id));
    if (!sender || sender->revoked) return false;
    return outcome.parsed ? wire::check_hmac(*outcome.parsed, sender->agent_key)
                          : wire::check_hmac(*outcome.refused, sender->agent_key);
}

Result<json> verify_message(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto genuine, is_genuine(parts, call));
    return json{{"verified", genuine}};
}

Result<json> issue_token(ApiParts& parts, const Call& call) {
    const auto client_id = text_or(call.body, "client_id");
    const auto owner = agent_of_client_id(client_id);
    if (!owner || *owner != call.caller.agent_id) {
        return fail(ErrorCode::PermissionDenied, "client_id is not one of yours");
    }
    const std::int64_t now_s = parts.clock.now_ms() / 1000;
    const std::int64_t expires_at_s = now_s + parts.token_lifetime.count();
    A2H_ASSIGN_OR_RETURN(auto token, parts.token_signer.sign({.agent_id = call.caller.agent_id,
                                                              .client_id = client_id,
                                                              .issued_at_s = now_s,
                                                              .expires_at_s = expires_at_s}));
    return json{{"client_id", client_id},
                {"username", call.caller.agent_id},
                {"password", token},
                {"expire_time", expires_at_s * 1000}};
}

constexpr std::array kIdentityRoutes{
    Route{.method = "POST",
          .path = "/v1/agents",
          .access = Access::Public,
          .summary = "Registers an agent by its public key, which signs the request. The same key "
                     "returns the same agent.",
          .body_schema = R"({"type":"object","required":["name","public_key"],"properties":{
            "name":{"type":"string","minLength":1,"maxLength":64},
            "public_key":{"type":"string","description":"Ed25519, 32 bytes in base64url",
                "minLength":1,"maxLength":43},
            "agent_id":{"type":"string","minLength":4,"maxLength":51,
                "description":"the id that the agent already has: ag_ and letters and digits; a conflict if it is another agent's"},
            "require_nonce":{"type":"boolean",
                "description":"refuse requests without nonce and Ed25519 signature"}}})",
          .data_schema = R"({"type":"object","required":["agent_id","agent_key","mqtt_url"],
            "properties":{"agent_id":{"type":"string"},
            "agent_key":{"type":"string","description":"HMAC key of signatures; a secret"},
            "mqtt_url":{"type":"string"}},"additionalProperties":false})",
          .handler = register_agent},
    Route{.method = "GET",
          .path = "/v1/agents/{agent_id}",
          .access = Access::Public,
          .summary = "Returns the public record of an agent.",
          .data_schema = R"({"type":"object","required":["agent_id","name","key_id","public_key",
            "capabilities"],"properties":{"agent_id":{"type":"string"},"name":{"type":"string"},
            "key_id":{"type":"string"},"public_key":{"type":"string"},"capabilities":{
            "type":"array","items":{"$ref":"#/components/schemas/Capability"}}}})",
          .handler = show_agent,
          .quick = true},
    Route{.method = "POST",
          .path = "/v1/messages/verify",
          .tag = "messages",
          .summary = "Checks whether a message to the caller carries its sender's signature.",
          .body_schema = R"({"type":"object","required":["envelope"],"properties":{
            "envelope":{"type":"string","minLength":1,"maxLength":65536}}})",
          .data_schema = R"({"type":"object","required":["verified"],
            "properties":{"verified":{"type":"boolean"}},"additionalProperties":false})",
          .handler = verify_message},
    Route{.method = "POST",
          .path = "/mqtt-token/api/v1/token",
          .form = Form::Flagged,
          .tag = "messages",
          .summary = "Returns a token for the broker, for one client id of the caller.",
          .body_schema = R"({"type":"object","required":["client_id"],"properties":{
            "client_id":{"type":"string","minLength":1,"maxLength":160}}})",
          .data_schema = R"({"type":"object",
            "required":["client_id","username","password","expire_time"],"properties":{
            "client_id":{"type":"string"},"username":{"type":"string"},
            "password":{"type":"string"},
            "expire_time":{"type":"integer","description":"unix ms"}}})",
          .handler = issue_token,
          .quick = true},
};

}  // namespace

Resource identity_resource() {
    return {"agents", kIdentityRoutes};
}

}  // namespace a2h::market
