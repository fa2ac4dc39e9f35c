#pragma once

#include <string_view>
#include <vector>

#include "core/domain/mandate.h"

namespace a2h::mandates {

/// By which terms `share` would allow what `parent` does not, as the members of MandateTerms are
/// named; empty when it is a share of it. Whose they are (`agent_id`) is not looked at.
///
/// Action and currency are the same. A peer or listing that `parent` names must be named; a limit
/// that it sets must be set and be no looser; the dates lie within. A negotiation is on the same
/// side, opens no nearer to the limit, has no more rounds, and holds back if its parent does. So
/// a share of a share is one of the first as well. That what all shares use together stays within
/// `parent` is counted when they are used.
///
/// Thread: any. Source: docs/protocol.md, "Messages between agents".
std::vector<std::string_view> wider_terms(const MandateTerms& share, const MandateTerms& parent);

}  // namespace a2h::mandates
