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
static_assert(names_all(kInvitationStateNames));

}  // namespace

std::string_view to_string(InvitationState value) {
    return name_of(kInvitationStateNames, value);
}

std::optional<InvitationState> parse_invitation_state(std::string_view text) {
    return value_of(kInvitationStateNames, text);
}

}  // namespace a2h
