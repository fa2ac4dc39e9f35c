#pragma once

#include "daemon/decide/situation.h"

namespace a2h::decide {

// Conditions on a whole message. Each is evaluated once for each message, see `Findings`.

/// Asks for something that is not a fact of a listing, or mentions what listings never state.
bool has_open_question(const Situation& situation);

/// The listings that the message is about state everything asked for.
bool facts_are_stated(const Situation& situation);

/// Only words of `lists` and fillers, or only emoji and full stops. A farewell or a report that
/// something has arrived may name what the listings are about.
bool says_only(const Situation& situation, ListSet lists);

/// "Thanks for clearing that up": a word of `lists` determines the meaning of a clause with unknown
/// words, unless the clause contains a word that means something else to the rules.
bool says_mainly(const Situation& situation, ListSet lists);

/// "Got it, 280 and online": acknowledges what the listings state and says nothing else.
bool repeats_listing(const Situation& situation);

/// Courtesies and what the peer tells about its life, without a request.
bool tells_only(const Situation& situation);

/// Our last message went beyond the listings or asked something, so that a mere "ok" would agree to
/// it. For words that withdraw or decline, any of our recent messages counts.
bool is_after_commitment(const Situation& situation);

/// The peer repeats our last message, as two programs do that copy each other. Short messages and
/// those that bound us to something may be meant.
bool is_echo(const Situation& situation);

/// How the one exact amount, with its currency, peer and listing, relates to the owner's mandates.
MandateFit mandate_fit(const Situation& situation);

/// The text contains a phrase of `set`.
bool has_phrase_of(const Situation& situation, unsigned set);

}  // namespace a2h::decide
