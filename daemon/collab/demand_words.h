#pragma once

#include <string>
#include <string_view>

#include "core/domain/demand.h"
#include "core/i18n/messages.h"
#include "core/wire/demand_json.h"
#include "core/wire/demand_messages.h"

namespace a2h::collab {

// What a human reads of what would leave before they say yes: a line each, words fenced so that
// none of them looks like a line of ours. Thread: any.

std::string offer_in_words(const Offer& offer, i18n::Language language);
/// What leaves with an acceptance, an objection or a withdrawal.
std::string feedback_in_words(const wire::ProposalFeedback& feedback, i18n::Language language);

/// What a model advises, marked as such. `own_contribution`: what the owner's table would say
/// instead of its words; empty: not told.
std::string advice_in_words(OfferDecision decision, std::string_view reasoning,
                            i18n::Language language, std::string_view own_contribution = {});
std::string advice_in_words(const wire::ProposalFeedback& advised, i18n::Language language);

/// "200.00 CNY"; in words when there is none.
std::string price_in_words(const std::optional<Price>& price, i18n::Language language);

}  // namespace a2h::collab
