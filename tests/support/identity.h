#pragma once

#include <string>

#include "core/platform/identity.h"

namespace a2h::test {

/// The identity of an agent without keys, for what needs only its id.
inline platform::AgentIdentity identity_of(const std::string& agent_id) {
    platform::AgentIdentity identity;
    identity.account.agent_id = agent_id;
    return identity;
}

}  // namespace a2h::test
