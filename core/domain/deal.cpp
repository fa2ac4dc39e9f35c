#include "core/domain/deal.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/enum_names.h"

namespace a2h {
namespace {

std::optional<StandingOffer>& terms_of(Deal& deal, ActBy by) {
    return by == ActBy::Us ? deal.ours : deal.theirs;
}

std::optional<StandingOffer>& terms_against(Deal& deal, ActBy by) {
    return by == ActBy::Us ? deal.theirs : deal.ours;
}

bool has_table(const Deal& deal) {
    return deal.ours || deal.theirs;
}

StandingOffer standing(const Act& act, Terms terms) {
    return StandingOffer{std::move(terms), act.message_id, act.payload_hash, act.valid_until_ms,
                         act.at_ms};
}

/// Whether an acceptance means `offer`, so far as it says which one it means.
bool means(const Act& act, const StandingOffer& offer) {
    const bool is_named = act.offer_message_id.empty() || act.offer_message_id == offer.message_id;
    const bool is_same = act.offer_payload_hash.empty() || offer.payload_hash.empty() ||
                         act.offer_payload_hash == offer.payload_hash;
    return is_named && is_same;
}

/// Whether `terms`, which an acceptance repeats, change those of `offer`.
bool changes(const Terms& terms, const Terms& offer) {
    return (terms.price && terms.price != offer.price) || !terms.conditions.empty();
}

Step offer(Deal& deal, const Act& act, Terms terms) {
    terms_of(deal, act.by) = standing(act, std::move(terms));
    if (act.by == ActBy::Us && !act.payload_hash.empty()) deal.open_at_market = deal.ours;
    return Step::Offered;
}

/// The terms of an acceptance that changes something, as an offer of its author.
Terms counter_terms(const Act& act, const Terms& answered) {
    Terms terms{act.terms.price ? act.terms.price : answered.price, answered.conditions};
    terms.conditions.insert(terms.conditions.end(), act.terms.conditions.begin(),
                            act.terms.conditions.end());
    return terms;
}

bool repeats_agreement(const Deal& deal, const Act& act) {
    return deal.agreed && stands(*deal.agreed) && !changes(act.terms, deal.agreed->terms) &&
           (act.offer_message_id.empty() || act.offer_message_id == deal.agreed->offer_message_id);
}

/// An acceptance of nothing that stands. Words that name a price offer it.
Step accept_nothing(Deal& deal, const Act& act) {
    if (repeats_agreement(deal, act)) return Step::None;
    if (!act.offer_message_id.empty() || !act.terms.price) return Step::AcceptedTooLate;
    offer(deal, act, act.terms);
    return Step::Countered;
}

/// Both stand to the terms of `offer`, which `offered_by` has made.
Step agree(Deal& deal, const Act& act, const StandingOffer& offer, ActBy offered_by) {
    if (deal.agreed && !deal.agreed->market_deal_id.empty())
        deal.earlier_market_deals.push_back(deal.agreed->market_deal_id);
    deal.agreed = Agreement{.terms = offer.terms,
                            .offered_by = offered_by,
                            .offer_message_id = offer.message_id,
                            .accept_message_id = act.message_id,
                            .market_deal_id = act.market_deal_id,
                            .agreed_at_ms = act.at_ms};
    deal.ours.reset();
    deal.theirs.reset();
    return Step::Agreed;
}

Step accept(Deal& deal, const Act& act) {
    const std::optional<StandingOffer> answered = terms_against(deal, act.by);
    if (!answered || !means(act, *answered)) return accept_nothing(deal, act);
    if (changes(act.terms, answered->terms)) {
        offer(deal, act, counter_terms(act, answered->terms));
        return Step::Countered;
    }
    return agree(deal, act, *answered, act.by == ActBy::Us ? ActBy::Peer : ActBy::Us);
}

/// Ends `terms` or, if nobody stands to any, what was agreed.
Step end(Deal& deal, std::optional<StandingOffer>& terms, DealPhase how) {
    if (!terms && !has_table(deal) && deal.agreed) deal.agreed->was_taken_back = true;
    terms.reset();
    if (!has_table(deal)) deal.ended = how;
    return how == DealPhase::Declined ? Step::Declined : Step::Withdrawn;
}

/// A refusal that names an offer refuses that one. An agreement is not undone by it.
Step decline(Deal& deal, const Act& act) {
    const auto& answered = terms_against(deal, act.by);
    const bool is_named = !act.offer_message_id.empty();
    if (is_named && (!answered || !means(act, *answered))) return Step::None;
    return end(deal, terms_against(deal, act.by), DealPhase::Declined);
}

Step add_condition(Deal& deal, const Act& act) {
    if (auto& own = terms_of(deal, act.by)) {
        own->terms.conditions.insert(own->terms.conditions.end(), act.terms.conditions.begin(),
                                     act.terms.conditions.end());
        return Step::ConditionAdded;
    }
    const std::optional<StandingOffer> answered = terms_against(deal, act.by);
    if (!answered) return Step::ConditionAdded;
    offer(deal, act, counter_terms(act, answered->terms));
    return Step::Countered;
}

bool is_final(OrderState state) {
    return state == OrderState::Completed || state == OrderState::Rejected ||
           state == OrderState::Cancelled;
}

/// News that is older than what is known already changes nothing.
bool is_older(const DealOrder& news, const DealOrder& known) {
    return news.order_id == known.order_id && (news.state < known.state || is_final(known.state));
}

Step take_order(Deal& deal, const DealOrder& news) {
    if (deal.order && is_older(news, *deal.order)) return Step::None;
    const bool was_delivered =
        deal.order && deal.order->order_id == news.order_id && deal.order->is_delivered;
    deal.order = news;
    deal.order->is_delivered = news.is_delivered || was_delivered;
    deal.ours.reset();
    deal.theirs.reset();
    return is_final(news.state) ? Step::OrderEnded : Step::OrderMoved;
}

/// The offer of which the market has made a deal, as far as it stands in `deal`.
std::optional<ActBy> author_of(const Deal& deal, const std::string& offer_id) {
    if (deal.theirs && deal.theirs->message_id == offer_id) return ActBy::Peer;
    if (deal.ours && deal.ours->message_id == offer_id) return ActBy::Us;
    return std::nullopt;
}

/// What the market has made a deal of is agreed, whatever was said in words about it.
Step take_deal(Deal& deal, const Act& act) {
    if (deal.open_at_market && deal.open_at_market->message_id == act.offer_message_id)
        deal.open_at_market.reset();
    if (deal.agreed && deal.agreed->offer_message_id == act.offer_message_id) {
        deal.agreed->market_deal_id = act.market_deal_id;
        return Step::Recorded;
    }
    if (const auto author = author_of(deal, act.offer_message_id)) {
        const StandingOffer answered = *terms_of(deal, *author);
        return agree(deal, act, answered, *author);
    }
    StandingOffer ended;
    ended.terms = act.terms;
    ended.message_id = act.offer_message_id;
    return agree(deal, act, ended, act.offered_by.value_or(ActBy::Peer));
}

/// An agreement that the market has recorded is not ended by another answer that it refused.
Step take_refusal(Deal& deal, const Act& act) {
    const bool is_it = deal.agreed && deal.agreed->market_deal_id.empty() &&
                       deal.agreed->accept_message_id == act.message_id;
    if (!is_it) return Step::None;
    deal.agreed.reset();
    deal.ended = DealPhase::Lapsed;
    return Step::Refused;
}

/// Own terms that an act of ours names as replaced have ended, whatever else the act does.
void replace(Deal& deal, const Act& act) {
    const auto end = [&](std::optional<StandingOffer>& offer) {
        if (offer && offer->message_id == act.replaces_message_id) offer.reset();
    };
    if (act.replaces_message_id.empty()) return;
    end(terms_of(deal, act.by));
    if (act.by == ActBy::Us) end(deal.open_at_market);
}

Step apply(Deal& deal, const Act& act) {
    replace(deal, act);
    switch (act.kind) {
        case ActKind::Offers:
            return offer(deal, act, act.terms);
        case ActKind::Accepts:
            return accept(deal, act);
        case ActKind::Declines:
            return decline(deal, act);
        case ActKind::Withdraws:
            return end(deal, terms_of(deal, act.by), DealPhase::Withdrawn);
        case ActKind::Conditions:
            return add_condition(deal, act);
        case ActKind::OrderNews:
            return act.order ? take_order(deal, *act.order) : Step::None;
        case ActKind::DealNews:
            return take_deal(deal, act);
        case ActKind::RefusalNews:
            return take_refusal(deal, act);
        case ActKind::ClaimsDelivery:
            if (deal.order) deal.order->is_delivered = true;
            return Step::None;
        case ActKind::Asks:
        case ActKind::AsksPayment:
        case ActKind::ClaimsPayment:
        case ActKind::ClaimsReceipt:
        case ActKind::Courtesy:
        case ActKind::Other:
            return Step::None;
    }
    return Step::None;
}

DealPhase phase_of(const DealOrder& order) {
    switch (order.state) {
        case OrderState::PendingConfirm:
        case OrderState::Confirmed:
            return DealPhase::Ordered;
        case OrderState::Paid:
            return order.is_delivered ? DealPhase::Delivered : DealPhase::Paid;
        case OrderState::Completed:
            return DealPhase::Done;
        case OrderState::Rejected:
        case OrderState::Cancelled:
            return DealPhase::Closed;
    }
    return DealPhase::Ordered;
}

DealPhase phase_of(const Deal& deal) {
    if (deal.order) return phase_of(*deal.order);
    if (has_table(deal)) return DealPhase::Offered;
    if (deal.agreed && stands(*deal.agreed)) return DealPhase::Agreed;
    return deal.ended;
}

/// Where `act` belongs among `acts`, which are in order.
std::vector<Act>::const_iterator place_of(const std::vector<Act>& acts, const Act& act) {
    const auto later = std::find_if(acts.begin(), acts.end(), [&](const Act& other) {
        return other.by == act.by && other.sent_at_ms > act.sent_at_ms;
    });
    if (act.by != ActBy::Peer) return acts.end();
    if (act.kind != ActKind::Accepts) return later;
    const auto own = std::find_if(acts.rbegin(), acts.rend(),
                                  [](const Act& other) { return other.by == ActBy::Us; });
    return std::max(later, own.base());
}

}  // namespace

constexpr EnumName<DealPhase> kDealPhaseNames[] = {
    {DealPhase::Enquiry, "enquiry"},     {DealPhase::Offered, "offered"},
    {DealPhase::Agreed, "agreed"},       {DealPhase::Ordered, "ordered"},
    {DealPhase::Paid, "paid"},           {DealPhase::Delivered, "delivered"},
    {DealPhase::Done, "done"},           {DealPhase::Declined, "declined"},
    {DealPhase::Withdrawn, "withdrawn"}, {DealPhase::Lapsed, "lapsed"},
    {DealPhase::Closed, "closed"},
};
A2H_ENUM_NAMES(DealPhase, parse_deal_phase, kDealPhaseNames);

constexpr EnumName<ActKind> kActKindNames[] = {
    {ActKind::Asks, "asks"},
    {ActKind::Offers, "offers"},
    {ActKind::Accepts, "accepts"},
    {ActKind::Declines, "declines"},
    {ActKind::Withdraws, "withdraws"},
    {ActKind::Conditions, "conditions"},
    {ActKind::AsksPayment, "asks_payment"},
    {ActKind::ClaimsPayment, "claims_payment"},
    {ActKind::ClaimsDelivery, "claims_delivery"},
    {ActKind::ClaimsReceipt, "claims_receipt"},
    {ActKind::OrderNews, "order_news"},
    {ActKind::DealNews, "deal_news"},
    {ActKind::RefusalNews, "refusal_news"},
    {ActKind::Courtesy, "courtesy"},
    {ActKind::Other, "other"},
};
A2H_ENUM_NAMES(ActKind, parse_act_kind, kActKindNames);

constexpr EnumName<ActBy> kActByNames[] = {
    {ActBy::Us, "us"}, {ActBy::Peer, "peer"}, {ActBy::Market, "market"}};
A2H_ENUM_NAMES(ActBy, parse_act_by, kActByNames);

bool stands(const Agreement& agreed) {
    return !agreed.was_taken_back || !agreed.market_deal_id.empty();
}

bool is_over(const Deal& deal) {
    return deal.order && is_final(deal.order->state);
}

Deal lapse(Deal deal, UnixMs now_ms) {
    for (std::optional<StandingOffer>* terms : {&deal.ours, &deal.theirs}) {
        if (!*terms || (*terms)->valid_until_ms == 0 || (*terms)->valid_until_ms > now_ms) continue;
        terms->reset();
        if (!has_table(deal)) deal.ended = DealPhase::Lapsed;
    }
    const auto& open = deal.open_at_market;
    if (open && open->valid_until_ms != 0 && open->valid_until_ms <= now_ms)
        deal.open_at_market.reset();
    deal.phase = phase_of(deal);
    return deal;
}

Advanced advance(Deal deal, const Act& act) {
    deal = lapse(std::move(deal), act.at_ms);
    if (act.kind != ActKind::Courtesy) ++deal.version;
    deal.updated_at_ms = std::max(deal.updated_at_ms, act.at_ms);
    if (act.by == ActBy::Peer) deal.newest_sent_ms = std::max(deal.newest_sent_ms, act.sent_at_ms);
    if (act.by == ActBy::Peer && act.sureness < deal.sureness) return {std::move(deal), Step::None};
    if (act.by == ActBy::Peer) deal.sureness = act.sureness;
    const Step step = apply(deal, act);
    deal.phase = phase_of(deal);
    return {std::move(deal), step};
}

std::vector<Act> in_order(const std::vector<Act>& acts) {
    std::vector<Act> ordered;
    std::set<std::string> sources;
    for (const Act& act : acts) {
        if (sources.insert(act.source).second) ordered.insert(place_of(ordered, act), act);
    }
    return ordered;
}

Deal fold(const Deal& deal, const std::vector<Act>& acts) {
    Deal folded;
    folded.id = deal.id;
    folded.agent_id = deal.agent_id;
    folded.peer_id = deal.peer_id;
    folded.subject = deal.subject;
    folded.created_at_ms = deal.created_at_ms;
    for (const Act& act : in_order(acts))
        folded = advance(std::move(folded), act).deal;
    return folded;
}

}  // namespace a2h
