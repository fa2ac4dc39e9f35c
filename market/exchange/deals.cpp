#include "market/exchange/deals.h"

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "market/exchange/exchange_json.h"
#include "market/store/deal_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::int64_t kMessagesAtOnce = 100;

std::string new_deal_id() {
    return "deal_" + random_hex(10);
}

/// The current session, newest message first.
Result<json> session_terms(db::Transaction& transaction, const Session& session) {
    json row = session_json(session, session.first_id);
    row.erase("agent_id");
    row["agent_ids"] = {session.first_id, session.second_id};
    json messages = json::array();
    std::size_t bytes = 0;
    SessionQuery query{
        .session_id = session.session_id, .type = "", .offset = 0, .limit = kMessagesAtOnce};
    for (bool more = true; more; query.offset += kMessagesAtOnce) {
        A2H_ASSIGN_OR_RETURN(const auto page, store::list_session_messages(transaction, query));
        more = page.size() == static_cast<std::size_t>(kMessagesAtOnce);
        for (const SessionMessage& message : page) {
            bytes += message.payload_json.size();
            if (bytes > kTermsMessagesBytesMax) {
                more = false;
                break;
            }
            messages.push_back(message_json(message));
        }
    }
    A2H_ASSIGN_OR_RETURN(const auto all,
                         store::count_session_messages(transaction, session.session_id));
    row["omitted"] = all - static_cast<std::int64_t>(messages.size());
    row["messages"] = std::move(messages);
    return row;
}

Result<std::string> add(db::Transaction& transaction, Deal deal, const json& terms) {
    deal.terms_json = terms.dump();
    A2H_ASSIGN_OR_RETURN(const auto added, store::add_deal(transaction, deal));
    if (added) return deal.deal_id;
    return fail(ErrorCode::Conflict, "this has already led to a deal");
}

/// Adds RFP and proposal of a session to the terms; returns the RFP's creator, or an empty text.
Result<std::string> add_origin(db::Transaction& transaction, const Session& session, UnixMs now_ms,
                               json& terms) {
    if (session.rfp_id.empty()) return std::string();
    A2H_ASSIGN_OR_RETURN(const auto rfp, store::find_rfp(transaction, session.rfp_id));
    if (!rfp) return fail(ErrorCode::Corrupt, "the RFP of a session no longer exists");
    terms["rfp"] = rfp_json(*rfp, now_ms);
    if (!session.proposal_id.empty()) {
        A2H_ASSIGN_OR_RETURN(const auto proposal,
                             store::find_proposal(transaction, session.proposal_id));
        if (!proposal)
            return fail(ErrorCode::Corrupt, "the proposal of a session no longer exists");
        terms["proposal"] = proposal_json(*proposal);
    }
    return rfp->creator_id;
}

}  // namespace

Result<std::string> make_deal_of_proposal(db::Transaction& transaction, const Proposal& proposal,
                                          const Rfp& rfp, UnixMs now_ms) {
    json terms{{"rfp", rfp_json(rfp, now_ms)}, {"proposal", proposal_json(proposal)}};
    Deal deal{.deal_id = new_deal_id(),
              .offered_by = proposal.supplier_id,
              .accepted_by = rfp.creator_id,
              .buyer_id = rfp.creator_id,
              .rfp_id = rfp.rfp_id,
              .proposal_id = proposal.proposal_id,
              .price = proposal.price,
              .terms_json = "",
              .created_at_ms = now_ms};
    A2H_ASSIGN_OR_RETURN(const auto session,
                         store::session_of_proposal(transaction, proposal.proposal_id));
    if (session) {
        A2H_ASSIGN_OR_RETURN(terms["session"], session_terms(transaction, *session));
        deal.session_id = session->session_id;
    }
    return add(transaction, std::move(deal), terms);
}

Result<std::string> make_deal_of_offer(db::Transaction& transaction, const Session& session,
                                       const SessionMessage& offer, const SessionMessage& accept,
                                       UnixMs now_ms) {
    json terms{{"offer", message_json(offer)}, {"accept", message_json(accept)}};
    A2H_ASSIGN_OR_RETURN(auto buyer, add_origin(transaction, session, now_ms, terms));
    A2H_ASSIGN_OR_RETURN(terms["session"], session_terms(transaction, session));
    return add(transaction,
               {.deal_id = new_deal_id(),
                .offered_by = offer.sender_id,
                .accepted_by = accept.sender_id,
                .buyer_id = std::move(buyer),
                .rfp_id = session.rfp_id,
                .proposal_id = session.proposal_id,
                .session_id = session.session_id,
                .offer_id = offer.message_id,
                .price = *offer.price,
                .terms_json = "",
                .created_at_ms = now_ms},
               terms);
}

}  // namespace a2h::market
