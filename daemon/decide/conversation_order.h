#pragma once

#include <string>
#include <string_view>

#include "daemon/decide/decision.h"

namespace a2h::decide {

/// Whether `id` has the form that markets use: "WKS" and hexadecimal digits. Anything else could be
/// a sentence, so it is never included in our texts or messages.
///
/// Thread:  any.
bool is_order_id(std::string_view id);

/// The order id in comparable text, or an empty text: "WKS" and at least 30 hexadecimal digits, as
/// the platform creates them.
///
/// Thread:  any.
std::string order_id_in(std::string_view comparable_text);

/// The one order that the latest messages of the conversation name, in either direction. Empty if
/// there is none or more than one, if only an unverified sender named it, or if it was named with
/// another listing than a non-empty `works_id`. Costs almost nothing if no message names an order.
/// Pure.
///
/// Thread:  any.
std::string order_of_conversation(const Input& input, std::string_view works_id = {});

}  // namespace a2h::decide
