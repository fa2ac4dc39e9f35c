#pragma once

#include "cli/command.h"

namespace a2h::cli {

/// `a2h demo --negotiation`: a party in Beijing, planned by agents of many owners and described
/// while it happens. The user is the requester; with --auto it ends by itself.
Outcome run_negotiation_demo(const Invocation& invocation);

}  // namespace a2h::cli
