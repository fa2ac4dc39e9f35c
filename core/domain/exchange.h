#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace a2h {

// Requests for proposals and what answers them: states and who may move them.

enum class RfpStatus { Open, Closed, Cancelled };
enum class ProposalStatus { Pending, Accepted, Rejected, Withdrawn };
enum class ProposalRole { Supplier, Creator };

/// "open", "closed", …; "pending", "accepted", …: the words of the wire.
std::string_view to_string(RfpStatus status);
std::string_view to_string(ProposalStatus status);
std::optional<RfpStatus> parse_rfp_status(std::string_view text);
std::optional<ProposalStatus> parse_proposal_status(std::string_view text);

/// Errors: Conflict, naming the present status and what is allowed. Moving to the present status is
/// allowed and changes nothing. Source: R23: open → closed or cancelled, by the creator.
Result<void> check_rfp_move(RfpStatus from, RfpStatus to);

/// Errors: PermissionDenied for a move of the other role; Conflict as above.
/// Source: R24: pending → accepted or rejected (creator), pending → withdrawn (supplier).
Result<void> check_proposal_move(ProposalStatus from, ProposalStatus to, ProposalRole role);

}  // namespace a2h
