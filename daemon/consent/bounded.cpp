#include "daemon/consent/bounded.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/time_text.h"
#include "core/wire/json_member.h"

namespace a2h::mandates {
namespace {

using nlohmann::json;
using Names = std::initializer_list<std::string_view>;

bool has(Names names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_price(const json& price) {
    if (!price.is_object()) return false;
    for (const auto& [name, value] : price.items()) {
        if (!has({"amount", "currency"}, name) || !value.is_primitive()) return false;
    }
    return true;
}

/// All members are in `plain` and are texts or numbers, or the price.
bool holds_only(const json& object, Names plain) {
    if (!object.is_object()) return false;
    for (const auto& [name, value] : object.items()) {
        const bool fits = name == "price" ? is_price(value) : value.is_primitive();
        if (!fits || !has(plain, name)) return false;
    }
    return true;
}

}  // namespace

bool is_bounded_offer(const json& payload, bool may_have_text) {
    const bool has_text = !wire::text_member(payload, "text").empty();
    if (has_text && !may_have_text) return false;
    // An acceptance that contains a price is not an offer of that price.
    if (!has({"", "text", "offer"}, wire::text_member(payload, "type"))) return false;
    const json& valid_until = wire::member(payload, "valid_until");
    if (!valid_until.is_null() && !parse_time(wire::text_member(payload, "valid_until"))) {
        return false;
    }
    return holds_only(payload, {"type", "worksId", "valid_until", "price", "text"});
}

bool is_bounded_payload(const json& payload) {
    if (wire::text_member(payload, "type") == "accept") {
        return holds_only(payload, {"type", "worksId", "offer_message_id"});
    }
    return holds_only(payload, {"type", "worksId", "valid_until", "offer_message_id", "price"});
}

bool is_bounded_call(std::string_view action, const json& arguments) {
    if (action == "order.create") {
        return holds_only(arguments, {"customer_id", "price_cent", "currency", "product_id",
                                      "order_type", "title", "content"});
    }
    // The market holds what they commit to, with its amount.
    if (action == "order.action") return holds_only(arguments, {"order_id", "action"});
    if (action == "proposal.update") return holds_only(arguments, {"proposal_id", "status"});
    // A proposal with words or a delivery date commits to more than its price.
    return action == "proposal.submit" && holds_only(arguments, {"rfp_id", "price"});
}

}  // namespace a2h::mandates
