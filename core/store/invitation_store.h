#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/invitation.h"
#include "core/store/database.h"

namespace a2h::store {

/// False, and nothing changed, when our agent has an invitation of this requester to this
/// negotiation.
Result<bool> insert_invitation(Database& db, const Invitation& invitation);
Result<std::optional<Invitation>> get_invitation(Database& db, std::string_view agent_id,
                                                 std::string_view requester_id,
                                                 std::string_view negotiation_id);
/// The first of this negotiation: whoever invites to it later has copied its id.
Result<std::optional<Invitation>> find_invitation(Database& db, std::string_view agent_id,
                                                  std::string_view negotiation_id);
/// The one whose card `approval_id` is.
Result<std::optional<Invitation>> invitation_of_approval(Database& db,
                                                         std::string_view approval_id);
/// Everything but ids, demand and reason. Errors: Conflict when the stored state is not `from`, so
/// that of two answers one counts.
Result<void> update_invitation(Database& db, const Invitation& invitation, InvitationState from);
/// Newest first; `only_live`: that have not ended.
Result<std::vector<Invitation>> list_invitations(Database& db, std::string_view agent_id,
                                                 bool only_live, int limit);
/// How many of this requester our agent has not declined, left or seen the end of.
Result<int> count_open_invitations(Database& db, std::string_view agent_id,
                                   std::string_view requester_id);
/// How many this requester has sent our agent since then.
Result<int> count_invitations_since(Database& db, std::string_view agent_id,
                                    std::string_view requester_id, UnixMs since_ms);
/// Those that a model is asked about, of all agents, oldest first.
Result<std::vector<Invitation>> invitations_in_thought(Database& db, int limit);

}  // namespace a2h::store
