#pragma once

#include <string>

#include "daemon/decide/situation.h"

namespace a2h::decide {

/// The text of an Answer: what our listings state about the requested facts, word for word, in the
/// peer's language.
std::string word_answer(const Situation& situation);

/// Fills question, options, texts, amount and ids of an Ask.
void word_ask(const Rule& rule, const Situation& situation, Decision& decision);

/// The subject of a message about which a rule with this topic asks. Asking for a lower price is
/// not an offer.
About about_of(std::string_view topic);

/// The sentence that says why `rule` decided, in the language of the owner.
std::string word_why(const Rule& rule, i18n::Language language);

}  // namespace a2h::decide
