#pragma once

#include "daemon/decide/named_amounts.h"
#include "daemon/decide/said.h"

namespace a2h::decide {

// Whether a message agrees to the terms to which the other side stands.
//
// A wrong agreement binds somebody to what it never meant, so every word is looked at: a clause
// that agrees holds words that agree, courtesies, the amount of the other side and words of its
// offer. The clauses beside it ask, thank, or say when and how the thing is carried out. With
// anything else the message agrees with a condition, which `advance` makes a counter-offer.
//
// Pure. Thread: any.

enum class Assent { None, Whole, WithCondition };

/// `amounts` are those of the message. None if the other side stands to nothing.
Assent assent_of(const Said& said, const std::vector<NamedAmount>& amounts);

}  // namespace a2h::decide
