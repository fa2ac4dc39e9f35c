#pragma once

#include <string_view>
#include <vector>

#include "core/domain/mandate.h"

namespace a2h::mandates {

/// The terms by which `share` would allow what `parent` does not, as named in MandateTerms; empty
/// if it is a valid share. `agent_id` is not compared.
///
/// Action and currency must be equal. A peer or listing named by `parent` must be named; a limit
/// that it sets must be set and not be looser; the dates must lie within its dates. A negotiation
/// must be on the same side, open no nearer to the limit, have no more rounds, and hold back if its
/// parent does. So a share of a share is also a share of the first mandate. The total that all
/// shares use is checked when they are used.
///
/// Thread:  any.
/// Source:  docs/protocol.md, "Messages between agents".
std::vector<std::string_view> wider_terms(const MandateTerms& share, const MandateTerms& parent);

}  // namespace a2h::mandates
