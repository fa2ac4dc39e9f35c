#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/domain/task_brief.h"

namespace a2h {

/// The side of the row: the agent that wants a contact, or the one that was asked.
enum class IntroductionSide { Asking, Asked };
std::string_view to_string(IntroductionSide value);
std::optional<IntroductionSide> parse_introduction_side(std::string_view text);

/// Open: not answered yet. The other states are final.
enum class IntroductionState { Open, Answered, Declined };
std::string_view to_string(IntroductionState value);
std::optional<IntroductionState> parse_introduction_state(std::string_view text);

/// A request of one agent to another for a contact with certain abilities.
struct Introduction {
    std::string id;        ///< message id of the request
    std::string agent_id;  ///< agent of this row
    std::string peer_id;
    /// Whether the sender is verified. An unverified request with the same id is a different
    /// request.
    bool is_authentic = true;
    IntroductionSide side = IntroductionSide::Asking;
    std::string reason;
    std::string required_capability;
    IntroductionState state = IntroductionState::Open;
    std::string contact_id;    ///< the contact that was named; empty unless Answered
    std::string contact_role;  ///< may be empty
    std::optional<InterfaceSpec> interface_spec;  ///< what the contact offers
    std::string refusal;  ///< why no contact was named; empty unless Declined
    UnixMs at_ms = 0;     ///< time of the request
};

}  // namespace a2h
