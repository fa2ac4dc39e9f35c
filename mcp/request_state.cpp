#include "mcp/request_state.h"

#include <nlohmann/json.hpp>

#include "core/wire/crypto.h"

namespace a2h::mcp {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

}  // namespace

std::string seal(const RequestState& state, std::string_view key) {
    const json content = {{"call", state.call},
                          {"approval_id", state.approval_id},
                          {"digest", state.digest},
                          {"until", state.until.time_since_epoch().count()}};
    const std::string text = wire::base64url_encode(content.dump());
    return text + "." + wire::hmac_sha256_hex(key, text);
}

std::optional<RequestState> open_seal(std::string_view text, std::string_view key,
                                      std::string_view call, Clock::time_point now) {
    const auto point = text.find('.');
    if (point == std::string_view::npos) return std::nullopt;
    const std::string_view sealed = text.substr(0, point);
    if (!wire::equal_constant_time(wire::hmac_sha256_hex(key, sealed), text.substr(point + 1))) {
        return std::nullopt;
    }
    const auto content = json::parse(wire::base64url_decode(sealed).value());
    const RequestState state{
        .call = content.at("call"),
        .approval_id = content.at("approval_id"),
        .digest = content.at("digest"),
        .until = Clock::time_point(Clock::duration(content.at("until").get<Clock::rep>()))};
    if (state.call != call || now >= state.until) return std::nullopt;
    return state;
}

}  // namespace a2h::mcp
