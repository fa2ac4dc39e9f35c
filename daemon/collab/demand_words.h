#pragma once

#include <string>
#include <string_view>

#include "core/domain/demand.h"
#include "core/i18n/messages.h"
#include "core/wire/demand_json.h"
#include "core/wire/demand_messages.h"

namespace a2h::collab {

// The text that a person reads of a message before saying yes to it: one fact on each line. Words
// of others are quoted so that none of them looks like one of our lines.
//
// Thread:  any.

std::string offer_in_words(const Offer& offer, i18n::Language language);
/// The content of an acceptance, an objection or a withdrawal.
std::string feedback_in_words(const wire::ProposalFeedback& feedback, i18n::Language language);

/// The advice of a model, marked as such. `own_contribution` is what the owner's settings would
/// offer instead; it is left out if empty.
std::string advice_in_words(OfferDecision decision, std::string_view reasoning,
                            i18n::Language language, std::string_view own_contribution = {});
std::string advice_in_words(const wire::ProposalFeedback& advised, i18n::Language language);

/// "200.00 CNY", or words that say that there is no price.
std::string price_in_words(const std::optional<Price>& price, i18n::Language language);

}  // namespace a2h::collab
