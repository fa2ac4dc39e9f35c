#include "daemon/consent/own_offer.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/domain/deal.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/payload.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/deals/book.h"
#include "daemon/decide/acts.h"

namespace a2h::consent {
namespace {

using nlohmann::json;

// Members of the action; the card shows both.
constexpr const char* kEnds = "ends_offer";
constexpr const char* kKeeps = "keeps_offer";

/// The deal in which an answer to the question would be said.
Result<std::optional<Deal>> deal_of(store::Database& db, const Approval& approval, UnixMs now_ms) {
    if (!row_of(approval.action).answers_peer || approval.peer_id.empty())
        return std::optional<Deal>();
    const ActionIds ids = ids_of_action(approval.action_json);
    return deals::find(db,
                       {.agent_id = approval.agent_id,
                        .peer_id = approval.peer_id,
                        .works_id = ids.works_id,
                        .order_id = ids.order_id},
                       now_ms);
}

/// Any answer to a message does, unless the message asks for facts only.
bool ends_offer(const Approval& approval, const Deal& deal) {
    const bool asks_for_facts = approval.job_id == 0 || approval.about == About::Facts;
    if (!asks_for_facts) return true;
    return decide::changes_own_terms(
        decide::own_acts(wire::text_payload(approval.reply_text), deal));
}

json in_short(const StandingOffer& offer) {
    json shown{{"message_id", offer.message_id}};
    if (!offer.terms.price) return shown;
    shown["amount_minor"] = offer.terms.price->minor;
    shown["currency"] = offer.terms.price->currency;
    return shown;
}

}  // namespace

Result<bool> name_own_offer(store::Database& db, Approval& approval, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto deal, deal_of(db, approval, now_ms));
    json action = json::parse(approval.action_json, nullptr, false);
    if (!action.is_object()) return false;
    action.erase(kEnds);
    action.erase(kKeeps);
    if (deal && deal->ours && !deal->ours->payload_hash.empty())
        action[ends_offer(approval, *deal) ? kEnds : kKeeps] = in_short(*deal->ours);
    std::string named = wire::canonical_json(action);
    if (named == approval.action_json) return false;
    approval.action_json = std::move(named);
    approval.digest = wire::sha256_hex(approval.action_json);
    return true;
}

std::string offer_ended_by(std::string_view action_json) {
    const json action = json::parse(action_json, nullptr, false);
    return wire::text_member(wire::member(action, kEnds), "message_id");
}

std::string ending_offer(std::string payload_json, std::string_view action_json) {
    const std::string ended = offer_ended_by(action_json);
    json payload = json::parse(payload_json, nullptr, false);
    if (ended.empty() || !payload.is_object() || payload.contains("replaces")) return payload_json;
    payload["replaces"] = ended;
    return wire::canonical_json(payload);
}

}  // namespace a2h::consent
