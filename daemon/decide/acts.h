#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/deal.h"
#include "daemon/decide/situation.h"

namespace a2h::decide {

// What a message does in a deal. Typed members come first, then words. What cannot be understood is
// `ActKind::Other`, which changes no terms. An offer in words keeps the whole text as its condition
// unless it says nothing but its amount, so that no condition is lost.
//
// Pure. The acts have neither source, times nor sureness, which are the caller's.

/// The acts of the peer's message, in order; `Input::deal` is the deal before it.
std::vector<Act> acts_of(const Situation& situation);

/// Whether the peer's words tell the price of something of its own for which our newest message has
/// asked, without an offer of ours.
bool tells_asked_price(const Situation& situation);

/// Whether the peer's words add a condition to the terms to which it stands.
bool adds_condition(const Situation& situation);

/// Whether acts of ours change the terms to which we stand: they name others, add a condition or
/// take them back.
bool changes_own_terms(const std::vector<Act>& acts);

/// The act of the peer's message, which answers an offer of ours with a message of its own type.
Act answer_of(const Situation& situation);

/// The acts of a payload that no words decide: those of its type, or else one that changes no terms
/// but the ones that the payload replaces.
std::vector<Act> typed_acts(std::string_view payload_json);

/// What a deal is about, so far as its listing says it.
struct Matter {
    std::optional<Money> price;
    std::string title;
};

/// What `listing` says; no price unless it names exactly one.
Matter matter_of(const Listing& listing);

/// The acts of a message of ours with this payload in `deal`. `recent` is what was said before it,
/// newest first; with it and `matter` more is understood.
std::vector<Act> own_acts(std::string_view payload_json, const std::optional<Deal>& deal,
                          const std::vector<HistoryEntry>& recent = {}, const Matter& matter = {});

}  // namespace a2h::decide
