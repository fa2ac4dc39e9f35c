#pragma once

#include <string_view>

#include "core/domain/permit.h"

namespace a2h::consent {

// Why a message was written (`OutboxMessage::cause`): a name from the table in causes.cpp, followed
// by the id of the rule, approval, mandate, tool or negotiation.
//
// Thread:  any.

/// What has to exist for a cause to give its right.
enum class Ground {
    Approval,     ///< an approval of the sender that was answered
    Mandate,      ///< a mandate of the sender
    Judge,        ///< the verdict of the judge of words (`OutboxMessage::judged`)
    Negotiation,  ///< a negotiation of the sender
    Code          ///< nothing: only a2hd's own code writes such messages
};

/// The right that a cause claims, and the rest of the cause after its name. `Door` examines the
/// claim.
struct Claim {
    Right right = Right::None;
    Ground ground = Ground::Code;
    std::string_view id{};
};
/// An unknown cause claims nothing.
Claim claim_of(std::string_view cause);

/// Whether a message of this cause is judged again before it is sent late, because mail of its
/// receiver may have arrived since (R46). Unknown causes are.
bool is_judged_late(std::string_view cause);

}  // namespace a2h::consent
