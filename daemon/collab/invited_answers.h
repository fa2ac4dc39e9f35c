#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/demand.h"
#include "core/domain/invitation.h"
#include "core/domain/listing.h"
#include "core/domain/profile.h"
#include "daemon/config/negotiation_options.h"

namespace a2h::collab {

// A model's advice to the human who decides about an invitation or a plan. The advice binds nobody
// and is sent only after the human's yes; the price always comes from the owner's settings. See
// daemon/collab/model_words.h. Pure; any thread.

struct OfferAdvice {
    OfferDecision decision = OfferDecision::Decline;
    std::string contribution;             ///< empty for Decline
    std::vector<std::string> conditions;  ///< at least one for Conditional, otherwise none
    std::string reasoning;                ///< for the owner
};
struct FeedbackAdvice {
    FeedbackType type = FeedbackType::Negotiate;
    std::string request;    ///< what should change; only for Negotiate, and then not empty
    std::string reasoning;  ///< for Negotiate, the other participants read it as well
};
/// Both members are empty if rules decide alone.
struct Advice {
    std::optional<OfferAdvice> offer;
    std::optional<FeedbackAdvice> feedback;
};

/// How our agent is described to a model: its published profile, if there is one, with the
/// contribution of the owner's settings and the titles of its listings. Never a price or a limit.
Profile own_profile(std::optional<Profile> published, std::string_view agent_id,
                    const Options& table, const std::vector<Listing>& listings);

/// Prompt 3. nullopt if the answer offers nothing, or names an amount of money that `own` does not
/// contain.
std::optional<OfferAdvice> offer_advice(const nlohmann::json& answer, const Profile& own);

/// Prompt 5. nullopt if the answer requests nothing that can be sent, or names an amount of money
/// that neither `own` nor our offer contains.
std::optional<FeedbackAdvice> feedback_advice(const nlohmann::json& answer, const Profile& own,
                                              const Invitation& invitation);

}  // namespace a2h::collab
