#include "daemon/deals/deal_json.h"

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"

namespace a2h::deals {
namespace {

using nlohmann::json;

json terms_json(const Terms& terms) {
    json shown = json::object();
    if (terms.price) shown["price"] = to_text(*terms.price);
    if (!terms.conditions.empty()) shown["conditions"] = terms.conditions;
    return shown;
}

json offer_json(const StandingOffer& offer) {
    json shown = terms_json(offer.terms);
    shown["message_id"] = offer.message_id;
    shown["typed"] = !offer.payload_hash.empty() && offer.payload_hash != kOverHttp;
    shown["at"] = to_utc_time(offer.made_at_ms);
    if (offer.valid_until_ms != 0) shown["valid_until"] = to_utc_time(offer.valid_until_ms);
    return shown;
}

json agreement_json(const Agreement& agreed) {
    json shown = terms_json(agreed.terms);
    shown["offered_by"] = to_string(agreed.offered_by);
    shown["offer_message_id"] = agreed.offer_message_id;
    shown["accept_message_id"] = agreed.accept_message_id;
    shown["at"] = to_utc_time(agreed.agreed_at_ms);
    if (!agreed.market_deal_id.empty()) shown["market_deal_id"] = agreed.market_deal_id;
    if (agreed.was_taken_back) shown["taken_back"] = true;
    return shown;
}

json order_json(const DealOrder& order) {
    json shown{{"order_id", order.order_id}, {"state", to_string(order.state)}};
    if (order.is_delivered) shown["delivered"] = true;
    return shown;
}

}  // namespace

json deal_json(const Deal& deal) {
    json shown{{"deal_id", deal.id},
               {"peer_id", deal.peer_id},
               {"phase", to_string(deal.phase)},
               {"version", deal.version},
               {"updated_at", to_utc_time(deal.updated_at_ms)}};
    if (!deal.subject.id.empty())
        shown["subject"] = {{"kind", deal.subject.kind}, {"id", deal.subject.id}};
    if (deal.theirs) shown["their_offer"] = offer_json(*deal.theirs);
    if (deal.ours) shown["our_offer"] = offer_json(*deal.ours);
    const bool is_ours = deal.ours == deal.open_at_market;
    if (deal.open_at_market && !is_ours) shown["open_at_market"] = offer_json(*deal.open_at_market);
    if (deal.agreed) shown["agreed"] = agreement_json(*deal.agreed);
    if (!deal.earlier_market_deals.empty())
        shown["earlier_market_deals"] = deal.earlier_market_deals;
    if (deal.order) shown["order"] = order_json(*deal.order);
    return shown;
}

}  // namespace a2h::deals
