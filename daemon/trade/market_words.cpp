#include "daemon/trade/market_words.h"

#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/json_member.h"
#include "daemon/card/card.h"

namespace a2h::trade {
namespace {

using nlohmann::json;

/// The id of an order that was read begins with the name of its member.
constexpr std::string_view kReadOrder = "orderId:";

std::string order_in_words(json order, i18n::Language language) {
    order.erase("peerId");  // the card names the peer already
    return card::message_in_words(market_order(std::move(order)).dump(), language);
}

/// News of an order have no words of its author.
std::optional<std::string> news_in_words(const json& news, i18n::Language language) {
    const std::string sentence = one_line(printable(wire::text_member(news, "text"))) + "\n    ";
    for (const char* name : {"message", "rfp", "proposal"}) {
        const json& part = wire::member(news, name);
        if (part.is_object()) return sentence + card::message_in_words(part.dump(), language);
    }
    const json& order = wire::member(news, "order");
    if (!order.is_object()) return std::nullopt;
    return sentence + order_in_words(order, language) + "\n    " +
           i18n::text(language, "card.said_order_apart");
}

}  // namespace

json market_order(json order) {
    if (wire::member(order, "price").is_number_integer()) {
        order["price_cent"] = order["price"];
        order.erase("price");
    }
    return order;
}

std::optional<std::string> market_in_words(const store::Said& said, i18n::Language language) {
    const json payload = json::parse(said.payload_json, nullptr, false);
    if (!payload.is_object()) return std::nullopt;
    if (said.from == store::Said::From::News) return news_in_words(payload, language);
    if (said.id.starts_with(kReadOrder)) return order_in_words(payload, language);
    return std::nullopt;
}

}  // namespace a2h::trade
