#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace a2h::platform {

/// One call of the market's HTTP API, ready to be signed.
struct Request {
    std::string method{};
    std::string path{};   ///< percent-encoded where it holds arguments; without query
    std::string query{};  ///< with its `?`; empty: none
    std::string body{};   ///< JSON; empty: none
    /// The same key makes our market answer as it did before (public platform: no effect).
    std::string idempotency_key{};
};

/// True when the operation `action` of the catalogue is one call of the market.
bool is_market_call(std::string_view action);

/// The call that carries out `action` for the agent `agent_id` with `arguments`, an object that was
/// checked against the operation's input schema. Pages count from 1 in arguments, and from 0 in
/// calls where the platform does so (R15). What is not given is left out, so that an update
/// changes nothing else (R15); `null` clears nothing either.
///
/// Units:   order and listing prices are minor units in both; `amount` and `max` of the exchange
///          are decimal major units in both (R27).
/// Errors:  NotFound when `action` is no call of the market; InvalidArgument when an amount has
/// more
///          digits than its currency, or a text is not UTF-8.
/// Thread:  any.
/// Source:  docs/protocol.md, "HTTP API of the market".
Result<Request> make_request(std::string_view action, const nlohmann::json& arguments,
                             std::string_view agent_id);

/// One path segment or query value of `text`: ids come from peers and must not become another path.
std::string percent_encoded(std::string_view text);

/// The profile's member that holds the address of the payment code of `type` (`alipay`,
/// `wechat_pay`, else the general one).
std::string_view qr_member(std::string_view type);

}  // namespace a2h::platform
