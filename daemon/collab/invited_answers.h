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

// What a model says to the human who decides about an invitation or a plan. It is a proposal: it
// binds nobody, leaves only with the human's yes, and the price is the owner's table's. See
// daemon/collab/model_words.h. Pure; any thread.

struct OfferAdvice {
    OfferDecision decision = OfferDecision::Decline;
    std::string contribution;             ///< empty with Decline
    std::vector<std::string> conditions;  ///< at least one with Conditional, else none
    std::string reasoning;                ///< for the owner
};
struct FeedbackAdvice {
    FeedbackType type = FeedbackType::Negotiate;
    std::string request;    ///< what should change; only with Negotiate, and then not empty
    std::string reasoning;  ///< with Negotiate the others read it, too
};
/// Of one question: neither, where rules decide alone.
struct Advice {
    std::optional<OfferAdvice> offer;
    std::optional<FeedbackAdvice> feedback;
};

/// What our own agent is to a model: its published profile, if there is one, and what the owner's
/// table and the titles of its listings say besides. Never a price or a limit.
Profile own_profile(std::optional<Profile> published, std::string_view agent_id,
                    const Options& table, const std::vector<Listing>& listings);

/// Prompt 3. nullopt: it brings nothing, or names an amount of money that `own` does not.
std::optional<OfferAdvice> offer_advice(const nlohmann::json& answer, const Profile& own);

/// Prompt 5. nullopt: it asks for nothing that can be told, or names an amount of money that
/// neither `own` nor our offer does.
std::optional<FeedbackAdvice> feedback_advice(const nlohmann::json& answer, const Profile& own,
                                              const Invitation& invitation);

}  // namespace a2h::collab
