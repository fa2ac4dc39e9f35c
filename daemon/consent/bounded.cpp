#include "daemon/consent/bounded.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/ids.h"
#include "core/base/money.h"
#include "core/base/time_text.h"
#include "core/wire/json_member.h"
#include "daemon/consent/actions.h"

namespace a2h::mandates {
namespace {

using nlohmann::json;
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

/// Whether everything but the price is text. A number where a text belongs says something that
/// nobody has read.
bool is_text_beside_price(const json& payload) {
    return std::all_of(payload.items().begin(), payload.items().end(), [](const auto& member) {
        return member.key() == "price" || member.value().is_string() || member.value().is_null();
    });
}

/// Whether time and amount are written in the one form that we use. Any other spelling, such as a
/// hundred decimals of a second, could hold words.
bool has_one_spelling(const json& payload) {
    const json& until = wire::member(payload, "valid_until");
    const std::string text = wire::text_member(payload, "valid_until");
    const auto time = parse_time(text);
    if (!until.is_null() && (!time || to_utc_time(*time) != text)) return false;
    const json& price = wire::member(payload, "price");
    const json& amount = wire::member(price, "amount");
    if (!amount.is_string()) return true;
    const auto digits = amount.get<std::string>();
    const auto money = parse_money(digits, wire::text_member(price, "currency"));
    if (!money) return false;
    const std::string plain = to_text(*money);
    return plain.starts_with(digits + " ") || plain.starts_with(digits + ".00 ");
}

}  // namespace

bool holds_only(const json& object, Names plain) {
    if (!object.is_object()) return false;
    for (const auto& [name, value] : object.items()) {
        const bool fits = name == "price" ? is_price(value) : value.is_primitive();
        if (!fits || !has(plain, name)) return false;
    }
    return true;
}

bool is_bounded_offer(const json& payload, bool may_have_text) {
    const bool has_text = !wire::text_member(payload, "text").empty();
    if (has_text && !may_have_text) return false;
    // An acceptance that contains a price is not an offer of that price.
    if (!has({"", "text", "offer"}, wire::text_member(payload, "type"))) return false;
    const json& valid_until = wire::member(payload, "valid_until");
    if (!valid_until.is_null() && !parse_time(wire::text_member(payload, "valid_until"))) {
        return false;
    }
    const std::string replaced = wire::text_member(payload, "replaces");
    if (!replaced.empty() && !is_wordless_id(replaced)) return false;
    return holds_only(payload, {"type", "worksId", "valid_until", "price", "text", "replaces"}) &&
           is_text_beside_price(payload);
}

bool is_bounded_payload(const json& payload) {
    if (!payload.is_object() || !is_text_beside_price(payload)) return false;
    if (!has_one_spelling(payload)) return false;
    if (wire::text_member(payload, "type") == "accept") {
        return holds_only(payload, {"type", "worksId", "offer_message_id"});
    }
    return holds_only(payload, {"type", "worksId", "valid_until", "offer_message_id", "price"});
}

bool is_for_sale(const std::vector<Listing>& own, std::string_view works_id) {
    return std::all_of(own.begin(), own.end(), [&](const Listing& listing) {
        const bool is_meant = works_id.empty() || listing.works_id == works_id;
        return !is_meant || listing.type == ListingType::Service;
    });
}

bool is_bounded_call(std::string_view action, const json& arguments) {
    const auto is_bounded = consent::row_of(action).is_bounded;
    return is_bounded != nullptr && is_bounded(arguments);
}

}  // namespace a2h::mandates
