#pragma once

#include <string_view>
#include <vector>

#include "core/domain/listing.h"
#include "daemon/decide/draft_review.h"

namespace a2h::decide {

/// What of an assistant's words may leave without a human's yes, from the least to the most.
enum class FreeWords {
    None,      ///< a clause of which nobody can say why it is harmless
    Harmless,  ///< facts, questions that name no term, courtesies
    Facts,     ///< nothing but what a listing of ours or an approved text states
};

/// Judges words of an assistant by allowing: each clause must be a fact (a clause of one of
/// `facts.listings` or `facts.stated`, the one price of a listing), a question made of harmless
/// words, or a courtesy; and what is no courtesy must pass `review_draft`. An emoji, another
/// language and a single word are words like any other. What the peer said is no fact of ours:
/// `facts.peer_text` and `facts.peer_language` are not looked at. The lists are those of
/// playbooks/free_words.toml, built in.
///
/// Thread:  any. Pure.
/// Source:  docs/rulings.md, R19.
FreeWords free_words(std::string_view text, const DraftFacts& facts);

/// True when `text` of a peer does nothing but greet, thank and ask, in words that all are known,
/// so that an answer to its question leaves nothing of it open. Errs towards false. Pure. Thread:
/// any.
bool asks_for_facts_only(std::string_view text, const std::vector<Listing>& listings);

}  // namespace a2h::decide
