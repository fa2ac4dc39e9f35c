#include "daemon/deals/book.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/store/deal_store.h"
#include "core/wire/json_member.h"

namespace a2h::deals {
namespace {

/// An act that arrives late is put in its place among so many of the newest acts.
constexpr int kActsReadMax = 500;
constexpr std::size_t kIdBytes = 6;
/// More open deals of one agent with one peer are not searched.
constexpr int kOpenDealsMax = 20;

Named named_in_payload(const std::string& agent_id, const std::string& peer_id,
                       const std::string& payload_json) {
    const auto payload = nlohmann::json::parse(payload_json, nullptr, false);
    return Named{.agent_id = agent_id,
                 .peer_id = peer_id,
                 .works_id = wire::text_member(payload, "worksId"),
                 .order_id = wire::text_member(payload, "orderId"),
                 .rfp_id = wire::text_member(payload, "rfp_id"),
                 .offer_message_id = wire::text_member(payload, "offer_message_id")};
}

DealSubject order_subject(const Named& named) {
    return {"order", named.order_id};
}

DealSubject subject_of(const Named& named) {
    if (!named.works_id.empty()) return {std::string(kListingSubject), named.works_id};
    if (!named.rfp_id.empty()) return {"rfp", named.rfp_id};
    if (!named.order_id.empty()) return order_subject(named);
    return {};
}

bool is_other_order(const Deal& deal, const Named& named) {
    return deal.order && !named.order_id.empty() && deal.order->order_id != named.order_id;
}

/// The deal that a message means which names no subject: the newest one.
///
/// A deal that nobody has named yet is the one that a first name is given to, if there is no other.
Result<std::optional<Deal>> find_unnamed(store::Database& db, const Named& named,
                                         const DealSubject& subject) {
    A2H_ASSIGN_OR_RETURN(auto open,
                         store::open_deals(db, named.agent_id, named.peer_id, kOpenDealsMax));
    if (open.empty()) return std::optional<Deal>();
    const bool is_only = open.size() == 1;
    const bool is_meant = subject.id.empty() || (is_only && open.front().subject.id.empty()) ||
                          (is_only && subject.kind == "order" && !open.front().order);
    return is_meant ? std::optional(std::move(open.front())) : std::optional<Deal>();
}

Result<std::optional<Deal>> find_stored(store::Database& db, const Named& named) {
    if (!named.order_id.empty()) {
        A2H_ASSIGN_OR_RETURN(
            auto deal, store::deal_of_order(db, named.agent_id, named.peer_id, named.order_id));
        if (deal) return deal;
    }
    if (!named.offer_message_id.empty()) {
        A2H_ASSIGN_OR_RETURN(auto deal, store::deal_of_message(db, named.agent_id, named.peer_id,
                                                               named.offer_message_id));
        if (deal && !is_over(*deal)) return deal;
    }
    const DealSubject subject = subject_of(named);
    if (!subject.id.empty()) {
        A2H_ASSIGN_OR_RETURN(auto deal,
                             store::find_deal(db, named.agent_id, named.peer_id, subject));
        if (deal && is_other_order(*deal, named))
            return store::find_deal(db, named.agent_id, named.peer_id, order_subject(named));
        if (deal) return deal;
    }
    return find_unnamed(db, named, subject);
}

/// A deal without a subject gets the one that is named now.
void name_subject(Deal& deal, const Named& named) {
    if (deal.subject.id.empty()) deal.subject = subject_of(named);
}

Result<bool> has_open_deal(store::Database& db, const Named& named) {
    A2H_ASSIGN_OR_RETURN(const auto deal,
                         store::find_deal(db, named.agent_id, named.peer_id, subject_of(named)));
    return deal.has_value();
}

Result<Deal> begin(store::Database& db, const Named& named, UnixMs now_ms) {
    // A further order about a listing is a deal of its own.
    A2H_ASSIGN_OR_RETURN(const bool is_taken, has_open_deal(db, named));
    Deal deal;
    deal.id = "deal_" + random_hex(kIdBytes);
    deal.agent_id = named.agent_id;
    deal.peer_id = named.peer_id;
    deal.subject = is_taken ? order_subject(named) : subject_of(named);
    deal.created_at_ms = now_ms;
    deal.updated_at_ms = now_ms;
    A2H_TRY(store::insert_deal(db, deal));
    return deal;
}

/// A later act of the peer, as it says itself, is in the deal already.
bool is_late(const Deal& deal, const Act& act) {
    return act.by == ActBy::Peer && act.sent_at_ms < deal.newest_sent_ms;
}

Result<Deal> folded(store::Database& db, const Deal& deal) {
    A2H_ASSIGN_OR_RETURN(const auto acts, store::acts_of_deal(db, deal.id, kActsReadMax));
    Deal next = fold(deal, acts);
    if (acts.size() >= static_cast<std::size_t>(kActsReadMax)) {
        // What the older acts have settled stays so.
        if (!next.order) next.order = deal.order;
        if (!next.agreed) next.agreed = deal.agreed;
        if (!next.open_at_market) next.open_at_market = deal.open_at_market;
        next.earlier_market_deals = deal.earlier_market_deals;
        next = lapse(std::move(next), 0);
    }
    // A yes for an earlier version is never one for this one.
    next.version = std::max(next.version, deal.version + 1);
    return next;
}

/// What the market has made a deal of may stand no longer, so its terms are looked up.
Result<Act> with_terms(store::Database& db, const Deal& deal, Act act) {
    if (act.kind != ActKind::DealNews) return act;
    A2H_ASSIGN_OR_RETURN(const auto offer,
                         store::act_of_message(db, deal.id, ActKind::Offers, act.offer_message_id));
    if (!offer) return act;
    act.terms = offer->terms;
    act.offered_by = offer->by;
    return act;
}

Result<std::optional<Advanced>> record_one(store::Database& db, const Deal& deal, const Act& act) {
    A2H_ASSIGN_OR_RETURN(const bool is_new, store::insert_act(db, deal.id, act));
    if (!is_new) return std::optional<Advanced>();
    if (!is_late(deal, act)) return std::optional(advance(deal, act));
    A2H_ASSIGN_OR_RETURN(auto next, folded(db, deal));
    return std::optional(Advanced{std::move(next), Step::None});
}

/// `deal` as all its acts make it that count by now.
Result<Deal> up_to_date(store::Database& db, Deal deal) {
    return deal.is_stale ? folded(db, deal) : Result<Deal>(std::move(deal));
}

/// The deal to which `named` belongs, with the terms that stood after its last act.
Result<std::optional<Deal>> find_up_to_date(store::Database& db, const Named& named) {
    A2H_ASSIGN_OR_RETURN(auto deal, find_stored(db, named));
    if (!deal) return deal;
    name_subject(*deal, named);
    A2H_ASSIGN_OR_RETURN(auto whole, up_to_date(db, std::move(*deal)));
    return std::optional(std::move(whole));
}

bool says_something(const std::vector<Act>& acts) {
    return std::any_of(acts.begin(), acts.end(),
                       [](const Act& act) { return act.kind != ActKind::Courtesy; });
}

}  // namespace

Named named_in(const OutboxMessage& message) {
    return named_in_payload(message.agent_id, message.target_id, message.payload_json);
}

Named named_in(const InboxMessage& message) {
    return named_in_payload(message.agent_id, message.sender_id, message.payload_json);
}

std::string source_of_inbox(std::int64_t inbox_id, int number) {
    return "inbox:" + std::to_string(inbox_id) + ":" + std::to_string(number);
}

std::string source_of_outbox(std::int64_t outbox_id, int number) {
    return "outbox:" + std::to_string(outbox_id) + ":" + std::to_string(number);
}

Result<std::vector<Advanced>> record(store::Database& db, const Named& named,
                                     const std::vector<Act>& acts, UnixMs now_ms) {
    if (!says_something(acts)) return std::vector<Advanced>();
    A2H_ASSIGN_OR_RETURN(auto deal, find_up_to_date(db, named));
    return record_in(db, std::move(deal), named, acts, now_ms);
}

Result<std::vector<Advanced>> record_in(store::Database& db, std::optional<Deal> deal,
                                        const Named& named, const std::vector<Act>& acts,
                                        UnixMs now_ms) {
    std::vector<Advanced> steps;
    if (!says_something(acts)) return steps;
    if (!deal) {
        A2H_ASSIGN_OR_RETURN(deal, begin(db, named, now_ms));
    }
    for (const Act& act : acts) {
        if (act.kind == ActKind::Courtesy) continue;
        A2H_ASSIGN_OR_RETURN(const auto whole, with_terms(db, *deal, act));
        A2H_ASSIGN_OR_RETURN(auto step, record_one(db, *deal, whole));
        if (!step) continue;
        deal = step->deal;
        steps.push_back(std::move(*step));
    }
    A2H_TRY(store::update_deal(db, *deal));
    return steps;
}

Result<std::optional<Deal>> find(store::Database& db, const Named& named, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto deal, find_up_to_date(db, named));
    if (deal) deal = lapse(std::move(*deal), now_ms);
    return deal;
}

Result<Deal> refreshed(store::Database& db, Deal deal, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto whole, up_to_date(db, std::move(deal)));
    return lapse(std::move(whole), now_ms);
}

}  // namespace a2h::deals
