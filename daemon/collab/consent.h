#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/invitation.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"
#include "core/wire/demand_messages.h"
#include "daemon/consent/approvals.h"

namespace a2h::collab {

// How our agents say yes and no in negotiations of many parties. Whatever commits the owner is an
// approval of a human or of a mandate, and is sent exactly as it was shown. It is one outbox row,
// written in the transaction that changes the invitation's state, so that nothing is sent twice.
//
// Thread:  the store writer, in the caller's transaction, unless said otherwise.

/// Actions of approvals: an agent takes part (join), and agrees to its part of a plan (accept).
inline constexpr std::string_view kJoinAction = "demand.join";
inline constexpr std::string_view kAcceptAction = "demand.accept";
/// A requester ends its negotiation before there is a plan.
inline constexpr std::string_view kCancelAction = "demand.cancel";

/// The cause of a question, and the mandate that may answer it.
struct Cause {
    std::int64_t job_id = 0;        ///< as in `consent::Ask`
    std::string provenance;         ///< as in `consent::Ask`
    std::string requested_by;       ///< as in `consent::Ask`
    std::string asked_by;           ///< as in `consent::Ask`
    bool is_bounded = false;        ///< as in `consent::Ask`
    std::string continues_mandate;  ///< as in `consent::Ask`
    /// The advice of a model in words for the card; empty if there is none.
    std::string advice{};
    bool has_models_words = false;  ///< the model worded the offer
    /// The change that the model would request. It is sent if the human chooses it instead of a
    /// yes.
    std::optional<wire::ProposalFeedback> suggestion{};
};

/// The question whether `offer` may be sent. `invitation` becomes AskedToJoin, and the caller
/// stores both. The question ends with the invitation's deadline, if it has one.
///
/// Thread:  any.
consent::Question ask_to_join(Invitation& invitation, const wire::OfferResponse& offer,
                              const Cause& cause, const consent::Policy& policy, UnixMs now_ms);
/// The same for an answer to the proposal that the invitation holds. It becomes AskedToAccept.
consent::Question ask_to_answer(Invitation& invitation, const wire::ProposalFeedback& feedback,
                                const Cause& cause, const consent::Policy& policy, UnixMs now_ms);

/// The message of an answer. `invitation` becomes what it is after sending; the caller stores both.
///
/// Thread:  any.
OutboxMessage answer_invitation(Invitation& invitation, const wire::OfferResponse& offer,
                                std::string_view cause, UnixMs now_ms);
OutboxMessage answer_proposal(Invitation& invitation, const wire::ProposalFeedback& feedback,
                              std::string_view cause, UnixMs now_ms);

/// Checks that an answer would still count: the invitation waits for one, and its deadline has not
/// passed.
///
/// Errors:  Conflict.
/// Thread:  any.
Result<void> check_joinable(const Invitation& invitation, UnixMs now_ms);
Result<void> check_answerable(const Invitation& invitation, UnixMs now_ms);

/// Registers what follows a yes and what follows when there is none. With a yes, what was shown is
/// sent. After silence the invitation can still be answered. A no to an offer is sent as a decline,
/// and a no to a plan as an objection that keeps what was offered. An agent that leaves withdraws;
/// a suggestion is sent as shown. Words of the human become another question about exactly these
/// words. Nothing follows if the negotiation has moved on or ended since. Call before other threads
/// start.
void register_actions();

}  // namespace a2h::collab
