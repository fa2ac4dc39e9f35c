#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/order_steps.h"
#include "cli/read_deal.h"
#include "cli/rows.h"
#include "cli/trade_text.h"
#include "cli/with_yes.h"
#include "core/base/money.h"
#include "core/domain/listing.h"
#include "core/domain/order.h"
#include "core/wire/json_member.h"

namespace a2h::cli {
namespace {

using nlohmann::json;
using wire::text_member;

/// The newest of each role, so that one page shows both.
constexpr int kOrdersOfRole = 20;
constexpr std::string_view kCreate = "create";
constexpr std::string_view kSteps = "create|confirm|reject|cancel|received|completed";

/// One answer of the market for each role, as one list.
Outcome run_orders(const Invocation& invocation) {
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    std::vector<json> all;
    for (const char* role : {"sales", "purchase"}) {
        const Outcome listed =
            call(**std::get_if<0>(&connected), invocation, "order.list",
                 {{"role", role}, {"page_size", kOrdersOfRole}}, nothing_to_show);
        if (const auto* refused = std::get_if<Failure>(&listed)) return *refused;
        for (json& order : items_of(data_of(listed), "list"))
            all.push_back(std::move(order));
    }
    std::stable_sort(all.begin(), all.end(), [](const json& a, const json& b) {
        return text_member(a, "createdAt") > text_member(b, "createdAt");
    });
    const json data{{"items", std::move(all)}};
    return report(invocation.command->action, data, render_orders(invocation, data));
}

/// A repeated step is answered with the order, and a mandate that has said yes with its approval.
std::string render_step(const Invocation& invocation, const json& data) {
    return at(data, "approval_id").is_string() ? render_carried_out(invocation, data)
                                               : render_order(invocation, data);
}

/// "250.00 CNY" as a deal shows what was agreed.
std::optional<Money> money_in(const std::string& text) {
    const std::size_t space = text.find(' ');
    if (space == std::string::npos) return std::nullopt;
    const auto money = parse_money(text.substr(0, space), text.substr(space + 1));
    return money ? std::optional(*money) : std::nullopt;
}

/// What the listing says, followed by the conditions that were agreed on, each on a line.
std::string content_of(const Invocation& invocation, const json& listing, const json& agreed) {
    std::string content = invocation.has("--content") ? invocation.value("--content")
                                                      : text_member(listing, "content");
    for (const json& condition : items_of(agreed, "conditions")) {
        if (condition.is_string()) content += "\n" + condition.get<std::string>();
    }
    return content;
}

/// Why no order can be made of the deal: a key of the locales; empty if one can.
std::string_view why_no_order(const json& deal) {
    const json& agreed = at(deal, "agreed");
    if (at(deal, "order").is_object()) return "cli.has_order";
    if (!agreed.is_object() || at(agreed, "taken_back") == true) return "cli.nothing_agreed";
    if (!money_in(text_member(agreed, "price"))) return "cli.agreed_without_price";
    return listing_of_deal(deal).empty() ? "cli.deal_without_listing" : "";
}

json order_of(const Invocation& invocation, const json& deal, const json& listing) {
    const json& agreed = at(deal, "agreed");
    const Money price = *money_in(text_member(agreed, "price"));
    const bool is_demand = at(listing, "type") == static_cast<int>(ListingType::Demand);
    return {
        {"customer_id", text_member(deal, "peer_id")},
        {"title",
         invocation.has("--title") ? invocation.value("--title") : text_member(listing, "title")},
        {"content", content_of(invocation, listing, agreed)},
        {"price_cent", price.minor},
        {"currency", price.currency},
        {"product_id", listing_of_deal(deal)},
        {"order_type", static_cast<int>(is_demand ? ListingType::Demand : ListingType::Service)}};
}

/// The order of what was agreed in a deal; its seller makes it.
Outcome create_order(const Invocation& invocation, const std::string& deal_id) {
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    control::Client& client = **std::get_if<0>(&connected);
    const auto read = read_deal(client, invocation, deal_id);
    if (const auto* refused = std::get_if<Failure>(&read)) return *refused;
    const json& deal = at(*std::get_if<json>(&read), "deal");
    if (const std::string_view why = why_no_order(deal); !why.empty())
        return not_in_this_deal(invocation, deal_id, why);
    const Outcome listing = call(client, invocation, "works.get",
                                 {{"works_id", listing_of_deal(deal)}}, nothing_to_show);
    if (const auto* refused = std::get_if<Failure>(&listing)) return *refused;
    return call_with_yes(client, invocation, "order.create",
                         order_of(invocation, deal, data_of(listing)), render_step);
}

Outcome run_order(const Invocation& invocation) {
    const std::string id = invocation.value("ID");
    if (!invocation.has("STEP"))
        return call_daemon(invocation, "order.get", {{"order_id", id}}, render_order);
    const std::string word = invocation.value("STEP");
    if (word == kCreate) return create_order(invocation, id);
    const auto action = parse_step(word);
    if (!action) {
        return Failure{std::string(kUsageCode),
                       invocation.text("negotiate.not_one_of",
                                       {{"name", "STEP"}, {"value", word}, {"all", kSteps}}),
                       {},
                       {}};
    }
    return call_daemon_with_yes(invocation, "order.action",
                                {{"order_id", id}, {"action", to_string(*action)}}, render_step);
}

}  // namespace

std::vector<Command> order_rows() {
    using enum ParameterKind;
    return {
        {"orders", "order.list", "cli.orders", {kAgentOption}, run_orders},
        {"order",
         "order.action",
         "cli.order",
         {{"ID", Required, "cli.argument_order"},
          {"STEP", Optional, "cli.argument_step"},
          {"--title", Value, "cli.option_order_title", "TEXT"},
          {"--content", Value, "cli.option_order_content", "TEXT"},
          kPersonOption,
          kPinStdin,
          kNoWait,
          kAgentOption},
         run_order},
    };
}

}  // namespace a2h::cli
