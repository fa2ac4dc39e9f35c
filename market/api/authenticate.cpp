#include "market/api/authenticate.h"

#include <algorithm>
#include <charconv>

#include "core/base/ids.h"
#include "core/wire/crypto.h"
#include "core/wire/payload.h"

namespace a2h::market {
namespace {

constexpr std::size_t kNonceCharactersMin = 16;
constexpr std::size_t kNonceCharactersMax = 64;

Unexpected refused(std::string message) {
    return fail(ErrorCode::Unauthenticated, std::move(message));
}

Result<std::int64_t> read_timestamp(const ApiParts& parts, const http::Request& request) {
    const std::string_view text = request.header("x-timestamp");
    std::int64_t timestamp_s = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), timestamp_s);
    constexpr std::int64_t kSecondsMax = 1'000'000'000'000;
    if (error != std::errc() || end != text.data() + text.size() || timestamp_s < 0 ||
        timestamp_s > kSecondsMax) {
        return refused("X-Timestamp must be unix seconds");
    }
    const UnixMs difference_ms = parts.clock.now_ms() - timestamp_s * 1000;
    if (difference_ms > ReplayGuard::kWindowMs || difference_ms < -ReplayGuard::kWindowMs) {
        return refused("X-Timestamp is more than 5 minutes off; check the clock");
    }
    return timestamp_s;
}

bool is_nonce(std::string_view text) {
    return text.size() >= kNonceCharactersMin && text.size() <= kNonceCharactersMax &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '-' || c == '_';
           });
}

}  // namespace

Result<void> check_nonce_signature(ApiParts& parts, const http::Request& request,
                                   std::string_view agent_id, std::string_view public_key,
                                   std::string_view actor) {
    A2H_ASSIGN_OR_RETURN(const auto timestamp_s, read_timestamp(parts, request));
    const std::string_view nonce = request.header("x-a2h-nonce");
    if (!is_nonce(nonce)) return refused("X-A2H-Nonce must be 16 to 64 letters and digits");
    const std::string text = wire::nonce_signature_text(request.method, request.target, agent_id,
                                                        timestamp_s, nonce, request.body);
    if (!wire::ed25519_verify(public_key, text, request.header("x-a2h-signature"))) {
        return refused("X-A2H-Signature does not match the request");
    }
    A2H_ASSIGN_OR_RETURN(const auto first,
                         parts.replay_guard.first_use(actor, nonce, parts.clock.now_ms()));
    if (!first) return refused("X-A2H-Nonce was used before");
    return {};
}

Result<Agent> authenticate(ApiParts& parts, const http::Request& request,
                           std::string_view also_signed_as) {
    const std::string_view agent_id = request.header("x-agent-id");
    const std::string_view signature = request.header("x-agent-signature");
    if (!is_agent_id(agent_id) || signature.empty()) {
        return refused("the request is not signed: X-Agent-Id or X-Agent-Signature is missing");
    }
    A2H_ASSIGN_OR_RETURN(const auto timestamp_s, read_timestamp(parts, request));
    A2H_ASSIGN_OR_RETURN(const auto found, parts.agents.find(agent_id));
    const std::string_view path =
        std::string_view(request.target).substr(0, request.target.find('?'));
    const std::string key = found ? found->agent_key : std::string();
    const auto signs = [&](std::string_view signed_path) {
        return wire::equal_constant_time(
            wire::platform_signature(key, request.method, signed_path, agent_id, timestamp_s),
            signature);
    };
    const bool fits = signs(path) || (!also_signed_as.empty() && signs(also_signed_as));
    if (!found || !fits) {
        return refused("X-Agent-Signature does not match the request");
    }
    const Agent& agent = *found;
    if (agent.revoked) return fail(ErrorCode::PermissionDenied, "this agent was revoked");
    const bool has_nonce =
        !request.header("x-a2h-nonce").empty() || !request.header("x-a2h-signature").empty();
    if (has_nonce || agent.require_nonce) {
        A2H_TRY(check_nonce_signature(parts, request, agent_id, agent.public_key, agent_id));
    }
    return agent;
}

}  // namespace a2h::market
