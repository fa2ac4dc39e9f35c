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

// Members of the action; the card shows them.
constexpr const char* kEnds = "ends_offer";
constexpr const char* kKeeps = "keeps_offer";
constexpr const char* kReplaced = "replaced_offer";
constexpr const char* kAgreed = "agreed_already";

std::string replaced_by(const json& action) {
    return wire::text_member(wire::member(wire::member(action, "request"), "payload"), "replaces");
}

/// The deal in which an answer to the question, or a message of our own, would be said.
Result<std::optional<Deal>> deal_of(store::Database& db, const Approval& approval,
                                    const json& action, UnixMs now_ms) {
    const bool may_end = row_of(approval.action).answers_peer || !replaced_by(action).empty();
    if (!may_end || approval.peer_id.empty()) return std::optional<Deal>();
    const ActionIds ids = ids_of_action(approval.action_json);
    const json& payload = wire::member(wire::member(action, "request"), "payload");
    const std::string named = wire::text_member(payload, "worksId");
    return deals::find(db,
                       {.agent_id = approval.agent_id,
                        .peer_id = approval.peer_id,
                        .works_id = ids.works_id.empty() ? named : ids.works_id,
                        .order_id = ids.order_id,
                        .offer_message_id = wire::text_member(payload, "offer_message_id")},
                       now_ms);
}

/// Any answer to a message does, unless the message asks for facts only, or the offer is what both
/// have agreed to.
bool ends_offer(const Approval& approval, const Deal& deal) {
    const bool asks_for_facts = approval.job_id == 0 || approval.about == About::Facts;
    const bool is_agreed = deal.agreed && stands(*deal.agreed) &&
                           deal.agreed->offer_message_id == deal.open_at_market->message_id;
    if (!asks_for_facts && !is_agreed) return true;
    return decide::changes_own_terms(
        decide::own_acts(wire::text_payload(approval.reply_text), deal));
}

json in_short(const Terms& terms, const std::string& message_id) {
    json shown{{"message_id", message_id}};
    if (!terms.price) return shown;
    shown["amount_minor"] = terms.price->minor;
    shown["currency"] = terms.price->currency;
    return shown;
}

/// What an answer does to our offer, and what both have agreed to already.
void name(json& action, const Approval& approval, const Deal& deal) {
    const auto& open = deal.open_at_market;
    const bool answers = row_of(approval.action).answers_peer;
    if (open && answers) {
        action[ends_offer(approval, deal) ? kEnds : kKeeps] =
            in_short(open->terms, open->message_id);
    } else if (open && open->message_id == replaced_by(action)) {
        action[kReplaced] = in_short(open->terms, open->message_id);
        if (deal.subject.kind == kListingSubject) action[kReplaced]["works_id"] = deal.subject.id;
    }
    const bool is_agreed = deal.agreed && stands(*deal.agreed);
    if (answers && is_agreed && approval.about == About::Terms)
        action[kAgreed] = in_short(deal.agreed->terms, deal.agreed->accept_message_id);
}

}  // namespace

Result<bool> name_own_offer(store::Database& db, Approval& approval, UnixMs now_ms) {
    json action = json::parse(approval.action_json, nullptr, false);
    if (!action.is_object()) return false;
    A2H_ASSIGN_OR_RETURN(const auto deal, deal_of(db, approval, action, now_ms));
    for (const char* member : {kEnds, kKeeps, kReplaced, kAgreed})
        action.erase(member);
    if (deal) name(action, approval, *deal);
    std::string named = wire::canonical_json(action);
    if (named == approval.action_json) return false;
    approval.action_json = std::move(named);
    approval.digest = wire::sha256_hex(approval.action_json);
    return true;
}

Result<bool> accepts_what_stands(store::Database& db, const Approval& approval, UnixMs now_ms) {
    const json action = json::parse(approval.action_json, nullptr, false);
    const json& payload = wire::member(wire::member(action, "request"), "payload");
    if (!is_accepting(wire::text_member(payload, "type"))) return true;
    const std::string offer_id = wire::text_member(payload, "offer_message_id");
    A2H_ASSIGN_OR_RETURN(const auto deal, deals::find(db,
                                                      {.agent_id = approval.agent_id,
                                                       .peer_id = approval.peer_id,
                                                       .offer_message_id = offer_id},
                                                      now_ms));
    return !deal || (deal->theirs && deal->theirs->message_id == offer_id);
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
