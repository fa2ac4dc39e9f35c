#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/negotiation_store.h"

namespace a2h::market {

// Sessions of two agents and what they say there, each within the caller's transaction.

inline constexpr std::int64_t kSessionMessagesMax = 10'000;

struct NegotiationRequest {
    std::string agent_id;       ///< the other one; empty: the other party of the proposal
    std::string rfp_id{};       ///< empty: about none
    std::string proposal_id{};  ///< empty: about none
};
/// Begins a session of `caller_id` with another agent, or answers the one there is.
///
/// Errors:  NotFound when the caller does not see RFP or proposal, or there is no such agent;
///          InvalidArgument when the two are not the creator and a supplier of the RFP, or not the
///          two parties of the proposal, or one and the same.
Result<Negotiation> begin_negotiation(db::Transaction& transaction, std::string_view caller_id,
                                      const NegotiationRequest& request, UnixMs now_ms);

/// Errors: NotFound for everybody but the two.
Result<Negotiation> see_negotiation(db::Transaction& transaction, std::string_view session_id,
                                    std::string_view agent_id);

struct SaidMessage {
    NegotiationMessage message;
    std::string deal_id{};  ///< what an acceptance has led to
};
/// Over HTTP the other one is told of the message; by mail it has the message already, and both are
/// told of a deal.
enum class SaidBy { Http, Mail };

/// Adds a message whose fields fit its type and tells the other one. An acceptance makes one deal;
/// said again, it answers the first time's message and deal, and so does a repeated rejection.
///
/// Errors:  NotFound for everybody but the two, and when `offer_id` is no offer of the other one in
///          this session; InvalidArgument for an offer that has expired already; Conflict when the
///          offer has another answer, has expired, its RFP was cancelled, or the proposal that the
///          session is about has its deal; or when the session is full.
/// Source:  R26.
Result<SaidMessage> say(db::Transaction& transaction, const NegotiationMessage& message,
                        SaidBy by = SaidBy::Http);

}  // namespace a2h::market
