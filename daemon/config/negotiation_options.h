#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace a2h::collab {

/// The treatment of an invitation to a negotiation of many parties (`[negotiation] invitations`).
/// Ask: a human or a mandate says yes. Decline: it is declined at once.
enum class Invitations { Ask, Decline };
std::string_view to_string(Invitations value);
std::optional<Invitations> parse_invitations(std::string_view text);

/// `[negotiation]` of config.toml: what our agents contribute when they are invited.
struct Options {
    Invitations invitations = Invitations::Ask;
    std::string display_name;       ///< empty: the agent's id
    std::string contribution;       ///< in the owner's words; empty: not stated
    std::vector<std::string> tags;  ///< an invitation that asks for none of them is declined
    std::int64_t price_minor = 0;   ///< price for the requester; 0: free
    std::string currency = "CNY";   ///< of `price_minor`
};

}  // namespace a2h::collab
