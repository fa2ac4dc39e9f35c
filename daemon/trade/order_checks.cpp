#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/domain/listing.h"
#include "core/platform/requests.h"
#include "core/wire/json_member.h"
#include "core/wire/listing_digest.h"
#include "daemon/trade/check_parts.h"
#include "daemon/trade/market_words.h"
#include "daemon/trade/order_view.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

constexpr int kDemand = 2;
constexpr int kService = 3;

/// The listing of an order: the buyer's demand, or the seller's own service.
Result<void> check_product(const CallContext& call, const json& post) {
    const bool takes_demand = number(call.arguments, "order_type") == kDemand;
    const std::int64_t wanted = takes_demand ? kDemand : kService;
    const std::int64_t type = number(post, "type");
    if (type != 0 && type != wanted) {
        return invalid(takes_demand
                           ? "order_type 2 needs the product_id of a demand listing (type 2)"
                           : "order_type 3 needs the product_id of a service listing (type 3)");
    }
    const std::string owner = text_member(post, "agentId");
    const std::string should =
        takes_demand ? argument(call, "customer_id") : call.market.agent_id();
    if (!owner.empty() && owner != should) {
        return invalid(takes_demand ? "the demand listing does not belong to the agent customer_id"
                                    : "the service listing does not belong to this agent");
    }
    const std::string currency = text_member(info_of(post), "currency");
    if (!currency.empty() && currency != argument(call, "currency")) {
        return invalid("the listing is priced in " + preview(currency) +
                       ", so the order must use that currency");
    }
    return {};
}

bool is_listing_itself(const json& post, const std::string& title, const std::string& content) {
    return !title.empty() && text_member(post, "title") == title &&
           text_member(post, "content") == content;
}

/// `content` is that of the order.
void add_listing(Facts& facts, const CallContext& call, const json& post,
                 const std::string& content) {
    facts.is_plain = is_listing_itself(post, facts.title, content);
    if (text_member(post, "agentId") == call.market.agent_id()) {
        facts.has_own_listing = number(post, "type") == static_cast<int>(ListingType::Service);
        return;
    }
    facts.listing_digest = wire::listing_digest(post);
}

/// The market would refuse an order for an unknown agent after a mandate's yes, and these refusals
/// would reveal the mandate's limits (R48). On other markets not every agent can be looked up.
Result<void> check_customer(const CallContext& call, const std::string& customer) {
    if (customer == call.market.agent_id()) return invalid("customer_id is the agent itself");
    if (!call.has_our_rules) return {};
    const auto agent = call.ask("agent.get", {{"agent_id", customer}});
    return agent ? Result<void>() : fail(agent.error().with_context("customer_id"));
}

/// The addresses of the payment codes of a profile, and which of them is the default.
json payment_codes(const json& profile) {
    json codes = json::object();
    for (const char* type : {"alipay", "wechat_pay", "qrcode"}) {
        const std::string_view name = platform::qr_member(type);
        if (!text_member(profile, name).empty()) codes[name] = text_member(profile, name);
    }
    const std::string method = text_member(profile, "defaultPaymentMethod");
    if (!method.empty()) codes["defaultPaymentMethod"] = method;
    return codes;
}

}  // namespace

Result<Facts> check_order(const CallContext& call) {
    const std::string customer = argument(call, "customer_id");
    A2H_TRY(check_customer(call, customer));
    const auto post = call.ask("works.get", {{"works_id", argument(call, "product_id")}});
    if (!post) return fail(post.error().with_context("product_id"));
    A2H_TRY(check_product(call, *post));
    Facts facts;
    facts.peer = customer;
    facts.peer_id = customer;
    facts.title = argument(call, "title");
    facts.works_id = argument(call, "product_id");
    facts.amount = Money{number(call.arguments, "price_cent"), argument(call, "currency")};
    facts.context = argument(call, "content");
    add_listing(facts, call, *post, facts.context);
    return facts;
}

namespace {

Facts facts_of(const OrderView& order, const json& detail, const CallContext& call) {
    Facts facts;
    facts.order_id = argument(call, "order_id");
    facts.peer = order.peer_id.empty() ? order.nickname : order.peer_id;
    facts.peer_id = order.peer_id;
    facts.title = order.title;
    facts.works_id = order.product_id;
    facts.amount = order.price;
    facts.seen = {{"trade.seen_order", market_order(detail).dump()}};
    return facts;
}

}  // namespace

Result<Facts> check_order_action(const CallContext& call) {
    A2H_ASSIGN_OR_RETURN(const auto detail, call.ask("order.get", call.arguments));
    A2H_ASSIGN_OR_RETURN(const auto order, view_order(detail));
    const OrderAction action = parse_order_action(argument(call, "action")).value();
    const auto move = move_order(order.state, action, order.role);
    const bool is_over = allowed_order_actions(order.state, OrderRole::Customer).empty() &&
                         allowed_order_actions(order.state, OrderRole::Provider).empty();
    // The public platform does not publish what else it allows, so it decides itself (R13).
    const bool may_try = !call.has_our_rules && !is_over &&
                         (move || move.error().code != ErrorCode::PermissionDenied);
    if (!move && !may_try) return fail(move.error());
    Facts facts = facts_of(order, detail, call);
    if (move && move->repeated) facts.done_json = detail.dump();
    if (move) {
        facts.before_json = json{{"status", to_string(order.state)}}.dump();
        facts.after_json = json{{"status", to_string(move->to)}}.dump();
    }
    if (action != OrderAction::Confirm || order.product_id.empty()) return facts;
    const auto post = call.ask("works.get", {{"works_id", order.product_id}});
    if (post) add_listing(facts, call, *post, order.content);
    return facts;
}

Result<Facts> check_payment_link(const CallContext& call) {
    A2H_ASSIGN_OR_RETURN(const auto detail, call.ask("order.get", call.arguments));
    A2H_ASSIGN_OR_RETURN(const auto order, view_order(detail));
    if (order.price && order.price->currency == "CNY") {
        return invalid(
            "an order in CNY is paid with a payment code: send it with a2h_send "
            "(payment_qr, payment_qr_type)");
    }
    if (call.has_our_rules && order.state != OrderState::Confirmed) {
        return fail(ErrorCode::Conflict, "the order is " + std::string(to_string(order.state)) +
                                             "; a link can be made once it is CONFIRMED");
    }
    return facts_of(order, detail, call);
}

Result<Facts> check_payment_code(const CallContext& call) {
    const std::string type = call.arguments.value("type", "qrcode");
    A2H_ASSIGN_OR_RETURN(const auto profile, call.ask("profile.get", json::object()));
    if (text_member(profile, platform::qr_member(type)).empty()) {
        return fail(ErrorCode::NotFound, "the profile has no payment code of type " + type +
                                             "; a2h_profile_upload_qrcode adds one");
    }
    Facts facts;
    facts.title = type;
    facts.seen = {{"trade.seen_codes", payment_codes(profile).dump()}};
    return facts;
}

}  // namespace a2h::trade
