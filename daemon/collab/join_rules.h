#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/demand.h"
#include "core/domain/invitation.h"
#include "core/i18n/messages.h"
#include "core/wire/demand_json.h"
#include "core/wire/demand_messages.h"
#include "daemon/config/negotiation_options.h"

namespace a2h::collab {

// The answers of the owner's settings to invitations and proposals. Nothing here gives consent:
// offers and acceptances are what a human or a mandate may say yes to.
//
// Thread:  any.

/// Rules of automatic declines, as named in the audit history and in metrics.
inline constexpr std::string_view kClosedRule = "join.closed";
inline constexpr std::string_view kOtherTagsRule = "join.other_tags";
inline constexpr std::string_view kNoPartRule = "join.no_part";

struct JoinDecision {
    std::string_view decline_rule;  ///< empty if `offer` needs a yes
    Offer offer;                    ///< the answer in either case
};
/// `language` is that of the words for the requester.
JoinDecision decide_invitation(const Options& options, const wire::Understanding& demand,
                               i18n::Language language);

/// Whether the notice of a plan says nothing, or only in our own fixed words, in any language, that
/// the plan does not bind the requester.
bool is_notice(const nlohmann::json& notice);

/// The sentence that is added to an offer by the owner's settings: it agrees to nothing else. It is
/// needed because a mandate does not read what an invitation says that the answer will mean.
std::string words_of_owners_offer(i18n::Language language);
/// Returns what the owner's settings offer to any requester.
Offer owners_offer(const Options& options, i18n::Language language);
/// The same with other words and conditions, for the price in the settings.
Offer worded_offer(const Options& options, std::string contribution,
                   std::vector<std::string> conditions, i18n::Language language);

/// The offer of an agent that takes part. It is conditional if there is a price or another
/// condition. The price is then listed as a condition as well, for recipients that do not read
/// `price`.
Offer new_offer(std::string contribution, std::vector<std::string> conditions,
                std::optional<Price> price, i18n::Language language);
Offer new_decline(std::string reason);

/// Whether the offer commits to nothing beyond the owner's settings, so that a mandate may approve
/// it.
bool is_owners_offer(const Options& options, const Offer& offer, i18n::Language language);

/// Whether the invitation contains only known members of a demand, each of which was read whole. A
/// mandate joins no other invitation.
bool is_plain_demand(const Invitation& invitation);

/// How the newest plan of an invitation compares with what we have offered.
enum class PartCheck {
    NoPart,     ///< it has no part for us
    AsOffered,  ///< exactly the offered words and price, and no other words
    Different   ///< anything else, because other words may ask for something
};
PartCheck check_plan(const Invitation& invitation);

/// Feedback that commits to nothing: the plan has no part for us, or the human does not agree to
/// our part. It asks for the offered price, if there was one.
wire::ProposalFeedback new_objection(std::string_view negotiation_id, int round,
                                     const Offer& offered, std::string words);

}  // namespace a2h::collab
