#include "daemon/trade/checks.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/domain/exchange.h"
#include "core/platform/requests.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/listing_digest.h"
#include "daemon/card/market_order.h"
#include "daemon/trade/order_view.h"
#include "daemon/trade/uploads.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

constexpr int kDemand = 2;
constexpr int kService = 3;
/// So many of those who take part in a discussion or a request stand on a card.
constexpr int kOthersRead = 50;

std::string argument(const CallContext& call, std::string_view name) {
    return text_member(call.arguments, name);
}

bool has(const CallContext& call, std::string_view name) {
    return !member(call.arguments, name).is_null();
}

std::int64_t number(const json& object, std::string_view name) {
    const json& found = member(object, name);
    return found.is_number_integer() ? found.get<std::int64_t>() : 0;
}

/// A price in words, a fixed price or a range: exactly one of them, and complete.
Result<std::string> price_of(const CallContext& call) {
    const std::string words = argument(call, "expected_price");
    const std::string kind = argument(call, "price_type");
    const std::string currency = argument(call, "currency");
    const auto amount = [&](std::string_view name) {
        return to_text(Money{number(call.arguments, name), currency});
    };
    const bool any_amount =
        has(call, "fixed_price") || has(call, "price_min") || has(call, "price_max");
    if (kind.empty()) {
        if (any_amount || !currency.empty()) {
            return invalid("prices in minor units need price_type FIXED or NEGOTIABLE");
        }
        return words;
    }
    if (!words.empty()) return invalid("give either expected_price or price_type, not both");
    if (currency.empty()) return invalid("price_type needs a currency, e.g. CNY or USD");
    if (kind == "FIXED") {
        if (!has(call, "fixed_price")) return invalid("price_type FIXED needs fixed_price");
        return amount("fixed_price");
    }
    if (!has(call, "price_min") || !has(call, "price_max")) {
        return invalid("price_type NEGOTIABLE needs price_min and price_max");
    }
    if (number(call.arguments, "price_min") > number(call.arguments, "price_max")) {
        return invalid("price_min is above price_max");
    }
    return amount("price_min") + " - " + amount("price_max");
}

Result<Facts> check_publish(const CallContext& call) {
    A2H_ASSIGN_OR_RETURN(auto price, price_of(call));
    Facts facts;
    facts.title = argument(call, "title");
    facts.price = std::move(price);
    facts.context = argument(call, "content");
    return facts;
}

/// `extendInfo` is sent as an object or as its text.
json info_of(const json& post) {
    const json& info = member(post, "extendInfo");
    json parsed = info.is_string() ? json::parse(info.get<std::string>(), nullptr, false) : info;
    return parsed.is_object() ? parsed : json::object();
}

/// The post of argument `name`, if it is ours. The public platform sometimes omits the owner.
Result<json> own_post(const CallContext& call, std::string_view name) {
    auto post = call.ask("works.get", {{"works_id", argument(call, name)}});
    if (!post) return post;
    const std::string owner = text_member(*post, "agentId");
    if (!owner.empty() && owner != call.market.agent_id()) {
        return fail(ErrorCode::PermissionDenied, "this listing belongs to another agent");
    }
    return post;
}

/// With two prices in one listing, the agent could answer with the outdated one. So the words
/// follow the numbers, and numbers are not replaced by words.
Result<void> settle_price(const CallContext& call, const json& info, const std::string& price,
                          json& arguments) {
    if (has(call, "price_type")) {
        if (!text_member(info, "expectedPrice").empty()) arguments["expected_price"] = price;
        return {};
    }
    const std::string kind = text_member(info, "priceType");
    if (has(call, "expected_price") && !kind.empty()) {
        return invalid("the listing's price is " + kind +
                       "; change it with price_type, currency and the amounts");
    }
    return {};
}

Result<Facts> check_update(const CallContext& call) {
    A2H_ASSIGN_OR_RETURN(auto price, price_of(call));
    A2H_ASSIGN_OR_RETURN(const auto post, own_post(call, "works_id"));
    const std::int64_t type = number(post, "type");
    if (type != 0 && type != number(call.arguments, "type")) {
        return invalid("the listing is of type " + std::to_string(type) +
                       ", which cannot be changed");
    }
    json arguments = call.arguments;
    A2H_TRY(settle_price(call, info_of(post), price, arguments));
    Facts facts;
    facts.arguments_json = wire::canonical_json(arguments);
    facts.works_id = argument(call, "works_id");
    facts.title = text_member(post, "title");
    facts.price = std::move(price);
    facts.context = argument(call, "content");
    return facts;
}

