#include "daemon/consent/deal_acts.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/store/contact_store.h"
#include "core/wire/envelope.h"
#include "core/wire/json_member.h"
#include "daemon/decide/acts.h"

namespace a2h::consent {
namespace {

using nlohmann::json;

/// Words alone do not change a typed offer: the market reads none, so it can still be accepted.
bool leaves_typed_offer(const Act& act, const std::optional<Deal>& deal) {
    return deal && deal->open_at_market && decide::changes_own_terms({act}) &&
           act.payload_hash.empty() && act.replaces_message_id.empty();
}

bool is_price_of(const std::optional<StandingOffer>& offer, const Act& act) {
    return offer && act.terms.price && offer->terms.price == act.terms.price;
}

/// Words that name a price to which somebody stands already, and say more, can refuse it or take it
/// back: "I will not do it for 200 CNY." So they offer nothing.
bool repeats_price(const Act& act, const std::optional<Deal>& deal) {
    const bool is_in_words = (act.kind == ActKind::Offers && act.payload_hash.empty()) ||
                             (act.kind == ActKind::Accepts && act.offer_message_id.empty());
    return deal && is_in_words && !act.terms.conditions.empty() &&
           (is_price_of(deal->theirs, act) || is_price_of(deal->ours, act) ||
            is_price_of(deal->open_at_market, act));
}

}  // namespace

std::vector<Act> acts_of_own(const OutboxMessage& message, const std::optional<Deal>& deal,
                             const std::vector<HistoryEntry>& recent,
                             const std::optional<Listing>& listing) {
    const decide::Matter matter = listing ? decide::matter_of(*listing) : decide::Matter{};
    std::vector<Act> acts = decide::own_acts(message.payload_json, deal, recent, matter);
    int number = 0;
    for (Act& act : acts) {
        if (leaves_typed_offer(act, deal) || repeats_price(act, deal)) act.kind = ActKind::Other;
        act.source = deals::source_of_outbox(message.id, number++);
        act.by = ActBy::Us;
        act.message_id = message.message_id;
        act.at_ms = message.created_at_ms;
        act.sent_at_ms = message.created_at_ms;
        act.outbox_id = message.id;
    }
    return acts;
}

std::vector<Act> said_by_peer(std::vector<Act> acts, const InboxMessage& message) {
    if (message.provenance == Provenance::Forged) return {};
    // Whatever the message says besides, it ends the offer that it names.
    const std::string replaced =
        wire::text_member(json::parse(message.payload_json, nullptr, false), "replaces");
    int number = 0;
    for (Act& act : acts) {
        act.replaces_message_id = replaced;
        if (act.kind == ActKind::Courtesy && !replaced.empty()) act.kind = ActKind::Other;
        act.source = deals::source_of_inbox(message.id, number++);
        act.by = ActBy::Peer;
        act.message_id = message.message_id;
        act.at_ms = message.received_at_ms;
        // Nobody sends later than the message arrives, so no clock of a peer hides what follows.
        const bool is_past = message.sent_at_ms != 0 && message.sent_at_ms < message.received_at_ms;
        act.sent_at_ms = is_past ? message.sent_at_ms : message.received_at_ms;
        act.sureness = certainty(message.provenance);
        // An acceptance names the hash of what was signed.
        if (!act.payload_hash.empty())
            act.payload_hash = wire::signed_payload_hash(message.envelope_json);
    }
    return acts;
}

Result<void> disarm_unproved(store::Database& db, const deals::Named& named,
                             std::vector<Act>& acts) {
    const int sure = certainty(Provenance::Verified);
    const auto is_unproved = [&](const Act& act) {
        return act.by == ActBy::Peer && act.sureness < sure;
    };
    if (std::none_of(acts.begin(), acts.end(), is_unproved)) return {};
    A2H_ASSIGN_OR_RETURN(const auto contact, store::get_contact(db, named.agent_id, named.peer_id));
    if (!contact || contact->public_key.empty()) return {};
    for (Act& act : acts)
        if (is_unproved(act)) act.kind = ActKind::Other;
    return {};
}

std::vector<Act> acts_of_old(const InboxMessage& message) {
    return said_by_peer(decide::own_acts(message.payload_json, {}), message);
}

}  // namespace a2h::consent
