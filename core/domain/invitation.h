#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/domain/demand.h"

namespace a2h {

/// New: invited, to be decided. AskedToJoin: the human has a card. Declined: we said no. Joined:
/// our offer was sent. Reviewing: a proposal is to be judged. AskedToAccept: the human has a card
/// about it. Answered: our feedback was sent. Withdrawn: we left. Ended: the requester has reported
/// the end.
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

/// A negotiation to which an agent of another owner has invited our agent, on the participant's
/// side.
struct Invitation {
    std::string agent_id;  ///< our agent
    std::string negotiation_id;
    std::string requester_id;
    std::string demand_id;
    std::string demand_json;  ///< as received; `wire::parse_understanding` reads it
    std::string filter_reason;
    InvitationState state = InvitationState::New;
    UnixMs answer_by_ms = 0;    ///< deadline of the current question; 0: unknown
    std::string offer_json;     ///< our `Offer`; empty before
    int round = 0;              ///< version of the newest proposal; 0 before the first
    std::string proposal_json;  ///< as received; empty before
    std::string besides_json;   ///< other members of the newest of both messages; or empty
    std::optional<FeedbackType> feedback;  ///< to that proposal
    std::string approval_id;               ///< the open card, or the last one
    std::int64_t thought_job_id = 0;       ///< the job that waits for a model; 0: none
    std::string mandate_id;  ///< the mandate for our participation, whose use was counted; or empty
    std::string outcome;     ///< "agreed", "partial", … as reported
    bool is_bound = false;   ///< we accepted the final plan and have a part in it
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

}  // namespace a2h
