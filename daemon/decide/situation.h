#pragma once

#include <optional>
#include <string>

#include "daemon/decide/playbook.h"
#include "daemon/reading/meant_amount.h"
#include "daemon/reading/reading.h"
#include "daemon/reading/subject.h"

namespace a2h::decide {

/// Results that several rules need and that are expensive. Each is computed once.
struct Findings {
    std::optional<bool> open_question;
    std::optional<bool> facts_stated;
    std::optional<bool> after_commitment;
    std::optional<bool> echo;
    std::optional<bool> repeats;
    std::optional<bool> tells_only;
    std::optional<std::vector<unsigned>> phrases;
    std::vector<std::pair<ListSet, bool>> says_only;
    std::vector<std::pair<ListSet, bool>> says_mainly;
};

/// Everything about one message that the conditions of rules use.
struct Situation {
    const Input& input;
    const RuleSet::Impl& rules;
    const Vocabulary& vocabulary;
    Reading reading;
    Subject subject;
    AmountFound amount;
    std::string order_id;  ///< of the payload, or else written in the text
    PartSet parts = 0;
    ListingMatch match = ListingMatch::None;
    bool is_cut = false;     ///< the text is longer than the part that was read
    std::size_t length = 0;  ///< length of the text in code points
    bool asks_anything = false;
    i18n::Language peer_language = i18n::Language::English;
    mutable Findings findings = {};
};

Situation understand(const Input& input, const RuleSet::Impl& rules);

/// The order that the message names, as the market last told it; nullptr if it has not.
const DealOrder* known_order(const Situation& situation);

/// True if the message offers one exact amount and contains nothing else that could be a condition.
/// The caller checks the other members of the payload.
bool is_plain_offer(const Situation& situation);

/// True if the message contains words that withdraw, decline or say farewell.
bool takes_back(const Situation& situation);

/// True if the amount of the message is in another currency than the prices of the listings that it
/// is about.
bool is_in_other_currency(const Situation& situation);

/// True if agreeing to the amount agrees to all that the message says: besides the amount, if any,
/// it contains only words that add no condition.
bool says_no_more(const Situation& situation);

/// The review of R19 for a text that was read already.
Review review_reading(const Reading& reading, const std::vector<Listing>& listings,
                      const Vocabulary& vocabulary);

}  // namespace a2h::decide
