#pragma once

#include <optional>
#include <string_view>

#include "core/base/result.h"

namespace a2h {

// Requests for proposals and proposals: their states and who may change them.

enum class RfpStatus { Open, Closed, Cancelled };
enum class ProposalStatus { Pending, Accepted, Rejected, Withdrawn };
enum class ProposalRole { Supplier, Creator };

/// The words on the wire: "open", "closed", …; "pending", "accepted", ….
std::string_view to_string(RfpStatus status);
std::string_view to_string(ProposalStatus status);
std::optional<RfpStatus> parse_rfp_status(std::string_view text);
std::optional<ProposalStatus> parse_proposal_status(std::string_view text);

/// A change to the present status is allowed and has no effect.
///
/// Errors:  Conflict, naming the present status and what is allowed.
/// Source:  R23: open → closed or cancelled, by the creator.
Result<void> check_rfp_move(RfpStatus from, RfpStatus to);

/// Errors:  PermissionDenied for a change that belongs to the other role; Conflict as above.
/// Source:  R24: pending → accepted or rejected (creator), pending → withdrawn (supplier).
Result<void> check_proposal_move(ProposalStatus from, ProposalStatus to, ProposalRole role);

}  // namespace a2h
