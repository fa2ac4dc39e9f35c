#pragma once

#include <string_view>
#include <vector>

#include "core/domain/listing.h"

namespace a2h::decide {

/// True if an assistant may say `text` without a human's yes. Each clause must be a courtesy or a
/// question that asks for nothing but an answer. It may name what it asks about, by listed words,
/// but states nothing: an amount, a title or a sentence of our own listing may promise something
/// new beside another one. An emoji, a text in another language and a single word are words like
/// any other. The lists are the built-in ones of playbooks/free_words.toml.
///
/// Thread:  any. Pure.
/// Source:  docs/rulings.md, R19.
bool are_free_words(std::string_view text);

/// True if a peer's `text` only greets, thanks and asks what our listings state, in known words, so
/// that answering its question leaves nothing open. In doubt false. Pure.
///
/// Thread:  any.
bool asks_for_facts_only(std::string_view text, const std::vector<Listing>& listings);

}  // namespace a2h::decide
