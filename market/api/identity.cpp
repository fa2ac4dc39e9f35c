// Registering agents, their public records, broker tokens and vouching for messages.

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/wire/crypto.h"
#include "core/wire/envelope.h"
#include "market/api/answer.h"
#include "market/api/authenticate.h"
#include "market/api/body.h"
#include "market/api/service.h"
#include "market/broker/access.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::size_t kNameCodePointsMax = 64;
constexpr std::size_t kKeyCharacters = 43;  // 32 bytes in base64url
constexpr std::size_t kClientIdCharactersMax = 160;
constexpr std::size_t kAgentKeyBytes = 32;

Result<Agent> read_registration(Service& service, const http::Request& request) {
    const auto body = read_body(request);
    if (!body) return fail(body.error());
    auto name = required_text(*body, "name", kNameCodePointsMax);
    if (!name) return fail(name.error());
    auto public_key = required_text(*body, "public_key", kKeyCharacters);
    if (!public_key) return fail(public_key.error());
    auto key_id = wire::key_id_of(*public_key);
    if (!key_id) return fail(key_id.error().with_context("public_key"));
    // Who cannot sign with the key learns nothing about whether it is registered.
    A2H_TRY(check_nonce_signature(service, request, "", *public_key, *public_key));
    return Agent{.agent_id = new_agent_id(),
                 .name = std::move(*name),
                 .agent_key = random_hex(kAgentKeyBytes),
                 .key_id = std::move(*key_id),
                 .public_key = std::move(*public_key),
                 .require_nonce = body->value("require_nonce", json()) == true,
                 .created_at_ms = service.clock.now_ms()};
}

Result<json> token_for(Service& service, const Call& call) {
    const auto body = read_body(call.request);
    if (!body) return fail(body.error());
    const auto client_id = required_text(*body, "client_id", kClientIdCharactersMax);
    if (!client_id) return fail(client_id.error());
    const auto owner = agent_of_client_id(*client_id);
    if (!owner || *owner != call.caller.agent_id) {
        return fail(ErrorCode::PermissionDenied, "client_id is not one of yours");
    }
    const std::int64_t now_s = service.clock.now_ms() / 1000;
    const std::int64_t expires_at_s = now_s + service.token_lifetime.count();
    auto token = service.token_signer.sign({.agent_id = call.caller.agent_id,
                                            .client_id = *client_id,
                                            .issued_at_s = now_s,
                                            .expires_at_s = expires_at_s});
    if (!token) return fail(token.error());
    return json{{"client_id", *client_id},
                {"username", call.caller.agent_id},
                {"password", *token},
                {"expire_time", expires_at_s * 1000}};
}

/// Whether the envelope's HMAC is its sender's. Only about messages to the caller: what others
/// write to each other is not confirmed to a third.
Result<bool> is_genuine(Service& service, const Call& call) {
    const auto body = read_body(call.request);
    if (!body) return fail(body.error());
    const auto envelope = required_text(*body, "envelope", wire::kEnvelopeBytesMax);
    if (!envelope) return fail(envelope.error());
    const auto outcome = wire::parse_envelope(*envelope, call.caller.agent_id);
    if (outcome.refused && outcome.refused->reason == Refusal::NotForUs) {
        return fail(ErrorCode::PermissionDenied, "the message is not addressed to you");
    }
    if (!outcome.parsed) return false;
    const auto sender = service.store.find_agent(outcome.parsed->envelope.sender_id);
    if (!sender) return fail(sender.error());
    return *sender && !(*sender)->revoked &&
           wire::check_hmac(*outcome.parsed, (*sender)->agent_key);
}

}  // namespace

http::Response register_agent(Service& service, const Call& call) {
    const auto registration = read_registration(service, call.request);
    if (!registration) return failure(registration.error());
    const auto agent = service.store.add_agent(*registration);
    if (!agent) return failure(agent.error());
    if (agent->revoked) return failure({ErrorCode::PermissionDenied, "this agent was revoked"});
    return success({{"agent_id", agent->agent_id},
                    {"agent_key", agent->agent_key},
                    {"mqtt_url", service.mqtt_url}});
}

http::Response show_agent(Service& service, const Call& call) {
    const auto agent = service.store.find_agent(call.arguments[0]);
    if (!agent) return failure(agent.error());
    if (!*agent || (*agent)->revoked) {
        return failure({ErrorCode::NotFound, "there is no such agent"});
    }
    return success({{"agent_id", (*agent)->agent_id},
                    {"name", (*agent)->name},
                    {"key_id", (*agent)->key_id},
                    {"public_key", (*agent)->public_key}});
}

http::Response verify_message(Service& service, const Call& call) {
    const auto genuine = is_genuine(service, call);
    if (!genuine) return failure(genuine.error());
    return success({{"verified", *genuine}});
}

http::Response issue_token(Service& service, const Call& call) {
    const auto token = token_for(service, call);
    if (!token) return token_failure(token.error());
    return json_response(200, {{"success", true}, {"data", *token}, {"error", nullptr}});
}

http::Response show_profile(Service&, const Call& call) {
    return success({{"userId", call.caller.agent_id},
                    {"nickname", call.caller.name},
                    {"avatarUrl", ""},
                    {"bio", ""},
                    {"abilities", json::array()},
                    {"realnameStatus", 0},
                    {"paymentQrcodeUrl", ""},
                    {"alipayQrcodeUrl", ""},
                    {"wechatPayQrcodeUrl", ""},
                    {"paypalEmail", ""},
                    {"defaultPaymentMethod", ""}});
}

}  // namespace a2h::market
