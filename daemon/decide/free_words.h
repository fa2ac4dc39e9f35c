#pragma once

#include <string_view>
#include <vector>

#include "core/domain/listing.h"
#include "daemon/decide/draft_review.h"

namespace a2h::decide {

/// True if an assistant may say `text` without a human's yes. Each clause must be a fact (the
/// title, the one price or a whole field of a service in `facts.listings`), a question that asks
/// for nothing but an answer, made of listed words and words of a listing, or a courtesy;
/// everything but courtesies must also pass `review_draft`. An emoji, a text in another language
/// and a single word are words like any other. What the peer said is not a fact, and neither is
/// what was approved before, so `facts.peer_text`, `facts.peer_language` and `facts.stated` are
/// ignored here. The lists are the built-in ones of playbooks/free_words.toml.
///
/// Thread:  any. Pure.
/// Source:  docs/rulings.md, R19.
bool are_free_words(std::string_view text, const DraftFacts& facts);

/// True if a peer's `text` only greets, thanks and asks what our listings state, in known words, so
/// that answering its question leaves nothing open. In doubt false. Pure.
///
/// Thread:  any.
bool asks_for_facts_only(std::string_view text, const std::vector<Listing>& listings);

}  // namespace a2h::decide
