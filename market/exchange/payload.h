#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/money.h"
#include "core/base/result.h"
#include "market/store/negotiation_store.h"

namespace a2h::market {

/// `currency` and decimal major units of `price`, whose amount is the number or text behind `names`
/// in the JSON text `text`, read by the digits that stand there (R27).
///
/// Errors:  InvalidArgument for what is no amount of the currency, for 0, and for a number with
/// more
///          digits than every reader of JSON keeps (as a text it is fine).
Result<Money> read_price(std::string_view text, const nlohmann::json& price,
                         std::vector<std::string> names);

/// Type, payload and what follows from it, of what somebody says in a session; the rest is empty.
/// `payload` is the member `payload` of the JSON text `text`; an absent type is `text`. The price
/// is kept in our own spelling.
///
/// Errors:  InvalidArgument for a field that is missing or not one of the type's, or of another
///          JSON type than it must have.
/// Source:  docs/protocol.md, "Exchange".
Result<NegotiationMessage> read_payload(std::string_view text, nlohmann::json payload);

}  // namespace a2h::market