Result<Facts> check_delete(const CallContext& call) {
    A2H_ASSIGN_OR_RETURN(const auto post, own_post(call, "works_id"));
    Facts facts;
    facts.works_id = argument(call, "works_id");
    facts.title = text_member(post, "title");
    facts.context = text_member(post, "content");
    return facts;
}

/// What the yes to a reply depends on; the rest of a post, such as its counters, changes by itself.
json words_of_post(const json& post) {
    json words = json::object();
    for (const char* name : {"agentId", "title", "content", "extendInfo"})
        if (!member(post, name).is_null()) words[name] = post[name];
    return words;
}

/// The agents in the member `name` of `rows`, sorted, without our own.
std::vector<std::string> others_in(const CallContext& call, const json& rows, const char* name) {
    std::set<std::string> ids;
    for (const json& row : rows) {
        const std::string id = text_member(row, name);
        if (is_agent_id(id) && id != call.market.agent_id()) ids.insert(id);
    }
    return {ids.begin(), ids.end()};
}

void add_others(Facts& facts, const std::vector<std::string>& more) {
    std::set<std::string> ids(facts.peer_ids.begin(), facts.peer_ids.end());
    ids.insert(more.begin(), more.end());
    facts.peer_ids.assign(ids.begin(), ids.end());
}

Result<Facts> check_discussion(const CallContext& call) {
    Facts facts;
    facts.title = argument(call, "title");
    facts.context = argument(call, "content");
    if (!has(call, "parent_works_id")) return facts;
    A2H_ASSIGN_OR_RETURN(const auto parent,
                         call.ask("works.get", {{"works_id", argument(call, "parent_works_id")}}));
    facts.works_id = argument(call, "parent_works_id");
    facts.peer = text_member(parent, "title");
    facts.seen = {{"trade.seen_post", words_of_post(parent).dump()}};
    facts.peer_ids = others_in(call, json::array({parent}), "agentId");
    const auto replies =
        call.ask("discussion.replies", {{"works_id", facts.works_id}, {"page_size", kOthersRead}});
    if (!replies) return facts;
    add_others(facts, others_in(call, wire::list_in(*replies), "agentId"));
    for (const json& reply : wire::list_in(*replies))
        facts.seen.emplace_back("trade.seen_reply", words_of_post(reply).dump());
    return facts;
}

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
    facts.has_own_listing = text_member(post, "agentId") == call.market.agent_id();
    if (facts.has_own_listing) return;
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

Facts facts_of(const OrderView& order, const json& detail, const CallContext& call) {
    Facts facts;
    facts.order_id = argument(call, "order_id");
    facts.peer = order.peer_id.empty() ? order.nickname : order.peer_id;
    facts.peer_id = order.peer_id;
    facts.title = order.title;
    facts.works_id = order.product_id;
    facts.amount = order.price;
    facts.seen = {{"trade.seen_order", card::market_order(detail).dump()}};
    return facts;
}

Result<Facts> check_order_action(const CallContext& call) {
    A2H_ASSIGN_OR_RETURN(const auto detail, call.ask("order.get", call.arguments));
    A2H_ASSIGN_OR_RETURN(const auto order, view_order(detail));
    const OrderAction action = parse_order_action(argument(call, "action")).value();
    const auto move = move_order(order.state, action, order.role);
    const bool is_over = allowed_order_actions(order.state, OrderRole::Customer).empty() &&
                         allowed_order_actions(order.state, OrderRole::Provider).empty();
    // What else the public platform allows is not published, so it decides itself (R13).
    const bool may_try = !call.has_our_rules && !is_over &&
                         (move || move.error().code != ErrorCode::PermissionDenied);
    if (!move && !may_try) return fail(move.error());
    Facts facts = facts_of(order, detail, call);
    if (move && move->repeated) facts.done_json = detail.dump();
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
    return facts;
}

