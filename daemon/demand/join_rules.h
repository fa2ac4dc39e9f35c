#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/domain/demand.h"
#include "core/i18n/messages.h"
#include "core/wire/demand_json.h"
#include "core/wire/demand_messages.h"
#include "daemon/demand/options.h"

namespace a2h::demand {

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

/// What a proposal gives us to do, against what we have offered.
enum class PartCheck {
    NoPart,     ///< it has none for us
    AsOffered,  ///< the work that was offered, not before another day, for this price or more
    Cheaper,    ///< the same for less, in the currency that was offered
    Different   ///< something else, or something more
};
struct PartView {
    PartCheck check = PartCheck::NoPart;
    std::optional<PlanPart> part;
};
PartView check_part(const Proposal& proposal, std::string_view agent_id, const Offer& offered,
                    const wire::Understanding& demand);

/// More than was offered is more than the mandate's use has counted.
bool is_no_dearer(const std::optional<Price>& part, const std::optional<Price>& offered);

/// Feedback that commits to nothing: there is no part for us, or the human does not agree to ours.
/// Asks for the price that was offered, if there was one.
wire::ProposalFeedback new_objection(std::string_view channel_id, int round, const Offer& offered,
                                     std::string words);

}  // namespace a2h::demand
