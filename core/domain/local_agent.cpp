#include "core/domain/local_agent.h"

namespace a2h {

std::string_view to_string(LocalAgentState value) {
    return value == LocalAgentState::Active ? "active" : "stopped";
}

std::optional<LocalAgentState> parse_local_agent_state(std::string_view text) {
    if (text == "active") return LocalAgentState::Active;
    if (text == "stopped") return LocalAgentState::Stopped;
    return std::nullopt;
}

}  // namespace a2h
