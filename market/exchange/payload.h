#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/money.h"
#include "core/base/result.h"
#include "market/store/session_store.h"

namespace a2h::market {

/// `currency` and decimal major units of `price`. The amount is the number or text at the path
/// `names` in the JSON text `text`, read by its digits as written (R27).
///
/// Errors:  InvalidArgument for a value that is not an amount of the currency, for 0, and for a
///          number with more digits than every JSON reader preserves (a text may have them).
Result<Money> read_price(std::string_view text, const nlohmann::json& price,
                         std::vector<std::string> names);

/// The fields of a payload of mail that its type has in sessions. Mail may say more.
nlohmann::json known_fields(const nlohmann::json& payload);

/// Type, payload and derived fields of a message in a session; other fields are empty. `payload` is
/// the member `payload` of the JSON text `text`; an absent type means `text`. The price is stored
/// in our own form.
///
/// Errors:  InvalidArgument for a field that is missing, does not belong to the type, or has
///          another JSON type than required.
/// Source:  docs/protocol.md, "Exchange".
Result<SessionMessage> read_payload(std::string_view text, nlohmann::json payload);

}  // namespace a2h::market
