#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/domain/demand.h"

namespace a2h {

/// New: invited, to be decided. AskedToJoin: the human has a card. Declined: we said no. Joined:
/// our offer left. Reviewing: a proposal is to be judged. AskedToAccept: the human has a card about
/// it. Answered: our feedback left. Withdrawn: we left. Ended: the requester told us how it ended.
enum class InvitationState {
    New,
    AskedToJoin,
    Declined,
    Joined,
    Reviewing,
    AskedToAccept,
    Answered,
    Withdrawn,
    Ended
};
std::string_view to_string(InvitationState value);
std::optional<InvitationState> parse_invitation_state(std::string_view text);

/// A negotiation that another owner's agent invited ours to; the participant's side.
struct Invitation {
    std::string agent_id;  ///< ours
    std::string negotiation_id;
    std::string requester_id;
    std::string demand_id;
    std::string demand_json;  ///< as it was received; `wire::parse_understanding` reads it
    std::string filter_reason;
    InvitationState state = InvitationState::New;
    UnixMs answer_by_ms = 0;               ///< of what is asked now; 0: not told
    std::string offer_json;                ///< `Offer`, what we answered; empty before
    int round = 0;                         ///< of the newest proposal; 0 before the first
    std::string proposal_json;             ///< as it was received; empty before
    std::string besides_json;              ///< what the newest of both said beside it; or empty
    std::optional<FeedbackType> feedback;  ///< to that proposal
    std::string approval_id;               ///< the card that is open, or the last one
    std::int64_t thought_job_id = 0;       ///< waits while a model is asked; 0: none is
    std::string mandate_id;                ///< under which we take part, its use counted; or empty
    std::string outcome;                   ///< "agreed", "partial", … as we were told
    bool is_bound = false;                 ///< we accepted the final plan and have a part in it
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

}  // namespace a2h
