#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/job.h"
#include "core/domain/message.h"
#include "core/store/database.h"
#include "core/wire/demand_messages.h"
#include "daemon/collab/invited_answers.h"
#include "daemon/config/negotiation_options.h"
#include "daemon/consent/policy.h"
#include "daemon/outcome/outcome.h"

namespace a2h::collab {

/// The rules of messages that took their effect, and of those that changed nothing.
inline constexpr std::string_view kInvitedRule = "demand.invited";
inline constexpr std::string_view kIgnoredInvitationRule = "demand.ignored";
/// Invitations of one requester that wait for something; more change nothing.
inline constexpr int kOpenInvitationsMax = 20;

/// What the owner has set for invitations, and for questions about them.
struct Settings {
    const Options& negotiation;
    const consent::Policy& approval;
};

/// What a requester's message (`DemandOffer`, `ProposalReview` or `NegotiationEnded`) changes for
/// the agent that got it: its invitation in `db` at once, and what follows as effects that the
/// caller writes in the same transaction: a decline by rule leaves, and what commits is an approval
/// that a human or a mandate gives.
///
/// Only a proved sender changes anything. A negotiation is known by agent, requester and id:
/// a second invitation to it changes nothing, a plan counts where our offer left and only when its
/// round is new, and its end closes it and calls off the question that is open. What binds is what
/// our own row says that we accepted, whatever the requester claims.
///
/// Where `asks_model`, what no mandate answers is marked for a model instead of asked, if there is
/// time for that and the requester has not had its share: `ask_after_thought` goes on.
/// Errors: those of the database. Thread: the store writer, in the transaction that settles `job`.
Result<outcome::Effects> take_invitation_mail(
    store::Database& db, const Job& job, const InboxMessage& message, const nlohmann::json& payload,
    wire::DemandMessageType type, const Settings& settings, UnixMs now_ms, bool asks_model = false);

/// Less than that before the requester's time is over no model is asked.
inline constexpr UnixMs kThoughtTimeMinMs = 30'000;
/// Nor about more invitations of one requester within 24 hours, or about their plans: strangers
/// spend no more of the model's budget.
inline constexpr int kThoughtOfOneADayMax = 20;

/// What a model said about a question that waits for it.
struct Thought {
    std::string agent_id;
    std::string requester_id;
    std::string negotiation_id;
    std::int64_t job_id = 0;  ///< the invitation's mark
    Advice advice;            ///< empty: it said nothing that counts
};
/// The question to the human, with the advice, as an effect that the caller writes in the same
/// transaction. None where the mark has gone: somebody has answered, there is a newer plan, or it
/// has ended; nor when the time is over.
/// Errors: those of the database. Thread: the store writer.
Result<outcome::Effects> ask_after_thought(store::Database& db, const Thought& thought,
                                           const Settings& settings, UnixMs now_ms);

}  // namespace a2h::collab
