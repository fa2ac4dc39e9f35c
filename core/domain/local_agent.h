#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace a2h {

/// Stopped is final: the agent reads and sends nothing any more, and its history stays.
enum class LocalAgentState { Active, Stopped };
std::string_view to_string(LocalAgentState value);
std::optional<LocalAgentState> parse_local_agent_state(std::string_view text);

/// An agent that another agent of this home has created. Its keys are secret: never logged, never
/// in an answer.
struct LocalAgent {
    std::string agent_id;
    std::string parent_id;
    std::string role_id;  ///< its role, such as "researcher"
    LocalAgentState state = LocalAgentState::Active;
    std::string agent_key;  ///< created here until it is registered, then the market's
    std::string key_id;
    std::string public_key;
    std::string secret_key;
    bool is_registered = false;  ///< the market knows it, so agents of other homes can reach it
    UnixMs created_at_ms = 0;
    UnixMs stopped_at_ms = 0;  ///< 0 while it is active
};

}  // namespace a2h
