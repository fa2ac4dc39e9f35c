#pragma once

#include <string>
#include <string_view>

#include "daemon/decide/decision.h"

namespace a2h::decide {

/// Whether `id` is one as markets make them: "WKS" and hexadecimal digits. What is none may be a
/// sentence, so it enters no text and no message of ours. Thread: any.
bool is_order_id(std::string_view id);

/// The order id that stands in comparable text, else nothing: "WKS" and at least 30 hexadecimal
/// digits, as the platform makes them. Thread: any.
std::string order_id_in(std::string_view comparable_text);

/// The one order that the latest messages of the conversation name, in either direction. Empty when
/// there is none, when there are several, when nobody but an unproved sender named it, or when it
/// was named with another listing than `works_id`, if that is not empty. Costs next to nothing
/// where no message has an order. Pure. Thread: any.
std::string order_of_conversation(const Input& input, std::string_view works_id = {});

}  // namespace a2h::decide
