#include "daemon/trade/questions.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/json_member.h"

namespace a2h::trade {
namespace {

/// For example `trade.ask_order_confirm_received`: for an order the question is about the step.
std::string key_of(std::string_view action, const nlohmann::json& arguments) {
    std::string name(action);
    if (action == "order.action") name = "order." + wire::text_member(arguments, "action");
    if (action == "proposal.update") name = "proposal." + wire::text_member(arguments, "status");
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
    return "trade.ask_" + name;
}

std::string shown(const std::string& text) {
    return preview(printable(text));
}

}  // namespace

std::string question(std::string_view action, const nlohmann::json& arguments, const Facts& facts,
                     i18n::Language language) {
    const std::string price = facts.amount ? to_text(*facts.amount) : shown(facts.price);
    const std::string file = wire::text_member(arguments, "file");
    const std::string type = wire::text_member(arguments, "type");
    const std::string kind = "card.is_type_" + (type.empty() ? "qrcode" : type);
    std::string key = key_of(action, arguments);
    if (!price.empty() && i18n::has_key(language, key + "_price")) key += "_price";
    return i18n::text(
        language, key,
        {{"peer",
          facts.peer.empty() ? i18n::text(language, "trade.unknown_peer") : shown(facts.peer)},
         {"title", shown(facts.title)},
         {"price", price.empty() ? i18n::text(language, "trade.no_price") : price},
         {"file", shown(file)},
         {"kind", i18n::has_key(language, kind) ? i18n::text(language, kind) : shown(type)}});
}

}  // namespace a2h::trade
