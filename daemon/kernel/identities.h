#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/control/home.h"
#include "core/platform/identity.h"

namespace a2h::kernel {

// Identities of the home and of the service manager's credentials together. Errors: those of
// `platform::load_agents` and its neighbours. Thread: any; they block on the disk.

/// Sorted by id. An agent that both have is taken from the credentials.
Result<std::vector<platform::AgentIdentity>> load_agents(const control::Home& home);

/// The home's file, which holds the PINs that were changed here; without it the credential.
Result<platform::HumanIdentity> load_human(const control::Home& home);

}  // namespace a2h::kernel
