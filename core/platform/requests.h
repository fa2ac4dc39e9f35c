#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace a2h::platform {

/// One call of the market's HTTP API, ready to be signed.
struct Request {
    std::string method{};
    std::string path{};   ///< percent-encoded if it contains arguments; without query
    std::string query{};  ///< with its `?`; empty: none
    std::string body{};   ///< JSON; empty: none
    /// With the same key our market repeats its earlier answer (public platform: no effect).
    std::string idempotency_key{};
};

/// True if the operation `action` of the catalogue is a call of the market.
bool is_market_call(std::string_view action);

/// The call that carries out `action` for the agent `agent_id` with `arguments`, an object that was
/// checked against the operation's input schema. Pages count from 1 in arguments, and from 0 in
/// calls where the platform does so (R15). Absent arguments are left out, so that an update changes
/// nothing else (R15); `null` does not clear a field either.
///
/// Units:   order and listing prices are minor units in both; `amount` and `max` of the exchange
///          are decimal major units in both (R27).
/// Errors:  NotFound if `action` is not a call of the market; InvalidArgument if an amount has more
///          decimals than its currency, or if a text is not UTF-8.
/// Thread:  any.
/// Source:  docs/protocol.md, "HTTP API of the market".
Result<Request> make_request(std::string_view action, const nlohmann::json& arguments,
                             std::string_view agent_id);

/// True if the call changes nothing at the market.
bool only_reads(const Request& request);

/// Returns the digest that a permit of a call holds: the hex SHA-256 of the canonical JSON of the
/// agent and of method, path, query and body. The key of a repetition is no part of it.
///
/// Source:  docs/rulings.md, R58.
std::string permit_digest(std::string_view agent_id, const Request& request);
/// The same for the upload of a file with this hex SHA-256.
std::string upload_digest(std::string_view agent_id, std::string_view file_sha256);

/// `text` as one path segment or query value. Ids come from peers and must not lead to another
/// path.
std::string percent_encoded(std::string_view text);

/// The profile's member with the address of the payment code of `type` (`alipay`, `wechat_pay`,
/// otherwise the general one).
std::string_view qr_member(std::string_view type);

}  // namespace a2h::platform
