#include "core/domain/invitation.h"

#include "core/base/enum_names.h"

namespace a2h {
namespace {

constexpr EnumName<InvitationState> kInvitationStateNames[] = {
    {InvitationState::New, "new"},
    {InvitationState::AskedToJoin, "asked_to_join"},
    {InvitationState::Declined, "declined"},
    {InvitationState::Joined, "joined"},
    {InvitationState::Reviewing, "reviewing"},
    {InvitationState::AskedToAccept, "asked_to_accept"},
    {InvitationState::Answered, "answered"},
    {InvitationState::Withdrawn, "withdrawn"},
    {InvitationState::Ended, "ended"},
};

}  // namespace

A2H_ENUM_NAMES(InvitationState, parse_invitation_state, kInvitationStateNames);

}  // namespace a2h