Result<UnixMs> future_time(const CallContext& call, std::string_view name) {
    const auto time = parse_time(argument(call, name));
    if (!time) {
        return invalid(std::string(name) +
                       " must be an ISO 8601 time with a zone, like "
                       "2026-12-01T18:00:00+08:00");
    }
    if (*time <= call.now_ms) return invalid(std::string(name) + " is in the past");
    return *time;
}

Result<Facts> check_rfp(const CallContext& call) {
    if (has(call, "deadline_at")) {
        A2H_TRY(future_time(call, "deadline_at"));
    }
    Facts facts;
    facts.title = argument(call, "title");
    facts.context = argument(call, "description");
    return facts;
}

RfpStatus status_of_rfp(const json& rfp) {
    return parse_rfp_status(text_member(rfp, "status")).value_or(RfpStatus::Open);
}

Result<void> check_deadline(const CallContext& call, const json& rfp) {
    A2H_ASSIGN_OR_RETURN(const auto later, future_time(call, "deadline_at"));
    const auto now = parse_time(text_member(rfp, "deadline_at"));
    if (now && later < *now) {
        return invalid("a deadline can only be moved to a later time than " +
                       text_member(rfp, "deadline_at"));
    }
    return {};
}

Result<Facts> check_rfp_update(const CallContext& call) {
    if (!has(call, "status") && !has(call, "deadline_at")) {
        return invalid("nothing to change: give status or deadline_at");
    }
    A2H_ASSIGN_OR_RETURN(const auto rfp, call.ask("rfp.get", call.arguments));
    if (text_member(rfp, "creator_agent_id") != call.market.agent_id()) {
        return fail(ErrorCode::PermissionDenied, "only its creator may change a request");
    }
    if (const auto to = parse_rfp_status(argument(call, "status"))) {
        A2H_TRY(check_rfp_move(status_of_rfp(rfp), *to));
    }
    if (has(call, "deadline_at")) A2H_TRY(check_deadline(call, rfp));
    Facts facts;
    facts.title = text_member(rfp, "title");
    // The market tells all of them about the change.
    const auto proposals = call.ask(
        "proposal.list", {{"rfp_id", argument(call, "rfp_id")}, {"page_size", kOthersRead}});
    if (!proposals) return facts;
    facts.peer_ids = others_in(call, wire::list_in(*proposals), "supplier_agent_id");
    for (const json& proposal : wire::list_in(*proposals))
        facts.seen.emplace_back("trade.seen_proposal", proposal.dump());
    return facts;
}

/// Decimal major units of the exchange (R27).
std::optional<Money> money_of(const json& price, std::string_view name) {
    const json& amount = member(price, name);
    const std::string text = amount.is_number()   ? wire::canonical_json(amount)
                             : amount.is_string() ? amount.get<std::string>()
                                                  : std::string();
    const auto money = parse_money(text, text_member(price, "currency"));
    return money ? std::optional(*money) : std::nullopt;
}

/// Words could contain further terms.
Result<void> check_delivery(const CallContext& call) {
    if (!has(call, "delivery_at") || parse_day_or_time(argument(call, "delivery_at"))) return {};
    return invalid(
        "delivery_at must be a day like 2026-12-01, or a time with a zone like "
        "2026-12-01T18:00:00+08:00; put words into content");
}

Result<Facts> check_proposal(const CallContext& call) {
    const json& price = member(call.arguments, "price");
    const auto amount = money_of(price, "amount");
    if (!amount || amount->minor == 0) {
        return invalid("price.amount must be above 0, with no more digits than the currency has");
    }
    A2H_TRY(check_delivery(call));
    A2H_ASSIGN_OR_RETURN(const auto rfp, call.ask("rfp.get", call.arguments));
    if (text_member(rfp, "creator_agent_id") == call.market.agent_id()) {
        return fail(ErrorCode::PermissionDenied, "this request is the agent's own");
    }
    if (status_of_rfp(rfp) != RfpStatus::Open) {
        return fail(ErrorCode::Conflict, "the request is " + text_member(rfp, "status"));
    }
    const auto deadline = parse_time(text_member(rfp, "deadline_at"));
    if (deadline && *deadline <= call.now_ms) {
        return fail(ErrorCode::Conflict,
                    "the request's deadline was " + text_member(rfp, "deadline_at"));
    }
    Facts facts;
    facts.peer_id = text_member(rfp, "creator_agent_id");
    facts.peer = facts.peer_id;
    facts.title = text_member(rfp, "title");
    facts.amount = amount;
    facts.context = argument(call, "content");
    facts.seen = {{"trade.seen_rfp", rfp.dump()}};
    // A proposal answers the request, whose words are those of the other side.
    facts.listing_digest = wire::listing_digest(rfp);
    facts.is_plain = !has(call, "content") && !has(call, "delivery_at");
    return facts;
}

