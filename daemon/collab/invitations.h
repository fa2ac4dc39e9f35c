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

/// Rules of messages that had an effect, and of those that changed nothing.
inline constexpr std::string_view kInvitedRule = "demand.invited";
inline constexpr std::string_view kIgnoredInvitationRule = "demand.ignored";
/// Limit of open invitations from one requester. Further ones are ignored.
inline constexpr int kOpenInvitationsMax = 20;

/// The owner's settings for invitations and for questions about them.
struct Settings {
    const Options& negotiation;
    const consent::Policy& approval;
};

/// The deciders that a requester's message may be put to before a human is asked.
struct Asks {
    bool model = false;
    bool mandate = true;  ///< false: mail that could change its meaning may be waiting unread (R52)
};

/// Applies a requester's message (`DemandOffer`, `ProposalReview` or `NegotiationEnded`) for the
/// agent that received it. The invitation in `db` changes at once; everything else is returned as
/// effects that the caller writes in the same transaction. A rule can only decline; whatever
/// commits the owner is an approval that a human or a mandate gives.
///
/// Only a verified sender changes anything. A negotiation is identified by agent, requester and id.
/// A second invitation to it changes nothing. A plan counts if our offer was sent and the plan's
/// round is new. The end of a negotiation closes the invitation and withdraws the open question. We
/// are bound only by what our own row says that we accepted, whatever the requester claims.
///
/// An invitation that no mandate answers is marked for a model first, if a model may be asked,
/// there is enough time, and the requester has not used up its share. `ask_after_thought` continues
/// it.
///
/// Errors:  those of the database.
/// Thread:  the store writer, in the transaction that settles `job`.
Result<outcome::Effects> take_invitation_mail(
    store::Database& db, const Job& job, const InboxMessage& message, const nlohmann::json& payload,
    wire::DemandMessageType type, const Settings& settings, UnixMs now_ms, Asks asks = {});

/// A model is asked only if at least this much time is left before the requester's deadline.
inline constexpr UnixMs kThoughtTimeMinMs = 30'000;
/// Limit of invitations and plans of one requester within 24 hours about which a model is asked, so
/// that strangers cannot use up the model's budget.
inline constexpr int kThoughtOfOneADayMax = 20;

/// The answer of a model to a question that waits for it.
struct Thought {
    std::string agent_id;
    std::string requester_id;
    std::string negotiation_id;
    std::int64_t job_id = 0;   ///< the mark of the invitation
    Advice advice;             ///< empty if the model gave no usable answer
    bool asks_mandate = true;  ///< as `Asks::mandate`
};
/// The question to the human, with the advice, as an effect that the caller writes in the same
/// transaction. Empty if the mark is gone (somebody has answered, there is a newer plan, or the
/// negotiation has ended) or if the deadline has passed.
///
/// Errors:  those of the database.
/// Thread:  the store writer.
Result<outcome::Effects> ask_after_thought(store::Database& db, const Thought& thought,
                                           const Settings& settings, UnixMs now_ms);

}  // namespace a2h::collab
