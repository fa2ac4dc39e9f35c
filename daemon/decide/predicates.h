#pragma once

#include "daemon/decide/situation.h"

namespace a2h::decide {

// What conditions ask of a whole message. Each is found out once a message, see `Findings`.

/// Asks something that is no fact of a listing, or speaks of what listings never state.
bool has_open_question(const Situation& situation);

/// The listings meant state everything that is asked.
bool facts_are_stated(const Situation& situation);

/// Only words of `lists` and fillers, or nothing but emoji and full stops. Who takes leave or
/// reports that something arrived may name what the listings are about.
bool says_only(const Situation& situation, ListSet lists);

/// "Thanks for clearing that up": a word that sets the tone of a clause carries those that nobody
/// knows, while any word that means something else to the rules does not belong there.
bool says_mainly(const Situation& situation, ListSet lists);

/// "Got it, 280 and online": takes note of what the listings state and says nothing else.
bool repeats_listing(const Situation& situation);

/// Courtesy and what the peer tells of its own life, and nothing that wants anything.
bool tells_only(const Situation& situation);

/// Our last message went beyond the listings or asked something, so that a mere "ok" agrees to it.
bool is_after_commitment(const Situation& situation);

/// The peer's words are the last that we sent: two programs that copy each other. Short ones and
/// those that bound us to something may be meant.
bool is_echo(const Situation& situation);

/// What the owner's mandates say to the one exact amount, its currency, peer and listing.
MandateFit mandate_fit(const Situation& situation);

/// One of the phrases of `set` is in the text.
bool has_phrase_of(const Situation& situation, unsigned set);

}  // namespace a2h::decide
