#pragma once

#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/session_store.h"

namespace a2h::market {

// Sessions of two agents and their messages, each change within the caller's transaction.
//
// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

inline constexpr std::int64_t kSessionMessagesMax = 10'000;

struct SessionRequest {
    std::string agent_id;       ///< the other agent; empty: the other party of the proposal
    std::string rfp_id{};       ///< empty: no RFP
    std::string proposal_id{};  ///< empty: no proposal
};
/// Begins a session of `caller_id` with another agent, or returns the existing one.
///
/// Errors:  NotFound if the caller cannot see the RFP or proposal, or if there is no such agent;
///          InvalidArgument if the two are not the creator and a supplier of the RFP, not the two
///          parties of the proposal, or the same agent.
Result<Session> open_session(db::Transaction& transaction, std::string_view caller_id,
                             const SessionRequest& request, UnixMs now_ms);

/// Errors:  NotFound for everybody except the two.
Result<Session> see_session(db::Transaction& transaction, std::string_view session_id,
                            std::string_view agent_id);

struct SaidMessage {
    SessionMessage message;
    std::string deal_id{};  ///< deal of an acceptance
};
/// Over HTTP the other agent is notified of the message. By mail it already has the message, and
/// both are notified of a deal.
enum class SaidBy { Http, Mail };

/// Adds a message whose fields fit its type and notifies the other agent. An acceptance makes one
/// deal; a repeated acceptance returns the first message and deal, and so does a repeated
/// rejection.
///
/// Errors:  NotFound for everybody except the two, and if `offer_id` is not an offer of the other
///          one in this session; InvalidArgument for an offer that has already expired; Conflict if
///          the offer has another answer, has expired or was replaced, or is not the one whose hash
///          the acceptance names; the offer that the message replaces was accepted already; its RFP
///          was cancelled, the proposal of the session has a deal, or the session is full.
/// Source:  R26.
Result<SaidMessage> say(db::Transaction& transaction, const SessionMessage& message,
                        SaidBy by = SaidBy::Http);

}  // namespace a2h::market
