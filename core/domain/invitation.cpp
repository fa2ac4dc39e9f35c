#include "core/domain/invitation.h"

#include <array>
#include <utility>

namespace a2h {
namespace {

constexpr std::array kInvitationStates{
    std::pair{InvitationState::New, "new"},
    std::pair{InvitationState::AskedToJoin, "asked_to_join"},
    std::pair{InvitationState::Declined, "declined"},
    std::pair{InvitationState::Joined, "joined"},
    std::pair{InvitationState::Reviewing, "reviewing"},
    std::pair{InvitationState::AskedToAccept, "asked_to_accept"},
    std::pair{InvitationState::Answered, "answered"},
    std::pair{InvitationState::Withdrawn, "withdrawn"},
    std::pair{InvitationState::Ended, "ended"},
};

}  // namespace

std::string_view to_string(InvitationState value) {
    return kInvitationStates[static_cast<std::size_t>(value)].second;
}

std::optional<InvitationState> parse_invitation_state(std::string_view text) {
    for (const auto& [state, name] : kInvitationStates) {
        if (text == name) return state;
    }
    return std::nullopt;
}

}  // namespace a2h
