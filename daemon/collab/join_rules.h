#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/domain/demand.h"
#include "core/domain/invitation.h"
#include "core/i18n/messages.h"
#include "core/wire/demand_json.h"
#include "core/wire/demand_messages.h"
#include "daemon/config/negotiation_options.h"

namespace a2h::collab {

// What the owner's table says to invitations and proposals. Nothing here consents: an offer and an
// acceptance are what a human or a mandate may say yes to. Thread: any.

/// Declines by themselves, in the audit and in metrics.
inline constexpr std::string_view kClosedRule = "join.closed";
inline constexpr std::string_view kOtherTagsRule = "join.other_tags";
inline constexpr std::string_view kNoPartRule = "join.no_part";

struct JoinDecision {
    std::string_view decline_rule;  ///< empty: `offer` needs a yes
    Offer offer;                    ///< the answer, whichever it is
};
/// `language` is of the words that the requester reads.
JoinDecision decide_invitation(const Options& options, const wire::Understanding& demand,
                               i18n::Language language);

/// What the owner's table offers, whoever asks.
Offer owners_offer(const Options& options, i18n::Language language);
/// The same in other words and on conditions, for the table's price.
Offer worded_offer(const Options& options, std::string contribution,
                   std::vector<std::string> conditions, i18n::Language language);

/// The offer of somebody who takes part: conditional when there is a price or another condition,
/// which the price then is one of, for who reads no `price`.
Offer new_offer(std::string contribution, std::vector<std::string> conditions,
                std::optional<Price> price, i18n::Language language);
Offer new_decline(std::string reason);

/// Whether the offer commits to nothing but what the owner's table says, so that a mandate may
/// give it.
bool is_owners_offer(const Options& options, const Offer& offer, i18n::Language language);

/// What the newest plan of an invitation asks of us, against what we have offered.
enum class PartCheck {
    NoPart,     ///< it has none for us
    AsOffered,  ///< what was offered, word for word and for its price, and no other word
    Different   ///< anything else: other words may ask for something, whoever they speak of
};
PartCheck check_plan(const Invitation& invitation);

/// Feedback that commits to nothing: there is no part for us, or the human does not agree to ours.
/// Asks for the price that was offered, if there was one.
wire::ProposalFeedback new_objection(std::string_view negotiation_id, int round,
                                     const Offer& offered, std::string words);

}  // namespace a2h::collab
