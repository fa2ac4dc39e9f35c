#include "market/api/exchange_fields.h"

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "market/api/body.h"
#include "market/exchange/payload.h"

namespace a2h::market {

using nlohmann::json;

Result<Money> read_price(const Call& call, std::string_view object, std::string_view amount_name) {
    auto price = read_price(call.request.body, call.body.at(std::string(object)),
                            {std::string(object), std::string(amount_name)});
    if (!price) return fail(Error(price.error()).with_context(object));
    return price;
}

Result<std::optional<UnixMs>> read_time(const json& object, std::string_view name) {
    const auto text = optional_text(object, name);
    if (!text) return std::optional<UnixMs>();
    const auto time = parse_time(*text);
    if (!time) return fail(Error(time.error()).with_context(name));
    return std::optional(*time);
}

json capabilities_json(const std::vector<Capability>& capabilities) {
    json rows = json::array();
    for (const Capability& capability : capabilities)
        rows.push_back({{"type", capability.type}, {"domains", capability.domains}});
    return rows;
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