template <std::size_t N>
bool has_only(const json& object, const std::array<std::string_view, N>& names) {
    for (const auto& [name, value] : object.items()) {
        const bool says_nothing = value.empty() || value == "";
        if (!says_nothing && std::find(names.begin(), names.end(), name) == names.end())
            return false;
    }
    return true;
}

/// Any other member says more than the amount.
bool holds_only_its_price(const json& proposal) {
    constexpr std::array<std::string_view, 7> kPlain{"proposal_id", "rfp_id", "supplier_agent_id",
                                                     "status",      "price",  "created_at",
                                                     "updated_at"};
    constexpr std::array<std::string_view, 2> kPrice{"amount", "currency"};
    return has_only(proposal, kPlain) && has_only(member(proposal, "price"), kPrice);
}

Result<Facts> check_proposal_update(const CallContext& call) {
    A2H_ASSIGN_OR_RETURN(const auto proposal, call.ask("proposal.get", call.arguments));
    const std::string supplier = text_member(proposal, "supplier_agent_id");
    const ProposalRole role =
        supplier == call.market.agent_id() ? ProposalRole::Supplier : ProposalRole::Creator;
    const auto from = parse_proposal_status(text_member(proposal, "status"));
    const auto to = parse_proposal_status(argument(call, "status"));
    if (!from || !to) return fail(ErrorCode::Corrupt, "the status of the proposal is not known");
    A2H_TRY(check_proposal_move(*from, *to, role));
    Facts facts;
    facts.amount = money_of(member(proposal, "price"), "amount");
    facts.seen = {{"trade.seen_proposal", proposal.dump()}};
    if (*from == *to) facts.done_json = proposal.dump();
    facts.is_plain = holds_only_its_price(proposal);
    const auto rfp = call.ask("rfp.get", {{"rfp_id", text_member(proposal, "rfp_id")}});
    if (!rfp) return fail(rfp.error().with_context("the request for proposals"));
    facts.peer_id =
        role == ProposalRole::Creator ? supplier : text_member(*rfp, "creator_agent_id");
    facts.peer = facts.peer_id;
    facts.title = text_member(*rfp, "title");
    facts.seen.emplace_back("trade.seen_rfp", rfp->dump());
    return facts;
}

/// The request names the file by its real path, its size and its hash, so that what is uploaded
/// after the yes is the file about which the human was asked.
Result<Facts> check_upload(const CallContext& call) {
    const bool is_code = call.action == "profile.upload_qrcode";
    A2H_ASSIGN_OR_RETURN(const auto file,
                         check_file(argument(call, "file"), call.upload_folders, is_code));
    Facts facts;
    facts.title = is_code ? call.arguments.value("type", "qrcode") : "";
    facts.needs_yes = !file.in_upload_folder;
    const std::string approved_hash = argument(call, "sha256");
    if (!is_code && !facts.needs_yes && approved_hash.empty()) return facts;
    A2H_ASSIGN_OR_RETURN(const auto hash, wire::sha256_hex_of_file(file.path));
    if (!approved_hash.empty() && approved_hash != hash) {
        return fail(ErrorCode::Conflict, "the file has changed since it was approved");
    }
    json request = call.arguments;
    request["file"] = file.path.string();
    request["size_bytes"] = file.size_bytes;
    request["sha256"] = hash;
    facts.request_json = wire::canonical_json(request);
    return facts;
}

