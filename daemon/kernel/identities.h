#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/control/home.h"
#include "core/platform/identity.h"

namespace a2h::kernel {

// Reads identities from the home and from the service manager's credentials. They block on the
// disk.
//
// Errors:  those of `platform::load_agents` and the like.
// Thread:  any.

/// Sorted by id. Credentials take precedence over the home.
Result<std::vector<platform::AgentIdentity>> load_agents(const control::Home& home);

/// From the home's file, which contains PINs that were changed here; without it, from the
/// credential.
Result<platform::HumanIdentity> load_human(const control::Home& home);

}  // namespace a2h::kernel
