#pragma once

#include <string_view>

// The values of `AuditRow::what` that a2hd itself reads again: those of the rows that prove a
// question, an answer, a vote or a mandate. An outcome is recorded by its name
// (`to_string(ApprovalOutcome)`). Rows are never changed, so neither are these names.
//
// Source:  docs/rulings.md, R63.

namespace a2h::audit {

inline constexpr std::string_view kAsked = "asked";
inline constexpr std::string_view kEdited = "edited";
inline constexpr std::string_view kVoted = "voted";
inline constexpr std::string_view kVoteWithdrawn = "vote.withdrawn";
inline constexpr std::string_view kAnswered = "answered";
inline constexpr std::string_view kConsumed = "consumed";  ///< the yes to a reply was used
inline constexpr std::string_view kMandateGiven = "mandate.given";
inline constexpr std::string_view kMandateShared = "mandate.shared";
inline constexpr std::string_view kMandateRevoked = "mandate.revoked";

}  // namespace a2h::audit