Result<Facts> check_session(const CallContext& call) {
    if (argument(call, "agent_id") == call.market.agent_id()) {
        return invalid("agent_id is the agent itself");
    }
    Facts facts;
    facts.peer_id = argument(call, "agent_id");
    facts.peer = facts.peer_id;
    // The human reads what the session is about, because the peer may have written it.
    const std::string rfp_id = argument(call, "rfp_id");
    if (!rfp_id.empty()) {
        A2H_ASSIGN_OR_RETURN(const auto rfp, call.ask("rfp.get", {{"rfp_id", rfp_id}}));
        facts.seen.emplace_back("trade.seen_rfp", rfp.dump());
    }
    const std::string proposal_id = argument(call, "proposal_id");
    if (!proposal_id.empty()) {
        A2H_ASSIGN_OR_RETURN(const auto proposal,
                             call.ask("proposal.get", {{"proposal_id", proposal_id}}));
        facts.seen.emplace_back("trade.seen_proposal", proposal.dump());
    }
    return facts;
}

/// Whether the market shows the same entries, in the same order.
bool is_published(const json& wanted, const json& published) {
    if (!published.is_array()) return wanted.empty();
    const auto domains_of = [](const json& entry) {
        const json& domains = member(entry, "domains");
        return domains.is_array() ? domains : json::array();
    };
    return std::equal(wanted.begin(), wanted.end(), published.begin(), published.end(),
                      [&](const json& one, const json& known) {
                          return text_member(one, "type") == text_member(known, "type") &&
                                 domains_of(one) == domains_of(known);
                      });
}

/// The whole list is public, and a single word may answer a peer; so may a word that is removed, or
/// another order.
Result<Facts> check_capabilities(const CallContext& call) {
    const json& wanted = member(call.arguments, "capabilities");
    const auto self = call.ask("agent.get", {{"agent_id", call.market.agent_id()}});
    Facts facts;
    facts.needs_yes = !self || !is_published(wanted, member(*self, "capabilities"));
    return facts;
}

struct CheckRow {
    std::string_view action;
    bool needs_yes;
    Result<Facts> (*check)(const CallContext&);
};

constexpr CheckRow kCheckRows[] = {
    {"works.publish", true, check_publish},
    {"works.update", true, check_update},
    {"works.delete", true, check_delete},
    {"order.create", true, check_order},
    {"order.action", true, check_order_action},
    {"discussion.publish", true, check_discussion},
    {"discussion.reply", true, check_discussion},
    {"profile.upload_qrcode", true, check_upload},
    {"file.upload", false, check_upload},
    {"profile.delete_qrcode", true, check_payment_code},
    {"profile.set_default_payment", true, check_payment_code},
    {"payment.create_link", true, check_payment_link},
    {"rfp.create", true, check_rfp},
    {"rfp.update", true, check_rfp_update},
    {"proposal.submit", true, check_proposal},
    {"proposal.update", true, check_proposal_update},
    {"session.create", false, check_session},
    {"capability.set", false, check_capabilities},
};

const CheckRow* find_row(std::string_view action) {
    const auto found = std::find_if(std::begin(kCheckRows), std::end(kCheckRows),
                                    [&](const CheckRow& row) { return row.action == action; });
    return found == std::end(kCheckRows) ? nullptr : &*found;
}

}  // namespace

Result<json> CallContext::ask(std::string_view called, const json& with) const {
    auto answer = market.call(called, with);
    if (answer && answers != nullptr) answers->push_back(*answer);
    return answer;
}

bool needs_yes(std::string_view action, const json& arguments) {
    const CheckRow* row = find_row(action);
    if (row == nullptr || !row->needs_yes) return false;
    // Rejecting and withdrawing commit nobody (R12).
    return action != "proposal.update" || member(arguments, "status") == "accepted";
}

Result<Facts> check_call(const CallContext& call) {
    const CheckRow* row = find_row(call.action);
    Facts facts;
    if (row != nullptr && row->check != nullptr) {
        A2H_ASSIGN_OR_RETURN(auto checked, row->check(call));
        facts = std::move(checked);
    }
    if (facts.arguments_json.empty()) facts.arguments_json = wire::canonical_json(call.arguments);
    return facts;
}

}  // namespace a2h::trade
