#include "market/api/exchange_fields.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/wire/json_text.h"
#include "market/api/body.h"

namespace a2h::market {
namespace {

using nlohmann::json;

/// A double keeps every decimal number of so many digits.
constexpr std::ptrdiff_t kExactDigits = 15;

Result<std::string> digits_of(const Call& call, const json& amount,
                              std::vector<std::string> names) {
    if (amount.is_string()) return amount.get<std::string>();
    auto text = wire::number_text(call.request.body, std::move(names));
    if (!text) return fail(ErrorCode::InvalidArgument, "it is no number");
    const auto digits =
        std::count_if(text->begin(), text->end(), [](char c) { return c >= '0' && c <= '9'; });
    if (amount.is_number_float() && digits > kExactDigits) {
        return fail(ErrorCode::InvalidArgument,
                    "a number with more than 15 digits must be written as a text");
    }
    return std::move(*text);
}

}  // namespace

Result<Money> read_price(const Call& call, std::string_view object, std::string_view amount_name,
                         std::string_view outer) {
    std::vector<std::string> names;
    if (!outer.empty()) names.emplace_back(outer);
    names.emplace_back(object);
    const json& holder = outer.empty() ? call.body : call.body.at(std::string(outer));
    const json& price = holder.at(std::string(object));
    names.emplace_back(amount_name);
    const auto digits = digits_of(call, price.at(std::string(amount_name)), std::move(names));
    auto money = digits ? parse_money(*digits, text_of(price, "currency"))
                        : Result<Money>(fail(digits.error()));
    if (money && money->minor == 0) money = fail(ErrorCode::InvalidArgument, "it must be above 0");
    if (!money) return fail(Error(money.error()).with_context(object));
    return money;
}

Result<std::optional<UnixMs>> read_time(const json& object, std::string_view name) {
    const auto text = optional_text(object, name);
    if (!text) return std::optional<UnixMs>();
    const auto time = parse_time(*text);
    if (!time) return fail(Error(time.error()).with_context(name));
    return std::optional(*time);
}

Page read_page(const json& query) {
    return {.number = integer_of(query, "page", 1), .size = integer_of(query, "page_size", 20)};
}

json page_json(const Page& page, json items) {
    const bool more = items.size() > static_cast<std::size_t>(page.size);
    if (more) items.erase(items.size() - 1);
    return {{"items", std::move(items)},
            {"page", page.number},
            {"page_size", page.size},
            {"more", more}};
}

}  // namespace a2h::market
