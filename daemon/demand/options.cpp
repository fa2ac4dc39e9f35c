#include "daemon/demand/options.h"

namespace a2h::demand {

std::string_view to_string(Invitations value) {
    return value == Invitations::Decline ? "decline" : "ask";
}

std::optional<Invitations> parse_invitations(std::string_view text) {
    for (const Invitations each : {Invitations::Ask, Invitations::Decline}) {
        if (to_string(each) == text) return each;
    }
    return std::nullopt;
}

}  // namespace a2h::demand
