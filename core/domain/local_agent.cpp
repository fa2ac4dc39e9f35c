#include "core/domain/local_agent.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<LocalAgentState> kLocalAgentStateNames[] = {
    {LocalAgentState::Active, "active"},
    {LocalAgentState::Stopped, "stopped"},
};
A2H_ENUM_NAMES(LocalAgentState, parse_local_agent_state, kLocalAgentStateNames);

}  // namespace a2h
