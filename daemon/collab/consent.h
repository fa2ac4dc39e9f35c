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

// How our agents say yes and no in negotiations of many parties. What commits is an approval, of a
// human or of a mandate, and leaves exactly as it was shown; what leaves is one outbox row in the
// transaction that changes the invitation's state, so that nothing is sent twice.
// Thread: the store writer, in the caller's transaction, unless said otherwise.

/// The actions of approvals by which an agent takes part, and agrees to its part of a plan.
inline constexpr std::string_view kJoinAction = "demand.join";
inline constexpr std::string_view kAcceptAction = "demand.accept";

/// Who caused a question, and what a mandate may say to it.
struct Cause {
    std::int64_t job_id = 0;        ///< as of `consent::Ask`
    std::string provenance;         ///< the same
    std::string requested_by;       ///< the same
    std::string asked_by;           ///< the same
    bool is_bounded = false;        ///< the same
    std::string continues_mandate;  ///< the same
    /// Of a model, in words for the card; empty: none.
    std::string advice{};
    bool has_models_words = false;  ///< the offer is worded by it
    /// What it would ask for: leaves when the human chooses that instead of a yes.
    std::optional<wire::ProposalFeedback> suggestion{};
};

/// The question whether `offer` may leave. `invitation` becomes AskedToJoin with it; the caller
/// stores both. Until the invitation's time is over, if it told one. Thread: any.
Approval ask_to_join(Invitation& invitation, const wire::OfferResponse& offer, const Cause& cause,
                     const consent::Policy& policy, UnixMs now_ms);
/// The same for an answer to the proposal that the invitation holds; it becomes AskedToAccept.
Approval ask_to_answer(Invitation& invitation, const wire::ProposalFeedback& feedback,
                       const Cause& cause, const consent::Policy& policy, UnixMs now_ms);

/// The message of an answer, and the invitation as it is once that has left. The caller stores
/// both. Thread: any.
OutboxMessage answer_invitation(Invitation& invitation, const wire::OfferResponse& offer,
                                std::string_view cause, UnixMs now_ms);
OutboxMessage answer_proposal(Invitation& invitation, const wire::ProposalFeedback& feedback,
                              std::string_view cause, UnixMs now_ms);

/// Whether an answer would still count: the invitation waits for one and its time is not over.
/// Errors: Conflict. Thread: any.
Result<void> check_joinable(const Invitation& invitation, UnixMs now_ms);
Result<void> check_answerable(const Invitation& invitation, UnixMs now_ms);

/// Tells consent what follows a yes, and what follows when there is none. With a yes, what was
/// shown leaves. After silence the invitation can still be answered. A no to an offer is sent as a
/// decline, a no to a plan as an objection that stays with what was offered; who leaves withdraws;
/// a suggestion is sent as shown. Words become another question about exactly those words. Nothing
/// follows when the negotiation has gone on or ended since. Before other threads start.
void register_actions();

}  // namespace a2h::collab
