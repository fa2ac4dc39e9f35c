#include "daemon/config/negotiation_options.h"

#include "core/base/enum_names.h"

namespace a2h::collab {

constexpr EnumName<Invitations> kInvitationsNames[] = {
    {Invitations::Ask, "ask"},
    {Invitations::Decline, "decline"},
};
static_assert(names_all(kInvitationsNames));

std::string_view to_string(Invitations value) {
    return name_of(kInvitationsNames, value);
}

std::optional<Invitations> parse_invitations(std::string_view text) {
    return value_of(kInvitationsNames, text);
}

}  // namespace a2h::collab
