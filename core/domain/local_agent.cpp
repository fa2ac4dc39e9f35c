#include "core/domain/local_agent.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<LocalAgentState> kLocalAgentStateNames[] = {
    {LocalAgentState::Active, "active"},
    {LocalAgentState::Stopped, "stopped"},
};
static_assert(names_all(kLocalAgentStateNames));

std::string_view to_string(LocalAgentState value) {
    return name_of(kLocalAgentStateNames, value);
}

std::optional<LocalAgentState> parse_local_agent_state(std::string_view text) {
    return value_of(kLocalAgentStateNames, text);
}

}  // namespace a2h
