#pragma once

#include <optional>
#include <string>

#include "daemon/decide/playbook.h"
#include "daemon/reading/meant_amount.h"
#include "daemon/reading/reading.h"
#include "daemon/reading/subject.h"

namespace a2h::decide {

/// What several rules ask and what costs something to find out; found out once.
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

/// Everything that the conditions of rules ask about one message.
struct Situation {
    const Input& input;
    const RuleSet::Impl& rules;
    const Vocabulary& vocabulary;
    Reading reading;
    Subject subject;
    AmountFound amount;
    std::string order_id;  ///< of the payload, else one written in the text
    PartSet parts = 0;
    ListingMatch match = ListingMatch::None;
    bool is_cut = false;     ///< the text is longer than what is read
    std::size_t length = 0;  ///< of the text, in code points
    bool asks_anything = false;
    i18n::Language peer_language = i18n::Language::English;
    mutable Findings findings = {};
};

Situation understand(const Input& input, const RuleSet::Impl& rules);

/// True when the message offers one exact amount and says nothing else at all that could be a
/// condition. The payload's other members are the caller's to look at.
bool is_plain_offer(const Situation& situation);

/// True when the message holds words that take back, decline or leave.
bool takes_back(const Situation& situation);

/// True when a person who agrees to the amount agrees to all that the message says: around the
/// amount, or where none is named, it holds only words that add no condition.
bool says_no_more(const Situation& situation);

/// R19 over a text that was read already.
Review review_reading(const Reading& reading, const std::vector<Listing>& listings,
                      const Vocabulary& vocabulary);

}  // namespace a2h::decide
