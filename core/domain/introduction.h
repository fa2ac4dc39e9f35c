#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/domain/task_brief.h"

namespace a2h {

/// Whose view it is: of the agent that wants a contact, or of the one that was asked for it.
enum class IntroductionSide { Asking, Asked };
std::string_view to_string(IntroductionSide value);
std::optional<IntroductionSide> parse_introduction_side(std::string_view text);

/// Open: not answered yet. The others are final.
enum class IntroductionState { Open, Answered, Declined };
std::string_view to_string(IntroductionState value);
std::optional<IntroductionState> parse_introduction_state(std::string_view text);

/// One agent asked another for somebody who can do something.
struct Introduction {
    std::string id;        ///< message id of the request
    std::string agent_id;  ///< whose view
    std::string peer_id;
    /// Whether the peer has certainly asked. A doubtful one of the same id is another request.
    bool is_authentic = true;
    IntroductionSide side = IntroductionSide::Asking;
    std::string reason;
    std::string required_capability;
    IntroductionState state = IntroductionState::Open;
    std::string contact_id;                       ///< who was named; empty unless Answered
    std::string contact_role;                     ///< may be empty
    std::optional<InterfaceSpec> interface_spec;  ///< what the contact offers
    std::string refusal;                          ///< why nobody was named; empty unless Declined
    UnixMs at_ms = 0;                             ///< of the request
};

}  // namespace a2h
