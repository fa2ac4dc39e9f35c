#include "cli/trade_text.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/order_steps.h"
#include "cli/terminal.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/domain/order.h"
#include "core/i18n/normalize.h"
#include "core/platform/answers.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

std::string text_lines(const std::string& text, std::size_t indent) {
    return text.empty() ? text : wrap(with_hang(text), terminal_columns(), indent, kHang);
}

/// A line that is copied, so it is never broken.
std::string copied_line(const std::string& text) {
    return text.empty() ? text : "  " + text + "\n";
}

std::string title_lines(const json& row) {
    const Colours colours = colours_for(stdout);
    std::string lines = text_lines(text_of(row, "title"), 0);
    if (lines.empty()) return lines;
    lines.pop_back();
    return colours.bold + lines + colours.reset + "\n";
}

std::string type_text(const Invocation& invocation, ListingType type) {
    switch (type) {
        case ListingType::Demand:
            return invocation.text("cli.type_demand");
        case ListingType::Service:
            return invocation.text("cli.type_service");
        case ListingType::Discussion:
            return invocation.text("cli.type_discussion");
    }
    return {};
}

/// The title, then what it costs, then the id.
std::string listing_text(const Invocation& invocation, const json& row) {
    const auto read = platform::read_listing(row);
    if (!read) return {};
    std::string facts = type_text(invocation, read->type);
    if (!read->expected_price.empty())
        facts += invocation.text("cli.comma") + printable(read->expected_price);
    return title_lines(row) + text_lines(facts, 2) + copied_line(printable(read->works_id));
}

/// "Lin's studio (ag_…)". The name is what the agent calls itself.
std::string author_text(const json& row) {
    const std::string id = text_of(row, "agentId");
    const std::string name = text_of(row, "nickname");
    return text_lines(name, 2) + copied_line(id);
}

template <typename Text>
std::string blocks(const json& data, const char* list, Text text) {
    std::string out;
    for (const json& row : items_of(data, list)) {
        const std::string block = text(row);
        if (!out.empty() && !block.empty()) out += "\n";
        out += block;
    }
    return out;
}

std::optional<OrderRole> role_of(const json& order) {
    const std::string type = text_of(order, "currentType");
    if (type == "1") return OrderRole::Customer;
    if (type == "2") return OrderRole::Provider;
    return std::nullopt;
}

std::string price_of_order(const json& order) {
    const json& price = at(order, "price");
    const std::string currency = text_of(order, "currency");
    if (!price.is_number_integer() || !is_currency_code(currency)) return {};
    return to_text(Money{price.get<std::int64_t>(), currency});
}

std::string order_text(const Invocation& invocation, const json& order) {
    const auto role = role_of(order);
    const bool sells = role == OrderRole::Provider;
    std::string facts = order_state_text(invocation, text_of(order, "status"));
    if (const std::string price = price_of_order(order); !price.empty())
        facts = price + invocation.text("cli.comma") + facts;
    if (role)
        facts = invocation.text(sells ? "cli.you_sell" : "cli.you_buy") +
                invocation.text("cli.comma") + facts;
    const std::string peer = text_of(order, sells ? "customerId" : "providerId");
    return title_lines(order) + text_lines(facts, 2) + copied_line(text_of(order, "orderId")) +
           text_lines(text_of(at(order, "profile"), "nickname"), 2) + copied_line(peer);
}

/// The commands of the steps that the order allows now.
std::string steps_text(const Invocation& invocation, const json& order) {
    const auto state = parse_order_state(text_of(order, "status"));
    const auto role = role_of(order);
    if (!state || !role) return {};
    std::string out;
    for (const OrderAction action : allowed_order_actions(*state, *role)) {
        out += copied_line(invocation.hint("order " + text_of(order, "orderId") + " " +
                                           std::string(step_word(action))));
    }
    if (out.empty()) return out;
    return "\n" + invocation.text("cli.order_steps") + "\n" + out;
}

}  // namespace

std::string order_state_text(const Invocation& invocation, const std::string& state) {
    const std::string key = "cli.order_" + i18n::fold(state);
    return i18n::has_key(invocation.language, key) ? invocation.text(key) : state;
}

std::string render_found_listings(const Invocation& invocation, const json& data) {
    const std::string out = blocks(data, "result", [&](const json& row) {
        const std::string text = listing_text(invocation, row);
        return text.empty() ? text : text + author_text(row);
    });
    if (out.empty()) return invocation.text("cli.nothing_found") + "\n";
    return out + "\n" +
           wrap(invocation.text("cli.how_to_ask",
                                {{"send", invocation.hint("send ag_… \"…\"")},
                                 {"offer", invocation.hint("offer ag_… 250 CNY")}}),
                terminal_columns(), 0);
}

std::string render_own_listings(const Invocation& invocation, const json& data) {
    const std::string out =
        blocks(data, "items", [&](const json& row) { return listing_text(invocation, row); });
    return out.empty() ? invocation.text("cli.no_listings") + "\n" : out;
}

std::string render_listing(const Invocation& invocation, const json& data) {
    const std::string content = text_lines(text_of(data, "content"), 2);
    return listing_text(invocation, data) + author_text(data) +
           (content.empty() ? "" : "\n" + content);
}

std::string render_orders(const Invocation& invocation, const json& data) {
    const std::string out =
        blocks(data, "items", [&](const json& order) { return order_text(invocation, order); });
    return out.empty() ? invocation.text("cli.no_orders") + "\n" : out;
}

std::string render_order(const Invocation& invocation, const json& data) {
    const std::string content = text_lines(text_of(data, "content"), 2);
    return order_text(invocation, data) + (content.empty() ? "" : "\n" + content) +
           steps_text(invocation, data);
}

}  // namespace a2h::cli
