#pragma once

#include <string_view>
#include <vector>

#include "core/domain/listing.h"
#include "daemon/decide/draft_review.h"

namespace a2h::decide {

/// Which words of an assistant may be sent without a human's yes, from the least to the most.
enum class FreeWords {
    None,      ///< it contains a clause that is not known to be harmless
    Harmless,  ///< facts, questions that name no term, courtesies
    Facts,     ///< only what our listings or an approved text state
};

/// Judges an assistant's words by what is allowed. Each clause must be a fact (a clause of
/// `facts.listings` or `facts.stated`, or the one price of a listing), a question made of harmless
/// words, or a courtesy; everything but courtesies must also pass `review_draft`. An emoji, a text
/// in another language and a single word are words like any other. What the peer said is not a
/// fact, so `facts.peer_text` and `facts.peer_language` are ignored. The lists are the built-in
/// ones of playbooks/free_words.toml.
///
/// Thread:  any. Pure.
/// Source:  docs/rulings.md, R19.
FreeWords free_words(std::string_view text, const DraftFacts& facts);

/// True if a peer's `text` only greets, thanks and asks, in known words, so that answering its
/// question leaves nothing open. In doubt false. Pure.
///
/// Thread:  any.
bool asks_for_facts_only(std::string_view text, const std::vector<Listing>& listings);

}  // namespace a2h::decide
