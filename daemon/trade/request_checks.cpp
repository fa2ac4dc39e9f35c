#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/domain/exchange.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "core/wire/listing_digest.h"
#include "daemon/trade/check_parts.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

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

}  // namespace

Result<Facts> check_rfp(const CallContext& call) {
    if (has(call, "deadline_at")) {
        A2H_TRY(future_time(call, "deadline_at"));
    }
    Facts facts;
    facts.title = argument(call, "title");
    facts.context = argument(call, "description");
    return facts;
}

namespace {

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

}  // namespace

Result<Facts> check_rfp_update(const CallContext& call) {
    if (!has(call, "status") && !has(call, "deadline_at")) {
        return invalid("nothing to change: give status or deadline_at");
    }
    A2H_ASSIGN_OR_RETURN(const auto rfp, call.ask("rfp.get", call.arguments));
    const std::string creator = text_member(rfp, "creator_agent_id");
    if (creator.empty()) return fail(ErrorCode::Corrupt, "the request does not say who made it");
    if (creator != call.market.agent_id()) {
        return fail(ErrorCode::PermissionDenied, "only its creator may change a request");
    }
    if (const auto to = parse_rfp_status(argument(call, "status"))) {
        A2H_TRY(check_rfp_move(status_of_rfp(rfp), *to));
    }
    if (has(call, "deadline_at")) A2H_TRY(check_deadline(call, rfp));
    Facts facts;
    facts.title = text_member(rfp, "title");
    json before = json::object();
    json after = call.arguments;
    after.erase("rfp_id");
    for (const char* name : {"status", "deadline_at"})
        if (!text_member(rfp, name).empty()) before[name] = rfp[name];
    facts.before_json = before.dump();
    facts.after_json = after.dump();
    // The market tells all of them about the change.
    const auto proposals = call.ask(
        "proposal.list", {{"rfp_id", argument(call, "rfp_id")}, {"page_size", kOthersRead}});
    if (!proposals) return facts;
    facts.peer_ids = others_in(call, wire::list_in(*proposals), "supplier_agent_id");
    for (const json& proposal : wire::list_in(*proposals))
        facts.seen.emplace_back("trade.seen_proposal", proposal.dump());
    return facts;
}

namespace {

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

}  // namespace

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

namespace {

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

}  // namespace

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
    facts.before_json = json{{"status", to_string(*from)}}.dump();
    facts.after_json = json{{"status", to_string(*to)}}.dump();
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

}  // namespace a2h::trade
