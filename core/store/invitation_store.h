#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/invitation.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// False, and nothing is changed, if our agent already has an invitation of this requester to this
/// negotiation.
Result<bool> insert_invitation(Database& db, const Invitation& invitation);
Result<std::optional<Invitation>> get_invitation(Database& db, std::string_view agent_id,
                                                 std::string_view requester_id,
                                                 std::string_view negotiation_id);
/// The first invitation to this negotiation; later ones from others have copied its id.
Result<std::optional<Invitation>> find_invitation(Database& db, std::string_view agent_id,
                                                  std::string_view negotiation_id);
/// The invitation with the card `approval_id`.
Result<std::optional<Invitation>> invitation_of_approval(Database& db,
                                                         std::string_view approval_id);
/// Writes everything except ids, demand and reason.
///
/// Errors:  Conflict if the stored state is not `from`, so that of two answers only one counts.
Result<void> update_invitation(Database& db, const Invitation& invitation, InvitationState from);
/// The invitations of an agent, newest first; with `only_live`, only those that have not ended.
Result<std::vector<Invitation>> list_invitations(Database& db, std::string_view agent_id,
                                                 bool only_live, int limit);
/// The number of this requester's invitations that our agent has not declined or left, and that
/// have not ended.
Result<int> count_open_invitations(Database& db, std::string_view agent_id,
                                   std::string_view requester_id);
/// The number of invitations of this requester to our agent since `since_ms`.
Result<int> count_invitations_since(Database& db, std::string_view agent_id,
                                    std::string_view requester_id, UnixMs since_ms);
/// The invitations of all agents that wait for a model, oldest first.
Result<std::vector<Invitation>> invitations_in_thought(Database& db, int limit);

}  // namespace a2h::store
