#include "market/exchange/events.h"

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "market/exchange/exchange_json.h"
#include "market/store/event_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::size_t kDescriptionMax = 2000;

Result<void> notify(db::Transaction& transaction, std::string_view agent_id, const json& payload,
                    UnixMs now_ms) {
    return store::announce(transaction, agent_id, payload.dump(), now_ms);
}

}  // namespace

Result<void> notify_matched(db::Transaction& transaction, std::string_view agent_id, const Rfp& rfp,
                            UnixMs now_ms) {
    json row = rfp_json(rfp, now_ms);
    const std::string_view cut = truncate(rfp.description, kDescriptionMax);
    row["description"] = cut;
    row["description_cut"] = cut.size() < rfp.description.size();
    return notify(transaction, agent_id,
                  {{"type", "rfp.event"},
                   {"event", "matched"},
                   {"text", "RFP " + rfp.rfp_id + " asks for what you offer."},
                   {"rfp_id", rfp.rfp_id},
                   {"rfp", std::move(row)}},
                  now_ms);
}

Result<void> notify_rfp_change(db::Transaction& transaction, const Rfp& rfp, std::string_view event,
                               bool to_creator, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto agents, store::pending_suppliers(transaction, rfp.rfp_id));
    if (to_creator) agents.push_back(rfp.creator_id);
    const std::string what = event == "deadline_extended" ? " has a later deadline."
                                                          : " is now " + std::string(event) + ".";
    json row = rfp_json(rfp, now_ms);
    row.erase("description");
    const json payload{{"type", "rfp.event"},
                       {"event", event},
                       {"text", "RFP " + rfp.rfp_id + what},
                       {"rfp_id", rfp.rfp_id},
                       {"rfp", std::move(row)}};
    for (const std::string& agent_id : agents)
        A2H_TRY(notify(transaction, agent_id, payload, now_ms));
    return {};
}

Result<void> notify_proposal(db::Transaction& transaction, std::string_view agent_id,
                             const Proposal& proposal, std::string_view event,
                             std::string_view deal_id, UnixMs now_ms) {
    json row = proposal_json(proposal);
    if (row.contains("content")) {
        row["content"] = truncate(proposal.content, kDescriptionMax);
    }
    json payload{{"type", "proposal.event"},
                 {"event", event},
                 {"text", "Proposal " + proposal.proposal_id + " for RFP " + proposal.rfp_id +
                              " was " + std::string(event) + ", " + to_text(proposal.price) + "."},
                 {"rfp_id", proposal.rfp_id},
                 {"proposal_id", proposal.proposal_id},
                 {"proposal", std::move(row)}};
    if (!deal_id.empty()) payload["deal_id"] = deal_id;
    return notify(transaction, agent_id, payload, now_ms);
}

Result<void> notify_message(db::Transaction& transaction, const Session& session,
                            const SessionMessage& message, const std::optional<Money>& price,
                            std::string_view deal_id, UnixMs now_ms) {
    std::string text = "Session " + message.session_id + ": " + message.type + " " +
                       message.message_id + " of " + message.sender_id;
    if (price) text += ", " + to_text(*price);
    if (!deal_id.empty()) text += ", which has led to deal " + std::string(deal_id);
    json payload{{"type", "session.event"},
                 {"event", message.type},
                 {"text", text + "."},
                 {"session_id", message.session_id},
                 {"message", message_json(message)}};
    if (!deal_id.empty()) payload["deal_id"] = deal_id;
    return notify(transaction, session.other(message.sender_id), payload, now_ms);
}

Result<void> notify_deal(db::Transaction& transaction, const Session& session,
                         const SessionMessage& accept, std::string_view deal_id) {
    json payload{
        {"type", "deal.event"},
        {"event", "made"},
        {"text", "Session " + accept.session_id + " has led to deal " + std::string(deal_id) + "."},
        {"session_id", accept.session_id},
        {"offer_message_id", accept.offer_id},
        {"accept_message_id", accept.message_id},
        {"deal_id", deal_id}};
    for (const std::string& agent_id : {session.first_id, session.second_id}) {
        payload["agent_id"] = session.other(agent_id);
        A2H_TRY(notify(transaction, agent_id, payload, accept.created_at_ms));
    }
    return {};
}

Result<void> notify_refused(db::Transaction& transaction, const SessionMessage& message,
                            std::string_view target_id, std::string_view reason, UnixMs now_ms) {
    return notify(transaction, message.sender_id,
                  {{"type", "session.event"},
                   {"event", "refused"},
                   {"text", "Session " + message.session_id + ": your " + message.type +
                                " was not taken: " + std::string(reason) + "."},
                   {"session_id", message.session_id},
                   {"agent_id", target_id},
                   {"message_id", message.message_id},
                   {"offer_message_id", message.offer_id}},
                  now_ms);
}

}  // namespace a2h::market
