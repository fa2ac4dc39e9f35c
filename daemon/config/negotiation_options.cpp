#include "daemon/config/negotiation_options.h"

#include "core/base/enum_names.h"

namespace a2h::collab {

constexpr EnumName<Invitations> kInvitationsNames[] = {
    {Invitations::Ask, "ask"},
    {Invitations::Decline, "decline"},
};
A2H_ENUM_NAMES(Invitations, parse_invitations, kInvitationsNames);

}  // namespace a2h::collab
