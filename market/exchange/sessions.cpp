#include "market/exchange/sessions.h"

#include <utility>

#include "core/base/ids.h"
#include "core/base/time_text.h"
#include "market/exchange/deals.h"
#include "market/exchange/events.h"
#include "market/exchange/exchange_json.h"
#include "market/exchange/proposals.h"
#include "market/exchange/rfps.h"
#include "market/store/agent_store.h"
#include "market/store/deal_store.h"

namespace a2h::market {
namespace {

std::string new_session_id() {
    return "ses_" + random_hex(10);
}

Unexpected conflict(std::string message) {
    return fail(ErrorCode::Conflict, std::move(message));
}

Result<void> check_agent(db::Transaction& transaction, std::string_view agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto agent, store::find_agent(transaction, agent_id));
    if (agent && !agent->revoked) return {};
    return fail(ErrorCode::NotFound, "there is no agent with that agent_id");
}

/// The two agents of the session must be the RFP's creator and one of its suppliers.
Result<void> check_rfp_parties(db::Transaction& transaction, std::string_view caller_id,
                               const SessionRequest& request) {
    A2H_ASSIGN_OR_RETURN(const auto seen, see_rfp(transaction, request.rfp_id, caller_id));
    if (seen.role == RfpRole::Supplier) {
        if (request.agent_id == seen.rfp.creator_id) return {};
        return invalid("agent_id is not the creator of this RFP");
    }
    const auto other = see_rfp(transaction, request.rfp_id, request.agent_id);
    if (other || other.error().code != ErrorCode::NotFound) {
        return other ? Result<void>() : fail(other.error());
    }
    return invalid("agent_id is not a supplier of this RFP");
}

/// Completes the request from the proposal: RFP and other party.
Result<SessionRequest> about_proposal(db::Transaction& transaction, std::string_view caller_id,
                                      SessionRequest request) {
    A2H_ASSIGN_OR_RETURN(const auto seen,
                         see_proposal(transaction, request.proposal_id, caller_id));
    const std::string& other =
        seen.role == ProposalRole::Creator ? seen.proposal.supplier_id : seen.rfp.creator_id;
    if (request.agent_id.empty()) request.agent_id = other;
    if (request.agent_id != other)
        return invalid("agent_id is not the other party of the proposal");
    if (request.rfp_id.empty()) request.rfp_id = seen.rfp.rfp_id;
    if (request.rfp_id != seen.rfp.rfp_id) return invalid("the proposal is for another RFP");
    return request;
}

Result<SessionMessage> find_offer(db::Transaction& transaction, const SessionMessage& answer) {
    A2H_ASSIGN_OR_RETURN(
        auto offer, store::find_session_message(transaction, answer.session_id, answer.offer_id));
    const bool known = offer && offer->type == "offer" && offer->sender_id != answer.sender_id;
    if (known) return std::move(*offer);
    return fail(ErrorCode::NotFound,
                "offer_message_id is not an offer of the other side in this session");
}

/// For an offer that was already answered: the same answer changes nothing, another one comes too
/// late.
Result<SaidMessage> repeated(db::Transaction& transaction, const SessionMessage& offer,
                             const SessionMessage& answer) {
    A2H_ASSIGN_OR_RETURN(auto given,
                         store::answer_to(transaction, offer.session_id, offer.message_id));
    if (!given && offer.answer == "replaced") return conflict("its sender has replaced this offer");
    if (!given) return fail(ErrorCode::Corrupt, "the answer to an offer no longer exists");
    if (given->type != answer.type) {
        return conflict("this offer was already " + offer.answer + " by " + given->sender_id +
                        ", with " + given->message_id);
    }
    A2H_ASSIGN_OR_RETURN(auto deal_id,
                         store::deal_of_offer(transaction, offer.session_id, offer.message_id));
    return SaidMessage{std::move(*given), std::move(deal_id)};
}

/// Checks that the sender's offer that `message` takes the place of was not accepted. An offer is
/// replaced by one other offer, so that one of them makes a deal.
Result<void> check_replaces(db::Transaction& transaction, const SessionMessage& message) {
    if (message.replaces_id.empty()) return {};
    A2H_ASSIGN_OR_RETURN(
        const auto replaced,
        store::find_session_message(transaction, message.session_id, message.replaces_id));
    if (!replaced || replaced->sender_id != message.sender_id) return {};
    if (replaced->answer == "accepted")
        return conflict("the offer that this replaces was accepted already");
    if (replaced->answer == "replaced" && message.type == "offer")
        return conflict("the offer that this replaces was replaced already");
    return {};
}

/// Ends the sender's offer that `message` takes the place of, if it has no answer yet.
Result<void> end_replaced(db::Transaction& transaction, const SessionMessage& message) {
    if (message.replaces_id.empty()) return {};
    A2H_ASSIGN_OR_RETURN(
        const auto replaced,
        store::find_session_message(transaction, message.session_id, message.replaces_id));
    if (!replaced || replaced->sender_id != message.sender_id) return {};
    const auto ended = store::answer_offer(transaction, replaced->row_id, "replaced");
    return ended ? Result<void>() : fail(ended.error());
}

Result<void> check_acceptable(db::Transaction& transaction, const Session& session,
                              const SessionMessage& offer, const SessionMessage& answer) {
    const UnixMs now_ms = answer.created_at_ms;
    // An id that its sender has used twice denotes two offers.
    if (!answer.offer_payload_hash.empty() && answer.offer_payload_hash != offer.payload_hash)
        return conflict("offer_payload_hash is that of another offer");
    A2H_TRY(check_replaces(transaction, answer));
    if (offer_state(offer, now_ms) == "expired") {
        return conflict("this offer was valid until " + to_utc_time(*offer.valid_until_ms));
    }
    A2H_ASSIGN_OR_RETURN(const auto deal_id,
                         store::deal_of_proposal(transaction, session.proposal_id));
    if (!deal_id.empty()) return conflict("its proposal has led to the deal " + deal_id);
    if (session.rfp_id.empty()) return {};
    A2H_ASSIGN_OR_RETURN(const auto rfp, store::find_rfp(transaction, session.rfp_id));
    if (!rfp || rfp->status != RfpStatus::Cancelled) return {};
    return conflict("the RFP of this session was cancelled");
}

Result<void> check_new(db::Transaction& transaction, const SessionMessage& message) {
    if (message.valid_until_ms && *message.valid_until_ms <= message.created_at_ms) {
        return invalid("valid_until is not in the future");
    }
    A2H_ASSIGN_OR_RETURN(const auto count,
                         store::count_session_messages(transaction, message.session_id));
    return count < kSessionMessagesMax ? Result<void>() : conflict("this session is full");
}

/// Adds the acceptance or rejection of `offer`.
Result<SaidMessage> add_answer(db::Transaction& transaction, const Session& session,
                               const SessionMessage& offer, const SessionMessage& answer) {
    const bool accepts = answer.type == "accept";
    const UnixMs now_ms = answer.created_at_ms;
    if (accepts) A2H_TRY(check_acceptable(transaction, session, offer, answer));
    A2H_ASSIGN_OR_RETURN(const auto first, store::answer_offer(transaction, offer.row_id,
                                                               accepts ? "accepted" : "rejected"));
    if (!first) return conflict("this offer was answered meanwhile; read it again");
    A2H_TRY(store::add_session_message(transaction, answer));
    if (!accepts) return SaidMessage{answer};
    A2H_ASSIGN_OR_RETURN(auto deal_id,
                         make_deal_of_offer(transaction, session, offer, answer, now_ms));
    return SaidMessage{answer, std::move(deal_id)};
}

}  // namespace

