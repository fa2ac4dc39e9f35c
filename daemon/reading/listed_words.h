#pragma once

#include <string_view>
#include <vector>

#include "daemon/reading/knowledge.h"
#include "daemon/reading/reading.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::reading {

// Relates the words of a clause to the listings that are meant.
//
// Thread:  any.

/// True if the word is in one of these lists.
inline bool is_of(const WordMatch& word, ListSet lists) {
    return (word.lists & lists) != 0;
}

/// "Which city is it, since my sister lives in Suzhou?": the part before the reason. In "I run a
/// bakery and need slides", the part from the wish on.
Clause asked_part(const Reading& reading, Clause clause, const Vocabulary& vocabulary);

/// The unknown words of `clause` that are not in any listing either.
std::vector<std::string_view> words_of_nobody(const Reading& reading, const Clause& clause,
                                              const Knowledge& knowledge);

/// Whether `clause` contains more than words of the rules and the listings.
bool says_unknown(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
                  const Vocabulary& vocabulary);

/// "Is it for pitches?": a yes/no question with words of the listing only, which the listing
/// answers. A question for more, or for permission, is for a person; 18页可以吗 is answered by the
/// limit in the listing.
bool asks_about_listing(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
                        const Vocabulary& vocabulary);

/// True if `part` of a question names something that listings can state: one of their words, or a
/// requested fact or detail.
bool names_something(const Reading& reading, const Clause& part, const Knowledge& knowledge,
                     const Vocabulary& vocabulary);

}  // namespace a2h::reading
