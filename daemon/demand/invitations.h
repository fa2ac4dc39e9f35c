#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/message.h"
#include "core/domain/task.h"
#include "core/store/database.h"
#include "core/wire/demand_messages.h"
#include "daemon/config/config.h"
#include "daemon/pipeline/effects.h"

namespace a2h::demand {

/// The rules of messages that took their effect, and of those that changed nothing.
inline constexpr std::string_view kInvitedRule = "demand.invited";
inline constexpr std::string_view kIgnoredInvitationRule = "demand.ignored";
/// Invitations of one requester that wait for something; more change nothing.
inline constexpr int kOpenInvitationsMax = 20;

/// What a requester's message (`DemandOffer`, `ProposalReview` or `NegotiationEnded`) changes for
/// the agent that got it: its invitation in `db` at once, and what follows as effects that the
/// caller writes in the same transaction: a decline by rule leaves, and what commits is an approval
/// that a human or a mandate gives.
///
/// Only a proved sender changes anything. A negotiation is known by agent, requester and channel:
/// a second invitation to it changes nothing, a plan counts where our offer left and only when its
/// round is new, and its end closes it and calls off the question that is open. What binds is what
/// our own row says that we accepted, whatever the requester claims.
/// Errors: those of the database. Thread: the store writer, in the transaction that settles `task`.
Result<pipeline::Effects> take_invitation_mail(store::Database& db, const Task& task,
                                               const InboxMessage& message,
                                               const nlohmann::json& payload,
                                               wire::DemandMessageType type, const Config& config,
                                               UnixMs now_ms);

}  // namespace a2h::demand