Result<Session> open_session(db::Transaction& transaction, std::string_view caller_id,
                             const SessionRequest& request, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto wanted, request.proposal_id.empty()
                                                ? Result<SessionRequest>(request)
                                                : about_proposal(transaction, caller_id, request));
    if (wanted.agent_id.empty()) return invalid("agent_id is missing");
    if (wanted.agent_id == caller_id) return invalid("agent_id is yourself");
    if (!wanted.rfp_id.empty() && wanted.proposal_id.empty()) {
        A2H_TRY(check_rfp_parties(transaction, caller_id, wanted));
    }
    A2H_TRY(check_agent(transaction, wanted.agent_id));
    std::string first(caller_id);
    std::string second = wanted.agent_id;
    if (second < first) std::swap(first, second);
    return store::add_session(transaction, {.session_id = new_session_id(),
                                            .first_id = first,
                                            .second_id = second,
                                            .rfp_id = wanted.rfp_id,
                                            .proposal_id = wanted.proposal_id,
                                            .created_at_ms = now_ms});
}

Result<Session> see_session(db::Transaction& transaction, std::string_view session_id,
                            std::string_view agent_id) {
    A2H_ASSIGN_OR_RETURN(auto session, store::find_session(transaction, session_id, agent_id));
    if (session) return std::move(*session);
    return fail(ErrorCode::NotFound, "there is no such session of yours");
}

Result<SaidMessage> say(db::Transaction& transaction, const SessionMessage& message, SaidBy by) {
    A2H_ASSIGN_OR_RETURN(const auto session,
                         see_session(transaction, message.session_id, message.sender_id));
    const bool answers = !message.offer_id.empty();
    auto said = Result<SaidMessage>(SaidMessage{message});
    std::optional<Money> price = message.price;
    if (answers) {
        A2H_ASSIGN_OR_RETURN(const auto offer, find_offer(transaction, message));
        price = offer.price;
        if (!offer.answer.empty()) return repeated(transaction, offer, message);
        A2H_TRY(check_new(transaction, message));
        said = add_answer(transaction, session, offer, message);
        if (!said) return said;
    } else {
        A2H_TRY(check_new(transaction, message));
        if (message.type == "offer") A2H_TRY(check_replaces(transaction, message));
        A2H_TRY(store::add_session_message(transaction, message));
    }
    A2H_TRY(end_replaced(transaction, message));
    if (by == SaidBy::Http) {
        A2H_TRY(notify_message(transaction, session, message, price, said->deal_id,
                               message.created_at_ms));
    } else if (!said->deal_id.empty()) {
        A2H_TRY(notify_deal(transaction, session, message, said->deal_id));
    }
    return said;
}

}  // namespace a2h::market
