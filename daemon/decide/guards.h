#pragma once

#include <string_view>

namespace a2h::decide {

// The loop guards that limit how many messages are read and answered.
inline constexpr std::string_view kRateGuard = "guard.rate";
inline constexpr std::string_view kRoundsGuard = "guard.rounds";

/// Whether a decision with this rule was made because there were too many messages, so that the
/// message has not been read.
constexpr bool is_limit(std::string_view rule_id) {
    return rule_id == kRateGuard || rule_id == kRoundsGuard;
}

}  // namespace a2h::decide
