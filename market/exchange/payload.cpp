#include "market/exchange/payload.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "market/exchange/exchange_json.h"

namespace a2h::market {
namespace {

using nlohmann::json;

/// A double represents every decimal number with this many digits exactly.
constexpr std::ptrdiff_t kExactDigits = 15;

/// The fields of a payload by its type, besides `type`.
struct PayloadType {
    std::string_view name;
    std::string_view needed;
    std::array<std::string_view, 4> allowed{};

    bool has(std::string_view field) const {
        return field == "type" || field == needed ||
               std::find(allowed.begin(), allowed.end(), field) != allowed.end();
    }
};
constexpr std::array kPayloadTypes{
    PayloadType{"text", "text", {"replaces"}},
    PayloadType{"inquiry", "text", {"replaces"}},
    PayloadType{"offer", "price", {"valid_until", "summary", "text", "replaces"}},
    PayloadType{"accept", "offer_message_id", {"note", "text", "offer_payload_hash", "replaces"}},
    PayloadType{"reject", "offer_message_id", {"note", "text", "replaces"}},
};

const PayloadType* type_named(std::string_view name) {
    const auto type = std::find_if(kPayloadTypes.begin(), kPayloadTypes.end(),
                                   [&](const PayloadType& each) { return each.name == name; });
    return type == kPayloadTypes.end() ? nullptr : &*type;
}

std::string text_or(const json& object, std::string_view name, std::string_view fallback = "") {
    const auto found = object.find(name);
    return found == object.end() ? std::string(fallback) : found->get<std::string>();
}

Result<std::string> digits_of(std::string_view text, const json& amount,
                              std::vector<std::string> names) {
    if (amount.is_string()) return amount.get<std::string>();
    auto digits = wire::number_text(text, std::move(names));
    if (!digits) return invalid("the amount is not a number");
    const auto count =
        std::count_if(digits->begin(), digits->end(), [](char c) { return c >= '0' && c <= '9'; });
    if (amount.is_number_float() && count > kExactDigits) {
        return invalid("a number with more than 15 digits must be written as a text");
    }
    return std::move(*digits);
}

/// All fields are texts except the price, which is an object.
Result<void> check_json_types(const json& payload) {
    for (const auto& [field, value] : payload.items()) {
        if (field == "price" ? !value.is_object() : !value.is_string()) {
            return invalid(field + " has the wrong type");
        }
    }
    return {};
}

Result<void> check_fields(const json& payload, std::string_view name) {
    const PayloadType* type = type_named(name);
    if (type == nullptr) return invalid("there is no such type of payload");
    const std::string what = "a payload of type " + std::string(name);
    if (!payload.contains(type->needed)) {
        return invalid(what + " needs " + std::string(type->needed));
    }
    for (const auto& [field, value] : payload.items()) {
        if (!type->has(field)) return invalid(what + " has no " + field);
    }
    for (const char* field : {"text", "offer_message_id"}) {
        if (field == type->needed && trim(text_or(payload, field)).empty()) {
            return invalid(std::string(field) + " is blank");
        }
    }
    return {};
}

Result<void> read_offer(std::string_view text, json& payload, SessionMessage& message) {
    auto price = read_price(text, payload["price"], {"payload", "price", "amount"});
    if (!price) return fail(Error(price.error()).with_context("price"));
    payload["price"] = price_json(*price);
    message.price = std::move(*price);
    if (!payload.contains("valid_until")) return {};
    const auto until = parse_time(text_or(payload, "valid_until"));
    if (!until) return fail(Error(until.error()).with_context("valid_until"));
    message.valid_until_ms = *until;
    return {};
}

}  // namespace

Result<Money> read_price(std::string_view text, const json& price, std::vector<std::string> names) {
    const auto currency = price.find("currency");
    const auto amount = price.find(names.back());
    if (currency == price.end() || !currency->is_string()) return invalid("currency is missing");
    if (amount == price.end()) return invalid(names.back() + " is missing");
    A2H_ASSIGN_OR_RETURN(const auto digits, digits_of(text, *amount, std::move(names)));
    auto money = parse_money(digits, currency->get<std::string>());
    if (money && money->minor == 0) return invalid("the amount must be above 0");
    return money;
}

json known_fields(const json& payload) {
    const json& name = wire::member(payload, "type");
    const PayloadType* type = type_named(name.is_string() ? name.get<std::string>() : "text");
    json known = json::object();
    for (const auto& [field, value] : payload.items())
        if (type != nullptr && type->has(field)) known[field] = value;
    return known;
}

Result<SessionMessage> read_payload(std::string_view text, json payload) {
    for (auto member = payload.begin(); member != payload.end();)
        member = member->is_null() ? payload.erase(member) : std::next(member);
    A2H_TRY(check_json_types(payload));
    SessionMessage message;
    message.type = text_or(payload, "type", "text");
    message.offer_id = text_or(payload, "offer_message_id");
    message.offer_payload_hash = text_or(payload, "offer_payload_hash");
    message.replaces_id = text_or(payload, "replaces");
    A2H_TRY(check_fields(payload, message.type));
    if (message.type == "offer") A2H_TRY(read_offer(text, payload, message));
    payload["type"] = message.type;
    message.payload_json = payload.dump();
    return message;
}

}  // namespace a2h::market
